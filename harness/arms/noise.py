"""How much runs of the same task in the same arm differ, and what could be seen through it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from harness.arms.compare import Arms
from harness.arms.rows import COSTS
from harness.statistics.significance import detectable_z

WANTED = 0.10
"""The change for which the runs that it would take are given."""


def noise(arms: Arms) -> list[dict[str, Any]]:
    """A row a cost: the spread of runs within tasks and arms (sd of logs, as a share), the least change that
    repetitions alone would show, and the runs an arm that 10 % would take in one task."""
    return [row for metric in COSTS if arms.has(metric, arms.baseline) for row in _noise(arms, metric)]


def _noise(arms: Arms, metric: str) -> list[dict[str, Any]]:
    known = arms.runs[arms.runs[metric] > 0]
    logs = pd.Series(np.log(known[metric].to_numpy(np.float64)), known.index)
    grouped = logs.groupby([known["task"].astype(str), known["arm"].astype(str)])
    sizes = grouped.count().unstack(fill_value=0)
    free = int((sizes - 1).clip(lower=0).to_numpy().sum())
    if free < 1:
        return []
    within = float((grouped.var(ddof=1).fillna(0) * (grouped.count() - 1)).sum())
    spread = math.sqrt(within / free)
    rows = []
    for arm in arms.others:
        both = sizes[(sizes[arm] > 0) & (sizes[arms.baseline] > 0)]
        if not len(both) or not spread:
            continue
        variance = float((1 / both[arm] + 1 / both[arms.baseline]).sum()) / len(both) ** 2
        rows.append(
            {
                "metric": metric,
                "arm": arm,
                "tasks": len(both),
                "spread": math.expm1(spread),
                "detectable": math.expm1(detectable_z() * spread * math.sqrt(variance)),
                "runs_needed": math.ceil(2 * (detectable_z() * spread / math.log1p(WANTED)) ** 2),
            }
        )
    return rows
