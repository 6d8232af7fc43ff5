"""Dose and response, where an arm is a budget: each dose against the first arm, and the slope over the doses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from harness.arms.compare import Arms
from harness.statistics.bootstrap import mean_intervals
from harness.statistics.resampling import ENOUGH
from harness.statistics.significance import sign_flip

METRICS = ("passed", "requests", "input_tokens", "usd")


def doses(arms: Arms, dose: Mapping[str, float]) -> list[dict[str, Any]]:
    """A row an arm with a dose, the smallest first: what it passed and cost, and against the first arm."""
    known = sorted((name for name in arms.names if name in dose), key=lambda name: dose[name])
    rows = []
    for name in known:
        own: dict[str, Any] = {"arm": name, "dose": dose[name] if math.isfinite(dose[name]) else None}
        own["passed"] = arms.rate(name)
        found = arms.row(arms.outcomes, name, "passed")
        own |= {key: found.get(key) for key in ("difference", "low", "high", "verdict")}
        for metric in METRICS[1:]:
            cost = arms.row(arms.costs, name, metric)
            own |= {metric: arms.mean(name, metric), f"{metric}_ratio": cost.get("ratio")}
        rows.append(own)
    return rows


def slopes(arms: Arms, dose: Mapping[str, float]) -> list[dict[str, Any]]:
    """A row a metric: its change per doubling of the dose, by least squares within each task that every arm with a
    finite dose has, averaged over tasks, with its interval; as a ratio but for the share passed."""
    finite = [name for name in arms.names if math.isfinite(dose.get(name, math.inf))]
    if len({dose[name] for name in finite}) < 3:
        return []
    x = np.log2([dose[name] for name in finite])
    x = (x - x.mean()) / float(((x - x.mean()) ** 2).sum())
    rows = []
    for metric in (metric for metric in METRICS if arms.has(metric)):
        known = (arms.outcome(metric) if metric == "passed" else arms.means[metric])[finite].dropna()
        whole = known.to_numpy(np.float64)
        if metric != "passed":
            whole = np.log(whole[(whole > 0).all(axis=1)])
        if not len(whole):
            continue
        own = whole @ x
        ends = mean_intervals(own[None, :])[0].tolist() if len(own) >= ENOUGH else [None, None]
        values = [float(own.mean()), *ends]
        if metric != "passed":
            values = [None if value is None else math.exp(value) for value in values]
        p = sign_flip(own) if len(own) >= ENOUGH else None
        rows.append(
            dict(zip(("slope", "low", "high"), values, strict=True)) | {"metric": metric, "tasks": len(own), "p": p}
        )
    return rows
