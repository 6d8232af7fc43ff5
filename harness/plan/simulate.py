"""Comparisons drawn, and judged by the test that `harness arms` makes: its interval and its sign flips, over tasks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from harness.arms.compare import BOUND
from harness.plan.assumptions import Assumptions
from harness.plan.settings import PlanSettings
from harness.statistics.bootstrap import mean_intervals
from harness.statistics.clusters import Floats
from harness.statistics.significance import SEED, at_least, sign_flips

ROUNDING = 1e-9
CELLS = 2**21
"""Differences that are judged at once."""


def changes(assumed: Assumptions, tasks: int, repetitions: int, draws: int) -> Floats:
    """Per drawn comparison and task the share passed in the second arm less that in the first: (draws, tasks)."""
    from scipy.special import ndtr, ndtri

    rng = np.random.default_rng([SEED, tasks, repetitions])
    hard = math.sqrt(assumed.alike) * rng.standard_normal((draws, tasks))
    own = math.sqrt(1 - assumed.alike)
    first, second = (ndtr((ndtri(p) + hard) / own) for p in (assumed.passed, assumed.passed + assumed.effect))
    return np.asarray((rng.binomial(repetitions, second) - rng.binomial(repetitions, first)) / repetitions, np.float64)


def power(settings: PlanSettings, assumed: Assumptions, tasks: int, repetitions: int, draws: int) -> float:
    """How often a comparison of so many tasks shows what is wanted."""
    drawn = changes(assumed, tasks, repetitions, draws)
    batch = max(1, CELLS // tasks)
    shown = [judged(settings, assumed.effect, drawn[at : at + batch]) for at in range(0, draws, batch)]
    return float(np.concatenate(shown).mean())


def judged(settings: PlanSettings, effect: float, drawn: Floats) -> NDArray[np.bool_]:
    """Of each comparison, (draws, tasks), whether it shows what is wanted."""
    low, high = mean_intervals(drawn).T
    same = ~drawn.any(axis=1)  # no task differs: the interval is nothing but 0
    low, high = np.where(same, 0.0, low), np.where(same, 0.0, high)
    if settings.want == "not-worse":
        return np.array([at_least((a, b), -settings.margin) == "met" for a, b in zip(low, high, strict=True)])
    if settings.want == "precision":
        return np.asarray((high - low) / 2 <= settings.margin + ROUNDING)
    shown = np.array(sign_flips(drawn)) * settings.arms < BOUND
    return np.asarray(shown & (low > 0 if effect > 0 else high < 0))
