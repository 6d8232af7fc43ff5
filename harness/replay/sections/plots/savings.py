"""Paired change of input tokens by policy: the ratio of totals with its interval, and a typical transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.replay.sections import wording as say
from harness.replay.sections.summary import ALL, PolicyRow
from harness.report.plots.style import INK, WIDTH, colour, label

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay


def rows(report: Replay) -> list[PolicyRow]:
    """The policies that can be compared, those that save most first."""
    known = [r for r in report.summary.part(ALL) if r.policy != "identity" and r.paired.ratio is not None]
    return sorted(known, key=lambda r: r.input_tokens)


def draw(report: Replay) -> Figure | None:
    shown = rows(report)
    if not shown:
        return None
    figure = Figure(figsize=(WIDTH, 1.2 + 0.28 * len(shown)))
    axes = figure.subplots()
    for y, row in enumerate(shown):
        p, tint = row.paired, colour(report, row.policy)
        if p.interval:
            axes.plot([p.interval[0] - 1, p.interval[1] - 1], [y, y], color=tint, linewidth=2.5, alpha=0.7)
        axes.plot([(p.ratio or 0) - 1], [y], "o", color=tint, label="all requests together" if not y else None)
        if p.typical is not None:
            named = "a typical transcript" if not y else None
            axes.plot([p.typical - 1], [y], "o", color=tint, markerfacecolor="none", label=named)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(shown)), [label(r.policy) for r in shown])
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("change of input tokens against identity (measured; bars: 95 % over clusters)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return figure


def words(report: Replay) -> str:
    return "Change of input tokens against identity, with 95 % intervals: " + "; ".join(
        f"{r.policy} {say.change(r.paired.ratio)} ({say.sureness(r.paired)})" for r in rows(report)
    )
