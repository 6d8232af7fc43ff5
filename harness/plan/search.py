"""The fewest tasks with which a comparison shows what is wanted as often as wanted.

The power is simulated where it is asked for; between two sizes it is taken to run straight on the scale of a normal
quantile against the square root of the tasks, as a test's does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from harness.plan.assumptions import Assumptions
from harness.plan.settings import PlanSettings
from harness.plan.simulate import power
from harness.statistics.resampling import ENOUGH

FIRST = 100
STEPS = 12
NEAR = 0.01
"""Of the tasks: nearer than this, two sizes are one for a simulation."""


def search(settings: PlanSettings, assumed: Assumptions, repetitions: int) -> Iterator[dict[str, float]]:
    """The sizes that were tried, with their power, the smallest that has enough last; where none has, the largest."""
    tried: dict[int, float] = {}

    def asked(tasks: int) -> float:
        if tasks not in tried:
            tried[tasks] = power(settings, assumed, tasks, repetitions, settings.draws)
        return tried[tasks]

    found = _smallest(asked, settings.power, settings.most)
    for tasks in (*sorted(size for size in tried if size != found), found):
        yield {
            "repetitions": repetitions,
            "tasks": tasks,
            "power": tried[tasks],
            "error": _error(tried[tasks], settings.draws),
        }


def _smallest(asked: Callable[[int], float], wanted: float, most: int) -> int:
    """By bisection between a size that has too little power and one that has enough, each new one where a straight line
    would have it."""
    low, high = ENOUGH, min(FIRST, most)
    if asked(low) >= wanted:
        return low
    while asked(high) < wanted:
        if high == most:
            return most
        low, high = high, min(most, 2 * high)
    for _ in range(STEPS):
        if high - low <= max(1, NEAR * high):
            break
        middle = _between(low, asked(low), high, asked(high), wanted)
        if asked(middle) >= wanted:
            high = middle
        else:
            low = middle
    return high


def _between(low: int, weak: float, high: int, strong: float, wanted: float) -> int:
    from scipy.special import ndtri

    a, b, at = (float(ndtri(min(max(p, 1e-3), 1 - 1e-3))) for p in (weak, strong, wanted))
    share = min(max((at - a) / (b - a), 0.1), 0.9) if b > a else 0.5
    root = math.sqrt(low) + share * (math.sqrt(high) - math.sqrt(low))
    return min(max(math.ceil(root**2), low + 1), high - 1)


def _error(power: float, draws: int) -> float:
    """The standard error of a simulated power."""
    return math.sqrt(power * (1 - power) / draws)
