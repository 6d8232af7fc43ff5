"""The plots that carry the argument: one file a plot. Each takes a report and gives a figure, or none where the run has
nothing to draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.figure import Figure

from harness.reports.plots import costs, evidence, growth, savings, sizes
from harness.reports.report import Report


@dataclass(frozen=True)
class Plot:
    """words: what the figure shows, for those who cannot see it."""

    name: str
    title: str
    kind: str
    draw: Callable[[Report], Figure | None]
    words: Callable[[Report], str]


PLOTS: tuple[Plot, ...] = (
    Plot("evidence", "Input tokens against evidence", "measured", evidence.draw, evidence.words),
    Plot("savings", "What each policy saves", "measured", savings.draw, savings.words),
    Plot("costs", "Tokens saved and money saved", "measured", costs.draw, costs.words),
    Plot("growth", "How prompts grow over a run", "measured", growth.draw, growth.words),
    Plot("sizes", "How large tool results are", "measured", sizes.draw, sizes.words),
)
