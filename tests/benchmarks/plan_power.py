"""The power that `harness plan` says, against a simulation that shares no code with it: runs drawn one by one, written
into a table as people have them, and compared as `harness arms` compares.

    python -m tests.benchmarks.plan_power 1000
"""

from __future__ import annotations

import math
import random
import sys
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from harness.arms.compare import Arms
from harness.plan.assumptions import Assumptions
from harness.plan.settings import PlanSettings
from harness.plan.simulate import power
from tests.arms.made import made

CELLS = ((0.4, 0.10, 0.5, 150, 1), (0.4, 0.10, 0.5, 100, 3), (0.5, 0.20, 0.2, 60, 1), (0.8, 0.05, 0.8, 300, 2))
"""Pass rate, effect, likeness, tasks, repetitions."""
Passes = NDArray[np.bool_]


def drawn_runs(
    seed: int, tasks: int, repetitions: int, passed: float, effect: float, alike: float
) -> tuple[Passes, Passes]:
    """Who passes in two arms, (tasks, repetitions) each."""
    draw = random.Random(seed)
    bars = [NormalDist().inv_cdf(1 - p) for p in (passed, passed + effect)]
    found = np.zeros((2, tasks, repetitions), bool)
    for task in range(tasks):
        hard = draw.gauss(0, 1)
        for arm in (0, 1):
            for n in range(repetitions):
                under = math.sqrt(alike) * hard + math.sqrt(1 - alike) * draw.gauss(0, 1)
                found[arm, task, n] = under > bars[arm]
    return found[0], found[1]


def arms_of_runs(first: Passes, second: Passes, margin: float = 0.05) -> Arms:
    rows = {
        name: [{"task": f"t{task:05}", "passed": bool(one)} for task, own in enumerate(passes) for one in own]
        for name, passes in (("a", first), ("b", second))
    }
    return made(rows, margin=margin)


def brute(cell: tuple[float, float, float, int, int], draws: int) -> float:
    """How often two arms drawn anew come out as `higher`."""
    passed, effect, alike, tasks, repetitions = cell
    shown = 0
    for seed in range(draws):
        (row,) = arms_of_runs(*drawn_runs(seed, tasks, repetitions, passed, effect, alike)).outcomes
        shown += row["verdict"] == "higher"
    return shown / draws


if __name__ == "__main__":
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print("| passed | effect | alike | tasks | runs each | plan | brute | apart |\n| --- " + "| --- " * 7 + "|")
    for cell in CELLS:
        passed, effect, alike, tasks, repetitions = cell
        assumed = Assumptions(passed, effect, alike, None, None, {})
        said = power(PlanSettings(effect=effect), assumed, tasks, repetitions, 4000)
        found = brute(cell, draws)
        row = (passed, effect, alike, tasks, repetitions, f"{said:.3f}", f"{found:.3f}", f"{100 * (said - found):+.1f}")
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
