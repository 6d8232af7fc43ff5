"""Two engines on the same turns: which of them is right more often.

McNemar's exact test over the turns on which they differ (statsmodels), and the difference of the shares with a
percentile bootstrap over tasks, since turns of one task belong together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from harness.statistics.paired import mean_with_interval
from harness.statistics.significance import LEVEL, POWER


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


def compare_shares(first: NDArray[np.bool_], second: NDArray[np.bool_], tasks: Sequence[str]) -> Shares | None:
    """first, second: whether each marks the turn, in the same order; tasks: of each turn. None without turns."""
    if not len(first):
        return None
    table = [[int((first & second).sum()), int((first & ~second).sum())]]
    table.append([int((~first & second).sum()), int((~first & ~second).sum())])
    found: Any = mcnemar(table, exact=True)
    differences = first.astype(np.float64) - second.astype(np.float64)
    difference, interval = mean_with_interval(differences, tasks)
    assert difference is not None
    return Shares(
        len(first),
        len(set(tasks)),
        table[0][0],
        table[0][1],
        table[1][0],
        table[1][1],
        difference,
        interval,
        float(found.pvalue),
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
    found = error * float(stats.norm.ppf(0.5 + LEVEL / 2) + stats.norm.ppf(POWER))
    return found or None
