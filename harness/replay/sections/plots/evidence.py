"""Input tokens against evidence: what a policy saves and what later actions would still have seen, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.replay.sections import wording as say
from harness.replay.sections.summary import ALL, PolicyRow
from harness.report.plots.style import GREY, WIDTH, colour, label, mark

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay


def rows(report: Replay) -> list[PolicyRow]:
    """The policies with both figures."""
    return [
        r
        for r in report.summary.part(ALL)
        if r.evidence and r.evidence.all_visible is not None and r.paired.ratio is not None
    ]


def draw(report: Replay) -> Figure | None:
    shown = rows(report)
    if len(shown) < 2:
        return None
    figure = Figure(figsize=(WIDTH, max(3.6, 0.22 * len(shown) + 1)))
    axes = figure.subplots()
    for row in shown:
        e, p, tint = row.evidence, row.paired, colour(report, row.policy)
        assert e is not None
        x, y = (p.ratio or 0) - 1, e.all_visible or 0.0
        if p.interval:
            axes.plot([p.interval[0] - 1, p.interval[1] - 1], [y, y], color=tint, linewidth=1, alpha=0.45)
        if e.interval:
            axes.plot([x, x], list(e.interval), color=tint, linewidth=1, alpha=0.45)
        axes.plot([x], [y], marker=mark(report, row.policy), color=tint, markersize=7, linestyle="none")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("change of input tokens against identity (measured; fewer to the left)")
    axes.set_ylabel("requests with all borne atoms visible (measured)")
    _name(axes, report, shown)
    return figure


def _name(axes: Axes, report: Replay, shown: list[PolicyRow]) -> None:
    """Names in a column at the right, spread so that none covers another, each tied to its point."""
    low, high = axes.get_ylim()
    ordered = sorted(shown, key=lambda r: (r.evidence.all_visible or 0.0) if r.evidence else 0.0)
    heights = [((r.evidence.all_visible or 0.0) - low) / (high - low) if r.evidence else 0.0 for r in ordered]
    for row, at in zip(ordered, spread(heights, 1 / max(len(ordered), 15)), strict=True):
        assert row.evidence is not None
        axes.annotate(
            label(row.policy, 34),
            ((row.paired.ratio or 0) - 1, row.evidence.all_visible or 0.0),
            xytext=(1.03, at),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            color=colour(report, row.policy),
            arrowprops={"arrowstyle": "-", "color": GREY, "alpha": 0.5, "linewidth": 0.6, "shrinkB": 4},
        )


def spread(heights: list[float], least: float) -> list[float]:
    """Ascending heights in [0, 1], moved apart to at least `least` within those bounds, as little as that takes."""
    places = np.array(heights, np.float64)
    order = np.arange(len(places)) * least
    level = places - order
    # The nearest non-decreasing sequence in the sense of least squares: pool neighbours that are out of order.
    pools: list[tuple[float, int]] = []
    for value in level:
        pools.append((float(value), 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, m) = pools[-2], pools[-1]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    flat = np.concatenate([np.full(n, value) for value, n in pools]) if pools else places
    return [float(v) for v in np.clip(flat, 0, max(0.0, 1 - order[-1] if len(order) else 0.0)) + order]


def words(report: Replay) -> str:
    return "Change of input tokens, and requests whose borne atoms are all visible: " + "; ".join(
        f"{r.policy} {say.change(r.paired.ratio)}, {say.percent(r.evidence.all_visible)}"
        for r in rows(report)
        if r.evidence
    )
