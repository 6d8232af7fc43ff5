"""The picture of a re-drive: what a policy saves against what it changes in the engine's actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from harness.redrive.tables import IDENTITY
from harness.redrive.words import Row
from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, GREY, INK, MARKS, WIDTH, label

if TYPE_CHECKING:
    from harness.redrive.sections.part import Redrive

MOST = 4
"""Panels; a run with more engines shows the first."""


def points(part: Redrive, engine: str) -> list[tuple[Row, Row]]:
    """By policy, the row of its costs and of its agreement, identity first."""
    found = ((part.row("costs", engine, policy), part.row("agreement", engine, policy)) for policy in part.run.policies)
    return [(cost, same) for cost, same in found if cost and same.get("same_arguments") is not None]


def draw(part: Redrive) -> Figure | None:
    shown = {engine: found for engine in part.run.engines[:MOST] if len(found := points(part, engine)) > 1}
    if not shown:
        return None
    figure = Figure(figsize=(WIDTH, 2.8 * len(shown) + 0.7))
    panels = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (engine, found) in zip(panels, shown.items(), strict=True):
        for n, (cost, same) in enumerate(found):
            tint = INK if cost["policy"] == IDENTITY else COLOURS[(n - 1) % len(COLOURS)]
            x, y = cost["tokens_ratio"], 100 * same["same_arguments_difference"]
            if same["same_arguments_difference_low"] is not None:
                low, high = (100 * same[f"same_arguments_difference_{end}"] for end in ("low", "high"))
                axes.plot([x, x], [low, high], color=tint, linewidth=1, alpha=0.45)
            if cost["tokens_ratio_low"] is not None:
                axes.plot([cost["tokens_ratio_low"], cost["tokens_ratio_high"]], [y, y], color=tint, lw=1, alpha=0.45)
            axes.plot([x], [y], MARKS[n % len(MARKS)], color=tint, label=label(str(cost["policy"]), 34))
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.axvline(1, color=GREY, linewidth=0.8)
        axes.set_ylabel("same arguments,\npoints against identity (live)")
        axes.set_title(label(engine, 60), loc="left", fontsize=9)
    panels[-1].set_xlabel("prompt tokens, times identity's (measured; bars: 95 % over clusters)")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8)
    return figure


def words(part: Redrive) -> str:
    said = [
        f"{engine} under {cost['policy']}: {100 * same['same_arguments_difference']:+.1f} points at "
        f"{cost['tokens_ratio']:.2f} times the prompt tokens"
        for engine in part.run.engines
        for cost, same in points(part, engine)
    ]
    return "Recorded arguments repeated, against identity, and prompt tokens: " + "; ".join(said)


TABLES = ("agreement", "costs")
PLOTS = (Plot("redrive", "What a policy saves and what it changes", "live", draw, words, TABLES, lead=True),)
