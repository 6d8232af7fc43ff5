"""Which tool was called instead of which, as a heat-map; only where more than three tools are confused."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from harness.bench.sections.confusions import NONE
from harness.report.plots.style import WIDTH, label

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

MOST = 16
FEWEST = 3


def table(part: Engines) -> tuple[list[str], list[str], NDArray[np.int64]]:
    """Names expected, names called, and how often, over all engines, those that are confused most."""
    counts: Counter[tuple[str, str]] = sum(part.confusions.values(), Counter())
    expected, called = _names(counts, 0), _names(counts, 1)
    found = np.array([[counts[e, c] for c in called] for e in expected], np.int64)
    return expected, called, found


def _names(counts: Counter[tuple[str, str]], side: int) -> list[str]:
    sums: Counter[str] = Counter()
    for pair, n in counts.items():
        sums[pair[side]] += n
    kept = [name for name, _ in sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:MOST]]
    return sorted(kept, key=lambda name: (name == NONE, name))


def draw(part: Engines) -> Figure | None:
    expected, called, found = table(part)
    if len({*expected, *called} - {NONE}) <= FEWEST:
        return None
    figure = Figure(figsize=(WIDTH, 1.8 + 0.27 * len(expected)))
    axes = figure.subplots()
    axes.pcolormesh(np.ma.masked_equal(found, 0), cmap="Oranges", vmin=0, vmax=max(1, int(found.max())))
    axes.invert_yaxis()
    for (row, column), n in np.ndenumerate(found):
        if n:
            ink = "#ffffff" if n > 0.6 * found.max() else "#222222"
            axes.text(column + 0.5, row + 0.5, str(n), ha="center", va="center", fontsize=8, color=ink)
    across, down = ([label(name, 24) for name in names] for names in (called, expected))
    axes.set_xticks(np.arange(len(called)) + 0.5, across, rotation=40, ha="right", fontsize=8)
    axes.set_yticks(np.arange(len(expected)) + 0.5, down, fontsize=8)
    axes.grid(visible=False)
    axes.set_xlabel("called (live; number of calls, all engines together)")
    axes.set_ylabel("expected")
    return figure


def words(part: Engines) -> str:
    expected, called, found = table(part)
    return "Expected and called instead: " + "; ".join(
        f"{expected[row]}, {called[column]}: {n}" for (row, column), n in np.ndenumerate(found) if n
    )
