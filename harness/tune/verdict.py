"""What a trial says: every setting shown, the choice, and the word on the procedure that made it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from harness.policies.spec import NamedPolicy
from harness.statistics.estimate import Estimate, pooled, typical
from harness.statistics.paired import Paired, compare, compare_all
from harness.statistics.significance import Met, at_least
from harness.tune.candidates import CUT, GATED, TUNED
from harness.tune.choose import Floats, Ground
from harness.tune.trial import Trial


@dataclass(frozen=True)
class Seen:
    """Requests that see all they depend on, of those that depend on anything: pooled, and in a typical cluster."""

    bill: Estimate
    typical: Estimate

    def word(self, floor: float) -> Met:
        """Against a floor, by both."""
        words = {at_least(found.interval, floor) for found in (self.bill, self.typical)}
        return "missed" if "missed" in words else "not shown" if "not shown" in words else "met"


@dataclass(frozen=True)
class Point:
    """A setting over the whole corpus. cost: against identity. bound: the lower bound of what stays visible by which
    it may be chosen. atoms: share of the dependencies that are visible."""

    policy: NamedPolicy
    role: str
    cost: float
    against: Paired
    seen: Seen | None
    bound: float | None
    atoms: float | None


@dataclass(frozen=True)
class HeldOut:
    """The procedure on transcripts that had no part in its choice: by what they were held out, how often, the cost
    against identity, what stays visible, and the word. chosen: of every part the setting."""

    by: str
    parts: int
    against: Paired
    seen: Seen | None
    word: Met
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """chosen: what is recommended, `identity` where nothing that meets the floor is cheaper. tuned: the best setting of
    the policy that was tuned, None where none meets the floor. by_cluster, by_source: None where there is only one."""

    trial: Trial
    points: list[Point]
    chosen: Point
    tuned: Point | None
    by_cluster: HeldOut | None
    by_source: HeldOut | None

    @property
    def floor(self) -> float:
        return self.trial.settings.evidence

    @property
    def identified(self) -> bool:
        """Whether there are clusters enough for a bound."""
        return bool(self.trial.found["identified"])

    @cached_property
    def default(self) -> Point:
        return self.points[1]

    def best(self, role: str) -> Point | None:
        """Of a role, the best that meets the floor."""
        label = self.trial.found["roles"].get(role)
        return next((p for p in self.points if p.policy.label == label), None)

    @property
    def frontier(self) -> list[Point]:
        """What nothing else beats of all roles, cheapest first."""
        found, best = [], -1.0
        for point in sorted(self.points, key=lambda p: (p.cost, -_value(p))):
            if _value(point) > best:
                found.append(point)
                best = _value(point)
        return found

    @property
    def times(self) -> int:
        """Of `resamples`, how often the very setting was chosen that is recommended."""
        return sum(d["times"] for d in self.trial.found["resamples"] if d["policy"] == self.chosen.policy.label)

    @property
    def roles(self) -> dict[str, int]:
        """How often the resamples chose each role, the most frequent first."""
        found: Counter[str] = Counter()
        for drawn in self.trial.found["resamples"]:
            found[drawn["role"]] += drawn["times"]
        return dict(found.most_common())

    @property
    def resamples(self) -> int:
        return sum(d["times"] for d in self.trial.found["resamples"])


def judge(trial: Trial) -> Verdict:
    """All that a trial says."""
    points = _points(trial)
    labels = {point.policy.label: point for point in points}
    found = trial.found
    return Verdict(
        trial,
        points,
        labels[found["chosen"]["label"]],
        labels.get(found["roles"].get(TUNED, "")),
        _held_out(trial, "cluster", found["folds"]),
        _held_out(trial, "source", found["sources"]),
    )


def _value(point: Point) -> float:
    if point.seen is None:
        return 1.0
    values = [1.0 if v is None else v for v in (point.seen.bill.value, point.seen.typical.value)]
    return min(values)


def _points(trial: Trial) -> list[Point]:
    pairs = compare_all(trial.cost, trial.cost[0], trial.clusters)
    seen = _seen(trial, trial.figures.whole)
    bounds, _, _ = Ground(trial.clusters, trial.bearing, np.ones(len(trial.ids), bool)).evidence(trial.figures.whole)
    atoms = trial.figures.visible.sum(axis=1) / max(float(trial.borne.sum()), 1)
    known = bool(trial.bearing.sum())
    return [
        Point(
            policy, role, float(trial.cost[n].sum()), pairs[n], seen[n],
            float(bounds[n]) if known and trial.found["identified"] else None, float(atoms[n]) if known else None,
        )
        for n, (policy, role) in enumerate(zip(trial.policies, trial.roles, strict=True))
    ]  # fmt: skip


def _seen(trial: Trial, whole: Floats) -> list[Seen | None]:
    some = trial.bearing > 0
    if not some.any():
        return [None] * len(whole)
    clusters = [c for c, s in zip(trial.clusters, some.tolist(), strict=True) if s]
    hidden, bearing = whole[:, some] - trial.bearing[some], trial.bearing[some]
    bills, usual = pooled(hidden, bearing, clusters, base=1.0), typical(hidden / bearing, clusters, base=1.0)
    return [Seen(bill, mean) for bill, mean in zip(bills, usual, strict=True)]


def _held_out(trial: Trial, by: str, parts: Sequence[dict[str, Any]]) -> HeldOut | None:
    if not parts:
        return None
    chosen = np.zeros(len(trial.ids), np.int64)
    for part in parts:
        chosen[part["held"]] = trial.at(part["label"])
    everyone = np.arange(len(trial.ids))
    (seen,) = _seen(trial, trial.figures.whole[chosen, everyone][None, :])
    against = compare(trial.cost[chosen, everyone], trial.cost[0], trial.clusters)
    word: Met = seen.word(trial.settings.evidence) if seen else "not shown"
    return HeldOut(by, len(parts), against, seen, word, tuple(part["label"] for part in parts))


FOUND = ("exact", "searched", "points", "error", "effects", "plateau", "resamples")


def record(verdict: Verdict) -> dict[str, Any]:
    """For a program; every figure here is measured."""
    trial = verdict.trial
    return {
        "schema": 2,
        "kind": "measured",
        "metric": trial.settings.metric,
        "policy": trial.policy.label,
        "vary": list(trial.settings.vary),
        "floor": trial.settings.evidence,
        "figure": "share of requests with dependencies that see all of theirs, on the bill and typical",
        "transcripts": len(trial.ids),
        "clusters": len(set(trial.clusters)),
        "sources": len(set(trial.sources)),
        "requests_with_dependencies": int(trial.bearing.sum()),
        "clipped": dict(zip(("results", "of_results", "bytes", "of_bytes"), trial.clipped, strict=True)),
        "recommended": _point(verdict.chosen),
        "best_of_policy": _point(verdict.tuned) if verdict.tuned else None,
        "default": _point(verdict.default),
        "gate_alone": _role(verdict, GATED),
        "plain_cut": _role(verdict, CUT),
        "bound_identified": verdict.identified,
        "held_out_by_cluster": _held(verdict.by_cluster),
        "held_out_by_source": _held(verdict.by_source),
        **{key: trial.found[key] for key in FOUND},
    }


def _role(verdict: Verdict, role: str) -> dict[str, Any] | None:
    point = verdict.best(role)
    return _point(point) if point else None


def _held(found: HeldOut | None) -> dict[str, Any] | None:
    if found is None:
        return None
    seen = asdict(found.seen) if found.seen else None
    return {
        "by": found.by, "parts": found.parts, "word": found.word, "against_identity": found.against.to_record(),
        "seen": seen, "chosen": list(found.chosen),
    }  # fmt: skip


def _point(point: Point) -> dict[str, Any]:
    return {
        "policy": point.policy.label, "role": point.role, "cost": point.cost,
        "against_identity": point.against.to_record(), "seen": asdict(point.seen) if point.seen else None,
        "bound": point.bound, "dependencies_visible": point.atoms,
    }  # fmt: skip
