"""Reliability: per bin of equal mass, mean confidence against the share that is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.bench.calibration import Calibration
from harness.bench.rates import rate
from harness.bench.sections.plots.marks import legend, look, named
from harness.report.plots.style import GREY, WIDTH
from harness.report.units import SHARE

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


def known(part: Engines) -> dict[str, Calibration]:
    return {engine: found.calibration for engine, found in part.summary.rates.items() if found.calibration}


def draw(part: Engines) -> Figure | None:
    shown = known(part)
    if not shown:
        return None
    figure = Figure(figsize=(WIDTH, 5))
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--")
    for engine, found in shown.items():
        style = look(part, engine)
        for b in found.bins:
            low, high = rate(round(b.accuracy * b.count), b.count).interval or (b.accuracy, b.accuracy)
            axes.plot([b.confidence, b.confidence], [low, high], color=style["color"], linewidth=1, alpha=0.5)
            if len(shown) == 1:
                at = (b.confidence, b.accuracy)
                axes.annotate(str(b.count), at, xytext=(5, -3), textcoords="offset points", fontsize=7, va="top")
        x, y = [b.confidence for b in found.bins], [b.accuracy for b in found.bins]
        axes.plot(x, y, label=f"{named(engine)}, calibration error {found.error:.3f}", **style)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("mean confidence of the bin, as reported (live; dashed: as right as confident)")
    counts = "; numbers: turns" if len(shown) == 1 else ""
    axes.set_ylabel(f"turns that are right (live; bars: 95 % Wilson{counts})")
    legend(part, axes)
    return figure


def words(part: Engines) -> str:
    return "Per bin, mean confidence, share right and turns: " + "; ".join(
        f"{engine} {b.confidence:.2f}, {SHARE.text(b.accuracy)}, {b.count}"
        for engine, found in known(part).items()
        for b in found.bins
    )
