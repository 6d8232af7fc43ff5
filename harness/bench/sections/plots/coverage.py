"""Accuracy against coverage: acting only on the turns with the highest confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.bench.calibration import TARGET
from harness.bench.sections.plots.marks import legend, look, named
from harness.bench.sections.plots.reliability import known
from harness.report.plots.style import GREY, WIDTH

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


def draw(part: Engines) -> Figure | None:
    shown = known(part)
    if not shown:
        return None
    figure = Figure(figsize=(WIDTH, 4))
    axes = figure.subplots()
    for engine, found in shown.items():
        style = look(part, engine)
        x, y = [g.coverage for g in found.curve], [g.accuracy for g in found.curve]
        axes.step(x, y, where="post", color=style["color"], label=named(engine))
        if gate := found.gate:
            axes.plot([gate.coverage], [gate.accuracy], linestyle="none", markersize=8, **style)
            axes.annotate(
                f"from {gate.threshold:.2f}",
                (gate.coverage, gate.accuracy),
                xytext=(6, 6),
                textcoords="offset points",
                fontsize=8,
                color=style["color"],
            )
    axes.axhline(TARGET, color=GREY, linewidth=1, linestyle="--")
    axes.set_xlim(0, 1.02)
    axes.set_ylim(0, 1.05)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("turns let through, the most confident first (live)")
    axes.set_ylabel(f"of these, right (live; dashed: {100 * TARGET:.0f} %)")
    legend(part, axes)
    return figure


def words(part: Engines) -> str:
    said = []
    for engine, found in known(part).items():
        gate = found.gate
        best = f"{100 * gate.coverage:.0f} % pass at {gate.threshold:.2f}" if gate else "no gate"
        said.append(f"{engine}: all turns {100 * found.curve[-1].accuracy:.0f} % right; {best}")
    return "Accuracy against coverage: " + "; ".join(said)
