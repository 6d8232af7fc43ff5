"""Two engines on the same turns: which of them is right more often.

McNemar's exact test over the turns on which they differ (statsmodels), and the difference of the shares with a
percentile bootstrap over tasks, since turns of one task belong together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.statistics.paired import mean_with_interval
from harness.statistics.significance import detectable_z


@dataclass(frozen=True)
class Shares:
    """How often two mark the same turns. first, second: turns that only this one marks. difference: share of the first
    less that of the second, with its 95 % interval, which is None under 8 tasks. p: two-sided, exact. detectable: the
    smallest difference that as many turns and as many tasks find with 80 % power at the 5 % level, None where they
    never differ."""

    turns: int
    tasks: int
    both: int
    first: int
    second: int
    neither: int
    difference: float
    interval: tuple[float, float] | None
    p: float
    detectable: float | None

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


class Pairs(NamedTuple):
    """How many are marked by both, only the first, only the second, neither; p: McNemar's, two-sided, exact."""

    both: int
    first: int
    second: int
    neither: int
    p: float


def pairs_of(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Pairs:
    """Two marks on the same units, each unit independent."""
    from statsmodels.stats.contingency_tables import mcnemar

    both, one, other, neither = (
        int(found.sum()) for found in (first & second, first & ~second, ~first & second, ~first & ~second)
    )
    found: Any = mcnemar([[both, one], [other, neither]], exact=True)
    return Pairs(both, one, other, neither, float(found.pvalue))


def compare_shares(first: NDArray[np.bool_], second: NDArray[np.bool_], tasks: Sequence[str]) -> Shares | None:
    """first, second: whether each marks the turn, in the same order; tasks: of each turn. None without turns."""
    if not len(first):
        return None
    found = pairs_of(first, second)
    differences = first.astype(np.float64) - second.astype(np.float64)
    difference, interval = mean_with_interval(differences, tasks)
    assert difference is not None
    return Shares(
        len(first),
        len(set(tasks)),
        found.both,
        found.first,
        found.second,
        found.neither,
        difference,
        interval,
        found.p,
        _detectable(differences, tasks),
    )


def _detectable(differences: NDArray[np.float64], tasks: Sequence[str]) -> float | None:
    """(z for the level + z for the power) × the cluster-robust standard error of the mean difference."""
    names, member = np.unique(np.asarray(tasks, object).astype(str), return_inverse=True)
    groups = len(names)
    if groups < 2 or not differences.any():
        return None
    sums = np.bincount(member, weights=differences - differences.mean(), minlength=groups)
    error = math.sqrt(float((sums**2).sum()) * groups / (groups - 1)) / len(differences)
    return error * detectable_z() or None
