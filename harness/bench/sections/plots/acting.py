"""Risk against coverage: what acting by each rule would bring, and by every gate on confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.bench.acting import acting
from harness.bench.sections.plots.marks import look, named
from harness.report.plots.style import WIDTH

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

SHOWN = {"calls()": "o", "grounded_calls()": "s", "harness traces all": "^", "grounded_calls() and harness": "D"}


def draw(part: Engines) -> Figure | None:
    figure = Figure(figsize=(WIDTH, 4))
    axes = figure.subplots()
    drawn = 0
    for engine in part.engines:
        turns = part.first(engine)
        style = look(part, engine)
        if found := part.summary.rates[engine].calibration:
            x = [gate.count / len(turns) for gate in found.curve]
            axes.step(x, [1 - gate.accuracy for gate in found.curve], where="post", color=style["color"], linewidth=1)
        axes.plot([], [], color=style["color"], label=named(engine))
        for rule, mark in SHOWN.items():
            own = acting(turns)[rule]
            if own.risk.value is None or own.coverage.value is None:
                continue
            axes.plot([own.coverage.value], [own.risk.value], mark, color=style["color"], markersize=7)
            drawn += 1
    if not drawn:
        return None
    axes.set_xlim(0, 1.02)
    axes.set_ylim(0, 1.02)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("turns acted on (live)")
    axes.set_ylabel("of these, wrong (live)")
    for rule, mark in SHOWN.items():
        axes.plot([], [], mark, color="black", markersize=6, label=rule)
    axes.plot([], [], color="black", linewidth=1, label="gates on confidence")
    axes.legend(fontsize=8, loc="upper right")
    return figure


def words(part: Engines) -> str:
    said = []
    for engine in part.engines:
        rules = acting(part.first(engine))
        each = [
            f"{rule} acts on {100 * found.coverage.value:.0f} %, of which {100 * found.risk.value:.0f} % are wrong"
            for rule, found in rules.items()
            if rule in SHOWN and found.risk.value is not None and found.coverage.value is not None
        ]
        said.append(f"{engine}: {', '.join(each) or 'no calls'}")
    return "Risk against coverage. " + "; ".join(said)
