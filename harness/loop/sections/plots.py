"""The pictures of a loop: what passes at what cost, and the estimate against what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.loop.sections import wording as say
from harness.loop.validity import IDENTITY, outcomes
from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, GREY, INK, MARKS, WIDTH, label
from harness.report.units import SHARE, is_absent

if TYPE_CHECKING:
    from harness.loop.sections.part import Loop

MOST = 4
"""Panels; a run with more drivers shows the first."""


def draw_outcomes(part: Loop) -> Figure | None:
    drivers = [d for d in part.drivers if part.identifies(d)][:MOST]
    if not drivers or len(part.run.policies) < 2:
        return None
    figure = Figure(figsize=(WIDTH, 2.6 * len(drivers) + 0.9))
    panels = figure.subplots(len(drivers), 1, sharex=True, squeeze=False)[:, 0]
    for axes, driver in zip(panels, drivers, strict=True):
        for n, row in enumerate(part.outcomes(driver).itertuples()):
            tint = INK if row.policy == IDENTITY else COLOURS[(n - 1) % len(COLOURS)]
            if not is_absent(row.ratio_low):
                axes.plot([row.ratio_low, row.ratio_high], [row.passed] * 2, color=tint, linewidth=1, alpha=0.45)
            axes.plot([row.ratio], [row.passed], MARKS[n % len(MARKS)], color=tint, label=label(str(row.policy), 34))
        axes.axvline(1, color=GREY, linewidth=0.8)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:e}"[0] in "25" else "")
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.set_ylabel("tasks passed (live)")
        axes.set_title(label(say.called(driver), 60), loc="left", fontsize=9)
    panels[-1].set_xlabel("input tokens, times identity's (live, log scale; bars: 95 % over templates)")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8)
    return figure


def words_outcomes(part: Loop) -> str:
    said = [
        f"{driver} under {row.policy}: {SHARE.text(row.passed)} passed at {row.ratio:.2f} times the tokens"
        for driver in part.drivers
        if part.identifies(driver)
        for row in part.outcomes(driver).itertuples()
    ]
    return "Tasks passed against input tokens: " + "; ".join(said)


def draw_validity(part: Loop) -> Figure | None:
    """A line a policy: the mean of [low, high] as a bar, the estimate by evidence, and what happened."""
    judged = outcomes(part.judged)
    drivers = [d for d in part.drivers if d in set(judged.driver.astype(str))][:MOST]
    if not drivers:
        return None
    policies = [p for p in part.run.policies if p != IDENTITY]
    figure = Figure(figsize=(WIDTH, len(drivers) * (0.7 + 0.24 * len(policies)) + 0.7))
    panels = figure.subplots(len(drivers), 1, sharex=True, squeeze=False)[:, 0]
    for axes, driver in zip(panels, drivers, strict=True):
        own = judged[judged.driver.astype(str) == driver]
        means = own.groupby("policy", observed=True)[["low", "evidence", "high", "added"]].mean().reindex(policies)
        places = np.arange(len(policies))
        axes.hlines(
            places, means.low, means.high, color=COLOURS[0], linewidth=5, alpha=0.35, label="low to high (estimated)"
        )
        axes.plot(means.evidence, places, "|", color=COLOURS[0], markersize=11, mew=2, label="evidence (estimated)")
        axes.plot(means.added, places, "o", color=COLOURS[1], label="what happened (live)")
        axes.set_yticks(places, [label(p, 34) for p in policies])
        axes.grid(axis="y", visible=False)
        axes.invert_yaxis()
        axes.set_title(label(say.called(driver), 60), loc="left", fontsize=9)
    panels[-1].set_xlabel("added requests a run, means over tasks")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8)
    return figure


def words_validity(part: Loop) -> str:
    said = [
        f"{row.driver} under {row.policy}: estimated {row.evidence:.2f}, happened {row.added:.2f}, "
        f"covered {SHARE.text(row.covered)}"
        for row in part.table("validity_by_policy").itertuples()
    ]
    return "Added requests a run, estimated and live: " + "; ".join(said)


SHOWN = ("validity_by_policy",)
PLOTS = (
    Plot("outcomes", "What passes at what cost", "live", draw_outcomes, words_outcomes, ("policies",), lead=True),
    Plot("validity", "The estimate against what happened", "estimated", draw_validity, words_validity, SHOWN),
)
