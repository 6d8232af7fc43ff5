"""Arms against the first of them, paired by task.

Runs of a task are averaged, so that every task weighs one, as in a fixed benchmark and in what is published. Of
outcomes a planned run that is missing counts as failed; of costs only what both arms have is compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd

from harness.arms.rows import COSTS
from harness.statistics.bootstrap import clustered_intervals, mean_intervals, ratio_intervals
from harness.statistics.clusters import Clusters, Floats, effective
from harness.statistics.resampling import ENOUGH
from harness.statistics.significance import Met, at_least, corrected, detectable_z, level_z, sign_flip

Verdict = Literal["higher", "lower", "equal within the margin", "not shown", "not identified"]

OUTCOMES = ("passed", "score")
ENDS = ("low", "high", "clustered_low", "clustered_high")
BOUND = 0.05
"""p under which a difference is called shown, after Holm over the arms."""


@dataclass(frozen=True)
class Plan:
    """What was to be run in every arm. tasks: how many; 0 where nobody said, so that only what is there is compared.
    repetitions: of each, 0 for those there are."""

    tasks: int = 0
    repetitions: int = 0


class Arms:
    """Runs, one a row, with the columns of `RUNS`; the first arm is the one compared with."""

    def __init__(self, runs: pd.DataFrame, plan: Plan = Plan(), margin: float = 0.05) -> None:
        self.runs = runs
        self.plan = plan
        self.margin = margin
        self.names = [str(name) for name in runs["arm"].cat.categories]
        self.tasks = sorted(map(str, runs["task"].unique()))

    @property
    def baseline(self) -> str:
        return self.names[0]

    @property
    def others(self) -> list[str]:
        return self.names[1:]

    @property
    def planned(self) -> int:
        """Tasks that every arm was to run, as far as that is known."""
        return max(self.plan.tasks, len(self.tasks))

    @property
    def is_planned(self) -> bool:
        """Whether a run that is missing was planned, so that it counts as failed."""
        return bool(self.plan.tasks or self.plan.repetitions)

    @cached_property
    def clusters(self) -> dict[str, str]:
        """Task to repository."""
        known = self.runs.drop_duplicates("task")
        return dict(zip(known["task"].astype(str), known["cluster"].astype(str), strict=True))

    def of(self, arm: str) -> pd.DataFrame:
        return self.runs[self.runs["arm"] == arm]

    def has(self, metric: str, *arms: str) -> bool:
        """Whether each of these arms knows it of some run; without any, whether all do."""
        return all(self.of(arm)[metric].notna().any() for arm in arms or self.names)

    @cached_property
    def means(self) -> dict[str, pd.DataFrame]:
        """By metric: tasks as rows, arms as columns, the mean over runs; NaN where an arm has none."""
        grouped = self.runs.groupby(["task", "arm"], observed=False)
        return {
            metric: grouped[metric].mean().unstack("arm").astype("float64").reindex(self.tasks)
            for metric in (*OUTCOMES, *COSTS)
        }

    @cached_property
    def counts(self) -> pd.DataFrame:
        """Runs: tasks as rows, arms as columns."""
        found = self.runs.groupby(["task", "arm"], observed=False).size().unstack("arm")
        return found.reindex(self.tasks, fill_value=0)

    def missing(self, arm: str) -> int:
        """Runs that the arm does not have of the tasks that were planned, or that any arm has."""
        each = max(self.plan.repetitions, 1)
        there = np.minimum(self.counts[arm], each).sum()
        return int(self.planned * each - there)

    def outcome(self, metric: str) -> pd.DataFrame:
        """The same as `means`, planned runs that are missing counted as failed; NaN where outcomes are unknown, and
        where nothing was planned."""
        if not self.is_planned:
            return self.means[metric]
        means, counts = self.means[metric], self.counts
        each = counts.clip(lower=max(self.plan.repetitions, 1))
        found: pd.DataFrame = (means * counts / each).where(counts > 0, 0.0)
        known = self.runs.groupby(["task", "arm"], observed=False)[metric].count().unstack("arm").reindex(self.tasks)
        return found.where((known > 0) | (counts == 0))

    def rate(self, arm: str, metric: str = "passed") -> float | None:
        """Over planned tasks, missing counted as failed; without a plan over those that the arm has."""
        if not self.has(metric, arm):
            return None
        column = self.outcome(metric)[arm].dropna()
        absent = self.planned - len(self.tasks) if self.is_planned else 0
        return float(column.sum()) / (len(column) + absent)

    def mean(self, arm: str, metric: str) -> float | None:
        """Over the tasks that the arm has it of."""
        column = self.means[metric][arm].dropna()
        return float(column.mean()) if len(column) else None

    @cached_property
    def outcomes(self) -> list[dict[str, Any]]:
        """A row an outcome and arm against the first: see `_difference`."""
        found = [
            self._difference(arm, metric)
            for metric in OUTCOMES
            for arm in self.others
            if self.has(metric, self.baseline, arm)
        ]
        for metric in OUTCOMES:
            family = [row for row in found if row["metric"] == metric]
            for row, p in zip(family, corrected([row["p"] for row in family], "holm"), strict=True):
                row["p_holm"] = p
                row["verdict"] = self.verdict(row)
        return found

    @cached_property
    def costs(self) -> list[dict[str, Any]]:
        """A row a cost and arm against the first: see `_cost`."""
        found = [self._cost(arm, metric) for metric in COSTS for arm in self.others]
        kept = [row for row in found if row is not None]
        for row, p in zip(kept, corrected([row["p"] for row in kept], "fdr_bh"), strict=True):
            row["q"] = p
        return kept

    def row(self, rows: Sequence[Mapping[str, Any]], arm: str, metric: str) -> Mapping[str, Any]:
        """The row of an arm and metric, empty where there is none."""
        return next((row for row in rows if row["arm"] == arm and row["metric"] == metric), {})

    def _difference(self, arm: str, metric: str) -> dict[str, Any]:
        """Of an outcome: rates, the difference with its interval over tasks and over clusters, McNemar's test where
        each task has one pair, bounds for missing runs, what a precision of the margin would take."""
        both = self.outcome(metric)[[self.baseline, arm]].dropna()
        absent = self.planned - len(self.tasks) if self.is_planned else 0  # planned, run by nobody: failed in both
        changes = np.append((both[arm] - both[self.baseline]).to_numpy(np.float64), np.zeros(absent))
        found: dict[str, Any] = {
            "metric": metric,
            "arm": arm,
            "against": self.baseline,
            "tasks": len(changes),
            "first": float(both[self.baseline].sum()) / len(changes),
            "second": float(both[arm].sum()) / len(changes),
            "difference": float(changes.mean()),
            **_intervals(changes, [*(self.clusters[task] for task in both.index), *map(str, range(absent))]),
            "missing_first": self.missing(self.baseline),
            "missing_second": self.missing(arm),
        }
        found |= self._bounds(arm, metric, len(changes))
        if metric == "passed":
            found |= self._mcnemar(arm)
        spread = float(changes.std(ddof=1)) if len(changes) > 1 else math.nan
        return found | _reach(spread, len(changes), self.margin)

    def _bounds(self, arm: str, metric: str, tasks: int) -> dict[str, float | None]:
        """The difference if every missing run of one arm had succeeded, and every one of the other had failed; None
        where none is known to be missing."""
        if not self.is_planned or not (self.missing(self.baseline) or self.missing(arm)):
            return {"worst": None, "best": None}
        each = max(self.plan.repetitions, 1)
        lacking = [self.missing(name) / each for name in (self.baseline, arm)]
        top = 1.0 if metric == "passed" else float(self.runs[metric].max())
        value = self.outcome(metric)[[self.baseline, arm]].dropna()
        middle = float((value[arm] - value[self.baseline]).sum())
        return {"worst": (middle - top * lacking[0]) / tasks, "best": (middle + top * lacking[1]) / tasks}

    def _mcnemar(self, arm: str) -> dict[str, Any]:
        """Tasks gained and lost, and McNemar's exact p, where each task has one run in both arms."""
        both = self.counts[[self.baseline, arm]]
        if not both.isin((0, 1)).all(axis=None):
            return {"gained": None, "lost": None, "mcnemar_p": None}
        from harness.statistics.mcnemar import pairs_of

        pairs = self.outcome("passed")[[self.baseline, arm]].dropna()
        found = pairs_of(*((pairs[name] > 0).to_numpy(np.bool_) for name in (self.baseline, arm)))
        return {"gained": found.second, "lost": found.first, "mcnemar_p": found.p}

    def _cost(self, arm: str, metric: str) -> dict[str, Any] | None:
        """Of a cost, over tasks that both arms have it of: means, the difference, the ratio of the sums and that of a
        typical task (the geometric mean of the paired ratios), each with its interval."""
        both = self.means[metric][[self.baseline, arm]].dropna()
        if both.empty:
            return None
        a, b = both[self.baseline].to_numpy(np.float64), both[arm].to_numpy(np.float64)
        clusters = [self.clusters[task] for task in both.index]
        found: dict[str, Any] = {
            "metric": metric,
            "arm": arm,
            "against": self.baseline,
            "tasks": len(a),
            "first": float(a.mean()),
            "second": float(b.mean()),
            "difference": float((b - a).mean()),
            **_intervals(b - a, clusters),
            "ratio": float(b.sum() / a.sum()) if a.sum() else None,
            "ratio_low": None,
            "ratio_high": None,
        }
        if len(a) >= ENOUGH and a.sum():
            found["ratio_low"], found["ratio_high"] = map(float, ratio_intervals(b[None, :], a)[0])
        return found | _typical(a, b, clusters)

    def verdict(self, row: Mapping[str, Any]) -> Verdict:
        """By METHOD's rule: a direction where the corrected test and the interval agree, equality where the interval
        lies within the margin."""
        if row["difference"] is None:
            return "not identified"
        if row["low"] is None:
            return "not shown"
        shown = row["p_holm"] is not None and row["p_holm"] < BOUND
        if shown and row["low"] > 0:
            return "higher"
        if shown and row["high"] < 0:
            return "lower"
        if row["low"] >= -self.margin and row["high"] <= self.margin:
            return "equal within the margin"
        return "not shown"

    def not_worse(self, row: Mapping[str, Any]) -> Met:
        """Non-inferiority at the margin."""
        interval = None if row["low"] is None else (row["low"], row["high"])
        return at_least(interval, -self.margin)


def _intervals(changes: Floats, clusters: Sequence[str]) -> dict[str, Any]:
    """Of a mean difference over tasks: its interval, that over clusters, how many these are, and p by sign flips."""
    groups = Clusters.of(clusters)
    sizes = groups.sums(np.ones(len(changes)))
    found: dict[str, Any] = dict.fromkeys((*ENDS, "p"))
    found |= {"clusters": groups.count, "effective": effective(sizes)}
    if not changes.any() and len(changes):
        return found | dict.fromkeys(ENDS, 0.0) | {"p": 1.0}
    if len(changes) < ENOUGH:
        return found
    found["low"], found["high"] = map(float, mean_intervals(changes[None, :])[0])
    if 2 < groups.count < len(changes):
        found["clustered_low"], found["clustered_high"] = map(float, clustered_intervals(changes[None, :], clusters)[0])
    return found | {"p": sign_flip(changes)}


def _typical(a: Floats, b: Floats, clusters: Sequence[str]) -> dict[str, Any]:
    """The geometric mean of the paired ratios with its intervals, p, and the least change that would be seen."""
    both = (a > 0) & (b > 0)
    logs = np.log(b[both] / a[both])
    own = [cluster for cluster, one in zip(clusters, both.tolist(), strict=True) if one]
    found: dict[str, Any] = {"pairs": len(logs), "typical": math.exp(logs.mean()) if len(logs) else None}
    intervals = (
        _intervals(logs, own) if len(logs) else dict.fromkeys(("low", "high", "clustered_low", "clustered_high", "p"))
    )
    for key in ENDS:
        end = intervals[key]
        found[f"typical_{key}"] = None if end is None else math.exp(end)
    found["p"] = intervals["p"]
    reach = detectable_z() * float(logs.std(ddof=1)) / math.sqrt(len(logs)) if len(logs) > 1 else None
    return found | {"detectable": None if not reach else math.expm1(reach)}


def _reach(spread: float, tasks: int, margin: float) -> dict[str, float | int | None]:
    """The least difference that as many tasks show with 80 % power at the 5 % level, and how many tasks an interval as
    narrow as the margin on both sides would take."""
    if not spread > 0:
        return {"detectable": None, "needed": None}
    half = level_z() * spread
    return {
        "detectable": detectable_z() * spread / math.sqrt(tasks),
        "needed": math.ceil((half / margin) ** 2) if margin else None,
    }
