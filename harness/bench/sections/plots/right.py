"""Share right by what the turns test, with Wilson intervals; by what the tasks are about where they test one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.bench.rates import Rates
from harness.bench.sections.plots.marks import legend, look, named
from harness.report.plots.style import GREY, WIDTH, label
from harness.report.units import REPORTED

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

MOST = 30


def groups(part: Engines) -> dict[str, dict[str, Rates]]:
    """Per name of a group the rates of every engine that has it; all turns first."""
    found: dict[str, dict[str, Rates]] = {"all turns": dict(part.summary.rates)}
    columns = [c for c in ("case", "family") if part.run.engine[c].nunique() > 1]
    by = part.summary.rates_by(columns[0]) if columns else {}
    for engine, own in by.items():
        for name, rates in own.items():
            found.setdefault(name, {})[engine] = rates
    ordered = sorted(list(found.items())[1:], key=lambda item: -max(r.turns for r in item[1].values()))
    return {"all turns": found["all turns"], **dict(ordered[:MOST])}


def draw(part: Engines) -> Figure | None:
    shown = groups(part)
    engines = part.engines
    rows = len(shown) * len(engines)
    figure = Figure(figsize=(WIDTH, 1.4 + max(0.3 * len(shown), 0.16 * rows)))
    axes = figure.subplots()
    height = 0.7 / len(engines)
    for y, (_, by_engine) in enumerate(shown.items()):
        for n, engine in enumerate(engines):
            if (found := by_engine.get(engine)) is None or found.right.interval is None:
                continue
            at = y + (n - (len(engines) - 1) / 2) * height
            style = look(part, engine)
            axes.plot(list(found.right.interval), [at, at], color=style["color"], linewidth=2, alpha=0.6)
            name = named(engine) if y == 0 else None
            axes.plot([found.right.value or 0.0], [at], linestyle="none", markersize=5, label=name, **style)
    names = [f"{label(name, 30)} ({max(r.turns for r in own.values())})" for name, own in shown.items()]
    axes.set_yticks(range(len(shown)), names)
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("turns that are right (live; bars: 95 % Wilson; number of turns in brackets)")
    legend(part, axes)
    return figure


def words(part: Engines) -> str:
    return "Share of turns that are right: " + "; ".join(
        f"{name}, {engine}: {REPORTED.text(found.right.value)} of {found.turns}"
        for name, own in groups(part).items()
        for engine, found in own.items()
    )
