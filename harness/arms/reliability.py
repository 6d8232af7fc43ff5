"""How reliably an arm passes a task: pass^k, all of k runs, and pass@k, at least one of k.

Unbiased from n runs with c passes: C(c, k) / C(n, k), and 1 - C(n - c, k) / C(n, k) (Chen et al., arXiv:2107.03374; Yao
et al., arXiv:2406.12045). Over the tasks of which both arms have k runs or more, k at most the smallest number of runs.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pandas as pd

from harness.arms.compare import Arms
from harness.statistics.bootstrap import mean_intervals
from harness.statistics.resampling import ENOUGH


def reliability(arms: Arms) -> list[dict[str, Any]]:
    """A row an arm and k; none where no task has two runs."""
    known = arms.runs[arms.runs["passed"].notna()]
    if known.empty or not arms.has("passed"):
        return []
    grouped = known.assign(passed=known["passed"].astype(int)).groupby(["task", "arm"], observed=False)["passed"]
    runs, passes = grouped.count().unstack("arm"), grouped.sum().unstack("arm")
    shared = runs[(runs > 0).all(axis=1)]
    most = int(shared.to_numpy().min()) if len(shared) else 0
    if most < 2:
        return []
    kept = {arm: (runs.loc[shared.index, arm], passes.loc[shared.index, arm]) for arm in arms.names}
    return [_row(arm, k, *kept[arm]) for arm in arms.names for k in range(1, most + 1)]


def _row(arm: str, k: int, runs: pd.Series[int], passes: pd.Series[int]) -> dict[str, Any]:
    pairs = [(int(n), int(c)) for n, c in zip(runs, passes, strict=True)]
    always = np.array([pass_hat(n, c, k) for n, c in pairs])
    once = np.array([pass_at(n, c, k) for n, c in pairs])
    found: dict[str, Any] = {"arm": arm, "k": k, "tasks": len(pairs), "runs": int(runs.sum())}
    for name, values in (("all", always), ("any", once)):
        ends = map(float, mean_intervals(values[None, :])[0]) if len(values) >= ENOUGH else (None, None)
        found |= zip((name, f"{name}_low", f"{name}_high"), (float(values.mean()), *ends), strict=True)
    return found


def pass_hat(n: int, c: int, k: int) -> float:
    """The chance that k of n runs, c of which passed, all passed."""
    return comb(c, k) / comb(n, k)


def pass_at(n: int, c: int, k: int) -> float:
    """The chance that one of them at least did."""
    return 1 - comb(n - c, k) / comb(n, k)
