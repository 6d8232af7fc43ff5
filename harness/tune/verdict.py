"""What a trial says: the front with intervals, the recommendation, and both held out against the default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.policies.spec import NamedPolicy
from harness.statistics.paired import Interval, Paired, compare, compare_all, means_with_intervals, not_worse
from harness.statistics.resampling import ENOUGH
from harness.tune.choose import Floats, choose, cross_fitted, folds_of, front, mean_share, picked
from harness.tune.tune import Trial


@dataclass(frozen=True)
class Point:
    """A setting on the front, over the whole corpus: cost against the default and against identity, evidence visible
    and requests that see all they bear (means over transcripts), each with its interval."""

    policy: NamedPolicy
    cost: float
    against_default: Paired
    against_identity: Paired
    evidence: float | None
    evidence_interval: Interval | None
    all_visible: float | None


@dataclass(frozen=True)
class HeldOut:
    """A choice on transcripts that had no part in it, beside the default on the same.

    cost, identity: the choice against the default, and against identity. evidence, default_evidence: means over
    transcripts.
    difference: of evidence, choice less default, with its interval. not_worse: whether evidence is less by no more
    than the share that may be lost, by the interval; `None` where there is none. default_costs: by how much the
    default is dearer (0.2 is a fifth).
    """

    cost: Paired
    identity: Paired
    evidence: float | None
    evidence_interval: Interval | None
    default_evidence: float | None
    difference: float | None
    difference_interval: Interval | None
    not_worse: bool | None
    cost_not_worse: bool | None
    default_costs: float | None


@dataclass(frozen=True)
class Verdict:
    """recommended: chosen on the whole corpus. reaches: whether it has the evidence asked for there. held_out: of the
    choice at the evidence asked for; at_default: of the choice at the default's own evidence; `None` where there are
    too few clusters to hold any out."""

    trial: Trial
    front: list[Point]
    recommended: NamedPolicy
    recommended_at: int
    reaches: bool
    evidence: Floats
    at_default_setting: NamedPolicy
    held_out: HeldOut | None
    at_default: HeldOut | None


def judge(trial: Trial) -> Verdict:
    """All that a trial says."""
    everyone = np.ones(len(trial.clusters), bool)
    evidence = mean_share(trial.figures.visible, trial.borne, everyone)
    total = trial.cost.sum(axis=1)
    floor = 1 - trial.settings.evidence
    best = choose(total, evidence, floor)
    alike = choose(total, evidence, float(evidence[0]))
    points = front(total, evidence)
    folds = min(trial.settings.folds, len(set(trial.clusters)))
    held = [_held_out(trial, folds, asked) if folds > 1 else None for asked in (floor, None)]
    return Verdict(
        trial, _points(trial, points), trial.policies[best], best, bool(evidence[best] >= floor - 1e-12), evidence,
        trial.policies[alike], held[0], held[1],
    )  # fmt: skip


def _identity(trial: Trial) -> Floats:
    whole = trial.identity.usd if trial.settings.metric == "money" else trial.identity.tokens
    return np.asarray(whole[0], np.float64)


def _points(trial: Trial, at: list[int]) -> list[Point]:
    cost = trial.cost[at]
    default = compare_all(cost, trial.cost[0], trial.clusters)
    identity = compare_all(cost, _identity(trial), trial.clusters)
    shares = _shares(trial, trial.figures.visible[at], trial.borne)
    whole = _shares(trial, trial.figures.whole[at], trial.bearing)
    return [
        Point(trial.policies[n], float(cost[k].sum()), default[k], identity[k], *shares[k], whole[k][0])
        for k, n in enumerate(at)
    ]


def _shares(trial: Trial, part: Floats, of: Floats) -> list[tuple[float | None, Interval | None]]:
    """Means over the transcripts that have any, of part / of, with intervals."""
    some = of > 0
    return means_with_intervals(
        part[:, some] / of[some], [c for c, s in zip(trial.clusters, some, strict=True) if s], untouched=1
    )


def _held_out(trial: Trial, folds: int, floor: float | None) -> HeldOut:
    fold = folds_of(trial.clusters, folds)
    chosen = cross_fitted(trial.cost, trial.figures.visible, trial.borne, fold, floor, 0)
    visible = picked(trial.figures.visible, chosen)
    cost = picked(trial.cost, chosen)
    against = compare(cost, trial.cost[0], trial.clusters)
    default = trial.figures.visible[0]
    (evidence, interval), (before, _), (difference, between) = _shares(
        trial, np.stack([visible, default, visible - default]), trial.borne
    )
    return HeldOut(
        cost=against,
        identity=compare(cost, _identity(trial), trial.clusters),
        evidence=evidence,
        evidence_interval=interval,
        default_evidence=before,
        difference=difference,
        difference_interval=between,
        not_worse=None if between is None else between[0] > -trial.settings.evidence,
        cost_not_worse=not_worse(against, 0.0),
        default_costs=1 / against.ratio - 1 if against.ratio else None,
    )


def record(verdict: Verdict) -> dict[str, Any]:
    """For a program; every figure here is measured."""
    trial = verdict.trial
    return {
        "kind": "measured",
        "metric": trial.settings.metric,
        "policy": trial.policy.label,
        "vary": [vars(v) for v in trial.vary],
        "evidence_asked": 1 - trial.settings.evidence,
        "tried": len(trial.policies) - 1,
        "searched": trial.searched,
        "transcripts": len(trial.ids),
        "clusters": len(set(trial.clusters)),
        "fewest_clusters": ENOUGH,
        "transcripts_with_evidence": int((trial.borne > 0).sum()),
        "clipped": dict(zip(("results", "of_results", "bytes", "of_bytes"), trial.clipped, strict=True)),
        "recommended": {
            "policy": verdict.recommended.label,
            "reaches": verdict.reaches,
            "evidence": float(verdict.evidence[verdict.recommended_at]),
            "default_evidence": float(verdict.evidence[0]),
        },
        "at_default_evidence": verdict.at_default_setting.label,
        "held_out": _held(verdict.held_out),
        "held_out_at_default_evidence": _held(verdict.at_default),
        "front": [_point(p) for p in verdict.front],
    }


def _held(found: HeldOut | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return vars(found) | {"cost": found.cost.to_record(), "identity": found.identity.to_record()}


def _point(point: Point) -> dict[str, Any]:
    return vars(point) | {
        "policy": point.policy.label,
        "against_default": point.against_default.to_record(),
        "against_identity": point.against_identity.to_record(),
    }
