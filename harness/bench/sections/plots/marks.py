"""The same engine has the same colour and mark in every plot of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from harness.report.plots.style import COLOURS, MARKS, label

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


def look(part: Engines, engine: str) -> dict[str, Any]:
    """Arguments for a plotted line; with a second cue beside the colour."""
    number = part.engines.index(engine)
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)]}


def legend(part: Engines, axes: Axes) -> None:
    """Above the plot, where there are several engines to tell apart."""
    if len(part.engines) > 1:
        columns = 1 if max(map(len, part.engines)) > 30 else 3
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)


def named(engine: str) -> str:
    return label(engine, 60)
