"""The plots that carry the argument: one file a plot. Each takes a report and gives a figure, or none where the run has
nothing to draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from matplotlib.figure import Figure

from harness.reports.plots import costs, evidence, growth, savings, sizes
from harness.reports.plots.style import styled, svg
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


@dataclass(frozen=True)
class Drawn:
    """A plot of a report, laid out: the figure, and the SVG element made of it."""

    plot: Plot
    figure: Figure
    svg: str


_DRAWN: WeakKeyDictionary[Report, list[Drawn]] = WeakKeyDictionary()


def drawn(report: Report) -> list[Drawn]:
    """The plots that the run has something for; each is laid out once, however many exporters want it."""
    if report not in _DRAWN:
        with styled():
            _DRAWN[report] = [d for plot in PLOTS if (d := _draw(plot, report)) is not None]
    return _DRAWN[report]


def _draw(plot: Plot, report: Report) -> Drawn | None:
    figure = plot.draw(report)
    if figure is None:
        return None
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return Drawn(plot, figure, svg(figure))
