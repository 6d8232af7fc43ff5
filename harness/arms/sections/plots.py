"""Plots of arms: differences in what is passed with their intervals, costs as ratios, and the response to a dose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from harness.arms.sections import words
from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, GREY, INK, MARKS, WIDTH, label

if TYPE_CHECKING:
    from harness.arms.sections.part import ArmsPart

COSTS = ("requests", "calls", "input_tokens", "usd")


def draw_passed(part: ArmsPart) -> Figure | None:
    rows = [row for row in part.arms.outcomes if row["metric"] == "passed"]
    if not rows:
        return None
    figure = Figure(figsize=(WIDTH, 1.3 + 0.34 * len(rows)))
    axes = figure.subplots()
    for y, row in enumerate(rows):
        if row["low"] is not None:
            axes.plot([row["low"], row["high"]], [y, y], color=COLOURS[0], linewidth=2.5)
        if row["clustered_low"] is not None:
            axes.plot(
                [row["clustered_low"], row["clustered_high"]], [y + 0.2, y + 0.2], color=COLOURS[1], linewidth=1.2
            )
        axes.plot([row["difference"]], [y], MARKS[0], color=COLOURS[0])
    axes.axvline(0, color=INK, linewidth=1)
    axes.axvspan(-part.arms.margin, part.arms.margin, color=GREY, alpha=0.15, linewidth=0)
    axes.set_yticks(range(len(rows)), [label(row["arm"]) for row in rows])
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel(
        f"passed, difference to {label(part.arms.baseline)} in points (live; thick: 95 % over tasks, thin: over "
        f"repositories; grey: the margin)"
    )
    return figure


def words_passed(part: ArmsPart) -> str:
    rows = [row for row in part.arms.outcomes if row["metric"] == "passed"]
    return f"Passed, difference to {part.arms.baseline}: " + "; ".join(f"{r['arm']} {words.points(r)}" for r in rows)


def draw_costs(part: ArmsPart) -> Figure | None:
    metrics = [metric for metric in COSTS if any(row["metric"] == metric for row in part.arms.costs)]
    arms = part.arms.others
    if not metrics:
        return None
    figure = Figure(figsize=(WIDTH, 1.4 + 0.16 * len(arms) * len(metrics) + 0.1 * len(arms)))
    axes = figure.subplots()
    for n, metric in enumerate(metrics):
        tint, seen = COLOURS[n], False
        for y, arm in enumerate(arms):
            row = part.arms.row(part.arms.costs, arm, metric)
            if not row or row["typical"] is None:
                continue
            at = y + 0.7 * (n - (len(metrics) - 1) / 2) / len(metrics)
            if row["typical_low"] is not None:
                axes.plot([row["typical_low"], row["typical_high"]], [at, at], color=tint, linewidth=2)
            named = None if seen else words.METRICS[metric]
            axes.plot([row["typical"]], [at], MARKS[n], color=tint, label=named, markersize=4)
            seen = True
    axes.axvline(1, color=INK, linewidth=1)
    axes.set_yticks(range(len(arms)), [label(arm) for arm in arms])
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel(f"ratio to {label(part.arms.baseline)} in a typical task (live; bars: 95 % over tasks)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4)
    return figure


def words_costs(part: ArmsPart) -> str:
    rows = [row for row in part.arms.costs if row["metric"] in COSTS]
    said = "; ".join(f"{r['arm']}, {words.METRICS[r['metric']]} {words.times(r)}" for r in rows)
    return f"Costs in a typical task, ratio to {part.arms.baseline}: {said}"


def draw_dose(part: ArmsPart) -> Figure | None:
    rows = [row for row in part.doses if row["dose"] is not None]
    if len(rows) < 3:
        return None
    measures: list[tuple[str, str]] = [("passed", "passed"), ("requests", "requests"), ("usd", "USD")]
    there = [(key, title) for key, title in measures if any(row.get(key) is not None for row in rows)]
    figure = Figure(figsize=(WIDTH, 1.7 * len(there) + 0.6))
    for n, ((key, title), axes) in enumerate(
        zip(there, figure.subplots(len(there), sharex=True, squeeze=False)[:, 0], strict=True)
    ):
        _response(part, axes, rows, key, COLOURS[n], MARKS[n])
        axes.set_ylabel(title)
    axes.set_xlabel(f"dose (live; line: {label(part.arms.baseline)}; bars: 95 % of the difference to it)")
    return figure


def _response(part: ArmsPart, axes: Any, rows: list[dict[str, Any]], key: str, tint: str, mark: str) -> None:
    known = [row for row in rows if row.get(key) is not None]
    base = part.arms.rate(part.arms.baseline) if key == "passed" else part.arms.mean(part.arms.baseline, key)
    axes.plot([row["dose"] for row in known], [row[key] for row in known], marker=mark, color=tint)
    if key == "passed" and base is not None:
        for row in (row for row in known if row["low"] is not None):
            axes.plot([row["dose"]] * 2, [base + row["low"], base + row["high"]], color=tint, linewidth=1)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    if base is not None and math.isfinite(base):
        axes.axhline(base, color=INK, linewidth=1)


def words_dose(part: ArmsPart) -> str:
    rows = [row for row in part.doses if row["dose"] is not None and row["passed"] is not None]
    return "Passed by dose: " + "; ".join(f"{row['dose']:g}: {100 * row['passed']:.1f} %" for row in rows)


PLOTS = (
    Plot("dose", "Dose and response", "live", draw_dose, words_dose, ("doses", "slopes"), lead=True),
    Plot("passed", "What they passed", "live", draw_passed, words_passed, ("outcomes",), lead=True),
    Plot("costs", "What it cost", "live", draw_costs, words_costs, ("costs",), lead=True),
)
