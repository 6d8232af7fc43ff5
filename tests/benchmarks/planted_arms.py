"""Arms with a known truth, drawn again and again: how often each interval holds it, and how often each verdict errs.

Tasks lie in repositories of unequal size, as in SWE-bench Verified, and pass in both arms the more likely the easier
they are. Costs are lognormal. All draws of a cell are judged at once by the functions that `harness arms` calls, with
its rule for a verdict; `tests/arms/test_planted.py` holds this against `harness arms` itself, draw by draw.

    python -m tests.benchmarks.planted_arms 2000
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from harness.arms.compare import BOUND
from harness.statistics.bootstrap import clustered_intervals, mean_intervals
from harness.statistics.clusters import Floats
from harness.statistics.significance import sign_flips

SHARES = np.array([231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1]) / 500
"""Of the repositories of SWE-bench Verified."""
MARGIN = 0.05
RATIO = 1.2
SPREAD = 0.5
"""Standard deviation of the logarithm of a run's cost within a task."""
SEED = 7
BATCH = 250
"""Draws that are judged at once."""


@dataclass(frozen=True)
class Cell:
    """first, second: pass rates. by_repository: about the standard deviation of the effect between
    repositories."""

    name: str
    tasks: int
    repetitions: int
    first: float
    second: float
    by_repository: float = 0.0

    @property
    def truth(self) -> float:
        return self.second - self.first


CELLS = (
    Cell("no effect", 100, 1, 0.4, 0.4),
    Cell("no effect, few tasks", 25, 1, 0.4, 0.4),
    Cell("no effect, 4 runs a task", 50, 4, 0.4, 0.4),
    Cell("ten points better", 200, 1, 0.4, 0.5),
    Cell("as bad as the margin", 500, 1, 0.45, 0.4),
    Cell("nearly all pass", 100, 1, 0.97, 0.97),
    Cell("differs by repository", 200, 1, 0.4, 0.4, 0.1),
)


@dataclass(frozen=True)
class Drawn:
    """repositories: of each task. first, second: runs passed, (draws, tasks). costs: logarithm of the second's mean
    cost less that of the first's, (draws, tasks)."""

    repositories: list[str]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    costs: Floats


def drawn(cell: Cell, draws: int) -> Drawn:
    """The repositories of the tasks are the same in all draws; tasks are in the order of their names."""
    rng = np.random.default_rng(SEED)
    where = np.sort(rng.choice(len(SHARES), cell.tasks, p=SHARES))
    shape = (draws, cell.tasks)
    easy = rng.beta(4 * cell.first, 4 * (1 - cell.first), shape)
    if cell.second <= cell.first:
        other = easy * cell.second / cell.first
    else:
        other = 1 - (1 - easy) * (1 - cell.second) / (1 - cell.first)
    shift = 5 * cell.by_repository * rng.standard_normal((draws, len(SHARES)))[:, where] * other * (1 - other)
    first = rng.binomial(cell.repetitions, easy)
    second = rng.binomial(cell.repetitions, np.clip(other + shift, 0, 1))
    runs = np.exp(SPREAD * rng.standard_normal((2, cell.repetitions, *shape))).mean(axis=1)
    return Drawn([f"r{n:02}" for n in where], first, second, np.log(RATIO * runs[1] / runs[0]))


def held(cell: Cell, draws: int) -> dict[str, float]:
    """Shares of the draws in which an interval holds the truth, and in which each verdict is given."""
    found = drawn(cell, draws)
    parts = [judged(cell, found, slice(at, at + BATCH)) for at in range(0, draws, BATCH)]
    return {key: float(np.concatenate([part[key] for part in parts]).mean()) for key in parts[0]}


def judged(cell: Cell, found: Drawn, which: slice) -> dict[str, NDArray[np.bool_]]:
    """Of each of these draws, what holds."""
    changes = (found.second[which] - found.first[which]) / cell.repetitions
    low, high = mean_intervals(changes).T
    own = clustered_intervals(changes, found.repositories).T
    costs = mean_intervals(found.costs[which]).T
    shown = np.array(sign_flips(changes)) < BOUND
    higher, lower = shown & (low > 0), shown & (high < 0)
    within = (low >= -MARGIN) & (high <= MARGIN)
    gained, lost = (changes > 0).sum(axis=1), (changes < 0).sum(axis=1)
    p = np.minimum(2 * binom.cdf(np.minimum(gained, lost), gained + lost, 0.5), 1)
    return {
        "covers": (low <= cell.truth) & (cell.truth <= high),
        "clustered": (own[0] <= cell.truth) & (cell.truth <= own[1]),
        "higher": higher,
        "lower": lower,
        "equal": within & ~higher & ~lower,
        "not worse": low >= -MARGIN,
        "mcnemar": p < BOUND,
        "cost": (costs[0] <= np.log(RATIO)) & (np.log(RATIO) <= costs[1]),
    }


HEAD = (
    "| planted | tasks x runs | truth | interval holds it | over repositories | *higher* | *lower* | *equal* | "
    "*not worse* | McNemar under .05 | interval of the costs' ratio holds it |\n" + "| --- " * 11 + "|"
)


def line(cell: Cell, found: dict[str, float]) -> str:
    """A row of the table in docs/arms.md."""
    shown = [f"{share:.3f}"[1:] if share < 1 else "1" for share in found.values()]
    if cell.repetitions > 1:
        shown[list(found).index("mcnemar")] = "-"
    name = f"| {cell.name} | {cell.tasks} x {cell.repetitions} | {cell.truth:+.2f} | "
    return name + " | ".join(shown) + " |"


if __name__ == "__main__":
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print(HEAD)
    for cell in CELLS:
        print(line(cell, held(cell, draws)), flush=True)
