"""Paired comparison of what policies cost on the same transcripts: the bill, and the typical cluster.

The unit is the paired difference, the independent unit the cluster. Two questions, two answers, never mixed: *the
bill*, the ratio of totals, says what the whole corpus would have cost; *typical*, from the mean over clusters of the
cluster's mean log ratio, what one may expect of the next one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.statistics.clusters import Clusters, Floats
from harness.statistics.estimate import Estimate, pooled, typical
from harness.statistics.resampling import ENOUGH
from harness.statistics.significance import Interval

__all__ = ["Interval", "Paired", "compare", "compare_all", "mean_with_interval", "means_with_intervals", "not_worse"]


@dataclass(frozen=True)
class Paired:
    """One comparison: n transcripts, the totals of both sides, and the ratio of one to the other under both weightings:
    of the totals (`bill`), and of a typical cluster (`usual`)."""

    n: int
    total: float
    reference: float
    bill: Estimate
    usual: Estimate

    @property
    def clusters(self) -> int:
        return self.bill.clusters

    @property
    def ratio(self) -> float | None:
        """Of the totals."""
        return self.bill.value

    @property
    def interval(self) -> Interval | None:
        """Of the ratio of the totals."""
        return self.bill.interval

    @property
    def typical(self) -> float | None:
        return self.usual.value

    @property
    def typical_interval(self) -> Interval | None:
        return self.usual.interval

    @property
    def p(self) -> float | None:
        """Of no change of the totals, by sign flips over clusters."""
        return self.bill.p

    @property
    def detectable(self) -> float | None:
        """The least detectable change of the totals, as a share of the reference."""
        return self.bill.detectable()

    @property
    def exact(self) -> bool:
        return self.bill.exact

    @property
    def why(self) -> str:
        """Why there is no interval of the totals."""
        return self.bill.why

    def to_record(self) -> dict[str, Any]:
        """Flat, the bill's figures without a prefix."""
        own = {"n": self.n, "total": self.total, "reference": self.reference, "ratio": self.ratio}
        bill = {k: v for k, v in self.bill.to_record().items() if k not in ("weighting", "value")}
        usual = {"typical": self.typical, "typical_interval": self.typical_interval, "typical_why": self.usual.why}
        return own | bill | usual | {"detectable": self.detectable}


def compare(values: Sequence[float] | Floats, reference: Sequence[float] | Floats, clusters: Sequence[str]) -> Paired:
    """Compare paired values, (n,) each, with the cluster of every pair; see `compare_all`."""
    return compare_all(np.asarray(values, np.float64)[None, :], reference, clusters)[0]


def compare_all(values: Floats, reference: Sequence[float] | Floats, clusters: Sequence[str]) -> list[Paired]:
    """Compare every row of `values`, (policies, n), with `reference`, (n,)."""
    b = np.asarray(reference, np.float64)
    bills = pooled(values - b, b, clusters, base=1.0)
    ratios = _typical(values, b, clusters)
    return [
        Paired(len(b), float(a.sum()), float(b.sum()), bill, ratio)
        for a, bill, ratio in zip(values, bills, ratios, strict=True)
    ]


def _typical(values: Floats, b: Floats, clusters: Sequence[str]) -> list[Estimate]:
    """Rows that have the same pairs are estimated together."""
    both = (values > 0) & (b > 0)
    found: dict[int, Estimate] = {}
    for kept in np.unique(both, axis=0):
        rows = np.flatnonzero((both == kept).all(axis=1))
        own = [cluster for cluster, one in zip(clusters, kept.tolist(), strict=True) if one]
        logs = np.log(values[rows][:, kept] / b[kept])
        found |= zip(rows.tolist(), (e.through(math.exp) for e in typical(logs, own)), strict=True)
    return [found[n] for n in range(len(values))]


def not_worse(found: Paired, margin: float) -> bool | None:
    """Non-inferiority: whether the interval of the ratio ends below 1 + margin. `None` where there is no interval."""
    return None if found.interval is None else found.interval[1] < 1 + margin


def means_with_intervals(
    values: Floats, clusters: Sequence[str], untouched: float | None = 0.0
) -> list[tuple[float | None, Interval | None]]:
    """Per row of `values`, (k, n), the mean over transcripts, such as of a share, and its interval by clusters.

    untouched: what a policy has that changes nothing (0 for a difference, 1 for a share that is visible), which is
    exact however few clusters there are; None for what has no such value.
    """
    if not values.shape[1]:
        return [(None, None)] * len(values)
    # A share of 1 and a difference of 0 are what nothing changed has; what differs from it is counted.
    base = 1.0 if untouched is None else untouched
    found = pooled(values - base, np.ones(values.shape[1]), clusters, base)
    few = untouched is None and Clusters.of(clusters).count < ENOUGH
    return [(one.value, None if few else one.interval) for one in found]


def mean_with_interval(
    values: Sequence[float] | Floats, clusters: Sequence[str], untouched: float | None = 0.0
) -> tuple[float | None, Interval | None]:
    """The mean of per-transcript values, (n,), with its interval; see `means_with_intervals`."""
    return means_with_intervals(np.asarray(values, np.float64)[None, :], clusters, untouched)[0]
