"""The picture of a grid: prefill and decode by the size of the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, MARKS, WIDTH, label

if TYPE_CHECKING:
    from harness.grid.sections.part import GridPart

PANELS = (("prefill", "prefill, tokens/s"), ("decode", "decode at this depth, tokens/s"))


def draw(part: GridPart) -> Figure | None:
    if not any(row[name] is not None for row in part.cells for name, _ in PANELS):
        return None
    figure = Figure(figsize=(WIDTH, 4))
    for axes, (name, words) in zip(figure.subplots(1, 2), PANELS, strict=True):
        for at, engine in enumerate(dict.fromkeys(row["engine"] for row in part.cells)):
            own = [row for row in part.cells if row["engine"] == engine and row[name] is not None]
            style = {"color": COLOURS[at % len(COLOURS)], "marker": MARKS[at % len(MARKS)]}
            x, y = [row["tokens"] or row["prompt"] for row in own], [row[name] for row in own]
            axes.plot(x, y, label=label(engine, 40), **style)
        axes.set_xscale("log", base=2)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("prompt, tokens (live)")
        axes.set_ylabel(f"{words} (live)")
    figure.axes[0].legend(fontsize=7)
    return figure


def words(part: GridPart) -> str:
    return "Prefill and decode by prompt size. " + part.screen().headline


PLOTS: tuple[Plot, ...] = (
    Plot("sizes", "Prefill and decode by prompt size", "live", draw, words, ("answers",), lead=True),
)
