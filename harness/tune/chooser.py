"""The choice among all candidates: on everything, without each fold and each source, and on resamples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from harness.policies.spec import NamedPolicy
from harness.statistics.significance import SEED
from harness.tune.candidates import CUT, GATED, IDENTITY, TUNED, Candidates, Swept
from harness.tune.choose import Floats, Ground, Mask, folds_of, front
from harness.tune.field import thin
from harness.tune.settings import TuneSettings

RESAMPLES = 200
SHOWN = 14
"""Settings of each family that are shown of its frontier."""
ORDER = (GATED, TUNED, CUT)
"""Of equals the first is taken."""


@dataclass(frozen=True)
class Choice:
    """A setting that was chosen: in which role, and what it is."""

    role: str
    label: str


def cheapest(roles: Mapping[str, str], costs: Mapping[str, float]) -> Choice:
    """Of the best setting of every role the cheapest; doing nothing where nothing is cheaper than that."""
    able = [role for role in ORDER if role in roles and costs[roles[role]] < costs[IDENTITY]]
    if not able:
        return Choice(IDENTITY, IDENTITY)
    role = min(able, key=lambda role: (costs[roles[role]], ORDER.index(role)))
    return Choice(role, roles[role])


@dataclass(frozen=True)
class Named:
    """A setting among its candidates, by number."""

    candidates: Candidates
    number: int
    policy: NamedPolicy

    @property
    def role(self) -> str:
        return self.candidates.role

    @property
    def cost(self) -> Floats:
        """(T,)"""
        return np.asarray(self.candidates.cost[self.number], np.float64)

    @property
    def whole(self) -> Floats:
        return np.asarray(self.candidates.whole[self.number], np.float64)


class Chooser:
    """identity: (T,) the cost of doing nothing. named: every setting that was chosen or is shown, by its label."""

    def __init__(self, settings: TuneSettings, candidates: list[Candidates], ground: Ground, identity: Floats) -> None:
        self.settings, self.candidates, self.ground, self.identity = settings, candidates, ground, identity
        self.named: dict[str, Named] = {}

    def name(self, candidates: Candidates, number: int) -> Named:
        """A setting under its label; where several families have the same, the first."""
        policy = candidates.policy(number)
        return self.named.setdefault(policy.label, Named(candidates, number, policy))

    def found(self, sources: Sequence[str]) -> dict[str, Any]:
        """All choices, as the manifest holds them."""
        clusters = self.ground.clusters
        each = self.each(self.ground)
        folds = folds_of(clusters, min(self.settings.folds, len(set(clusters))))
        by_fold = [folds == n for n in np.unique(folds)]
        by_source = [np.array([s == name for s in sources], bool) for name in sorted(set(sources))]
        self._show()
        return {
            "roles": {role: one.policy.label for role, one in each.items()},
            "identified": self.ground.evidence(self.ground.bearing[None, :])[2],
            "folds": [self._held(mask) for mask in by_fold] if len(by_fold) > 1 else [],
            "sources": [self._held(mask) for mask in by_source] if len(by_source) > 1 else [],
            "resamples": self._resampled(),
            "plateau": self._plateau(each),
            "points": self._counts(),
        }

    def each(self, ground: Ground) -> dict[str, Named]:
        """The best of every role on some transcripts; of the plain cuts the cheapest."""
        best: dict[str, Named] = {}
        for candidates in self.candidates:
            at = candidates.choose(ground, self.settings.evidence)
            if at is None:
                continue
            one = self.name(candidates, at)
            known = best.get(candidates.role)
            if known is None or self._cost(one, ground) < self._cost(known, ground):
                best[candidates.role] = one
        return best

    def _cost(self, one: Named, ground: Ground) -> float:
        return float(one.cost[ground.among].sum())

    def cheapest(self, each: dict[str, Named], ground: Ground) -> Choice:
        """Of all roles, on some transcripts."""
        costs = {one.policy.label: self._cost(one, ground) for one in each.values()}
        costs.setdefault(IDENTITY, float(self.identity[ground.among].sum()))
        return cheapest({role: one.policy.label for role, one in each.items()}, costs)

    def _held(self, mask: Mask) -> dict[str, Any]:
        """The choice without some transcripts, to be looked at on these."""
        part = self.ground.without(mask)
        return {"held": np.flatnonzero(mask).tolist()} | asdict(self.cheapest(self.each(part), part))

    def _counts(self) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for candidates in self.candidates:
            counts[candidates.role] += candidates.size
        return dict(counts)

    def _show(self) -> None:
        """Name what is worth showing of every frontier."""
        for candidates in self.candidates:
            total = candidates.cost.sum(axis=1)
            for number in thin(front(total, self.ground.evidence(candidates.whole)[1]), SHOWN):
                self.name(candidates, number)

    def _resampled(self) -> list[dict[str, Any]]:
        """How often each setting is chosen when clusters are drawn anew, the most frequent first."""
        pool = [(c, n) for c in self.candidates for n in self._worth(c)]
        cost = np.vstack([self.identity, *(c.cost[n] for c, n in pool)])
        whole = np.vstack([self.ground.bearing, *(c.whole[n] for c, n in pool)])
        names = np.array(self.ground.clusters)
        members = [np.flatnonzero(names == name) for name in sorted(set(self.ground.clusters))]
        rng, counts = np.random.default_rng(SEED), Counter[int]()
        for _ in range(RESAMPLES):
            drawn = rng.integers(len(members), size=len(members))
            at = np.concatenate([members[n] for n in drawn])
            apart = [str(place) for place, n in enumerate(drawn) for _ in members[n]]
            ground = Ground(apart, self.ground.bearing[at], np.ones(len(at), bool))
            counts[ground.choose(cost[:, at], whole[:, at], self.settings.evidence) or 0] += 1
        found = []
        for number, times in counts.most_common():
            one = self.name(*pool[number - 1]) if number else None
            found.append(
                {"role": one.role if one else IDENTITY, "policy": one.policy.label if one else IDENTITY, "times": times}
            )
        return found

    def _worth(self, candidates: Candidates) -> list[int]:
        """Those that no other beats in cost and evidence: a choice on a resample is nearly always one of them."""
        total = candidates.cost.sum(axis=1)
        bound, value, _ = self.ground.evidence(candidates.whole)
        return sorted({*front(total, bound), *front(total, value)})

    def _plateau(self, each: dict[str, Named]) -> dict[str, list[int]]:
        """Per setting of the tuned choice, the range within which nothing changes of what is visible, the others
        fixed."""
        one = each.get(TUNED)
        if one is None or not isinstance(one.candidates, Swept):
            return {}
        return one.candidates.unchanged(one.candidates.points[one.number])

    def largest_error(self, costs: dict[str, Floats], wholes: dict[str, Floats]) -> dict[str, Any]:
        """How far the swept cost of what is shown is from the rendered one, as a share of it; and how many requests
        differ in evidence, of which there should be none."""
        apart, different = [0.0], 0.0
        for label, one in self.named.items():
            apart.append(abs(float(one.cost.sum()) / max(float(costs[label].sum()), 1e-12) - 1))
            different += float(np.abs(one.whole - wholes[label]).sum())
        return {"settings": len(self.named), "largest": max(apart), "requests_different": int(different)}
