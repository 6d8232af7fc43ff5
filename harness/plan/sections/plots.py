"""The picture of a plan: power against tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, GREY, MARKS, WIDTH
from harness.report.units import percent
from harness.text import number

if TYPE_CHECKING:
    from harness.plan.sections.part import PlanPart


def draw(part: PlanPart) -> Figure | None:
    figure = Figure(figsize=(WIDTH, 3.4))
    axes = figure.subplots()
    for n, repetitions in enumerate(sorted({row["repetitions"] for row in part.rows})):
        own = [row for row in part.rows if row["repetitions"] == repetitions]
        tint, mark = COLOURS[n % len(COLOURS)], MARKS[n % len(MARKS)]
        name = f"{number(repetitions, 'run')} of a task"
        axes.plot([row["tasks"] for row in own], [row["power"] for row in own], f"{mark}-", color=tint, label=name)
    axes.axhline(part.settings.power, color=GREY, linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:e}"[0] in "25" else "")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("tasks (log scale)")
    axes.set_ylabel("comparisons that show it (simulated)")
    axes.legend(loc="lower right", fontsize=8)
    return figure


def words(part: PlanPart) -> str:
    said = [
        f"{number(row['tasks'], 'task')} with {number(row['repetitions'], 'run')} of each: {percent(row['power'])}"
        for row in part.rows
        if row["chosen"]
    ]
    return f"How often {part.wanted}, against tasks: " + ("; ".join(said) or "never often enough")


PLOTS = (Plot("power", "How often it is shown", "estimated", draw, words, ("plans",), lead=True),)
