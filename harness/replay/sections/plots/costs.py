"""Tokens saved and money saved, side by side: what rewriting history costs in the cache shows as a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.replay.sections import wording as say
from harness.replay.sections.summary import ALL, PolicyRow
from harness.report.plots.style import GREY, INK, WIDTH, colour, label

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay


def rows(report: Replay) -> list[PolicyRow]:
    """The policies with prices, those that save most money first."""
    known = [r for r in report.summary.part(ALL) if r.policy != "identity" and r.money and r.money.paired.ratio]
    return sorted(known, key=lambda r: r.money.warm if r.money else 0.0)


def draw(report: Replay) -> Figure | None:
    shown = rows(report)
    if not shown:
        return None
    figure = Figure(figsize=(WIDTH, 1.2 + 0.28 * len(shown)))
    axes = figure.subplots()
    for y, row in enumerate(shown):
        m, tint, first = row.money, colour(report, row.policy), not y
        assert m is not None
        tokens, money = (row.paired.ratio or 1) - 1, (m.paired.ratio or 1) - 1
        axes.plot([tokens, money], [y, y], color=GREY, linewidth=1)
        axes.plot(
            [tokens], [y], "|", color=tint, markersize=11, markeredgewidth=2, label="input tokens" if first else None
        )
        axes.plot([money], [y], "o", color=tint, label="money, cache warm" if first else None)
        if m.recorded_ratio is not None:
            named = "money, as recorded" if first else None
            axes.plot([m.recorded_ratio - 1], [y], "o", color=tint, markerfacecolor="none", label=named)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(shown)), [label(r.policy) for r in shown])
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("change against identity (measured)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return figure


def words(report: Replay) -> str:
    return "Change of input tokens and of the price with a warm cache: " + "; ".join(
        f"{r.policy} {say.change(r.paired.ratio)} tokens, {say.change(r.money.paired.ratio)} money"
        for r in rows(report)
        if r.money
    )
