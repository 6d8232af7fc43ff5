"""What a match says in words, rows and a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.replay.sections.evidence import STATES
from harness.report.plots.style import COLOURS, GREY, label
from harness.report.table import Column, Table
from harness.report.units import CHANGE, COUNT, NAME, POINTS, SHARE, TOKENS, between, span
from harness.text import count, number
from harness.tune.match import Match
from harness.tune.matched import Row


def lines(match: Match, found: Sequence[Row]) -> list[str]:
    """What was done and what it comes to."""
    first = found[0]
    said = [
        f"at the price of {match.to.label}: {count(match.tokens)} input tokens over "
        f"{number(match.transcripts, 'transcript')} in {number(first.against.clusters, 'cluster')}; "
        "sizes chosen on this corpus so that each policy costs the same"
    ]
    said += [
        f"{row.policy} differs by {CHANGE.text(row.against.ratio)}: no size brings it nearer"
        for row in found
        if row.matched and not row.near
    ]
    best = next((row for row in found if row.best), None)
    if best is not None and best.evidence:
        said.append(
            f"best truncation: {best.policy}, {SHARE.text(best.evidence.share('visible'))} of borne atoms visible; "
            "chosen on this corpus, which flatters it a little"
        )
    if first.against.interval is None:
        said.append(f"{first.against.why}: the total is exact for this corpus and no more")
    return said


def table(match: Match, found: Sequence[Row]) -> Table:
    """What each policy shows, loses and would add, at the price of one."""
    to = match.to.label
    return Table("match", f"At the price of {to}", "measured", NOTE, columns(to), [_values(row, to) for row in found])


WITH_CALLS = ("tokens_with_calls_low", "tokens_with_calls_high")


def columns(to: str) -> tuple[Column, ...]:
    return (
        Column("policy", "policy", NAME),
        Column("input_tokens", "input tokens", TOKENS),
        Column("against", f"against {to}", CHANGE, instead="_itself"),
        Column("visible", "visible", SHARE),
        Column("visible_or_reachable", "visible or reachable", SHARE),
        Column("all_visible", "requests with all in sight", SHARE),
        Column(("all_visible_low", "all_visible_high"), "95 %", between(SHARE), instead="_exact"),
        Column("difference", f"less {to}'s", POINTS, instead="_itself"),
        Column(("difference_low", "difference_high"), "95 %", between(POINTS), instead="_itself"),
        Column("unrecoverable", "unrecoverable pairs", COUNT, "estimated"),
        Column(("added_low", "added_high"), "added calls, bounds", span(COUNT), "estimated"),
        Column(WITH_CALLS, "input tokens with the calls", span(TOKENS), "estimated"),
    )


def _values(row: Row, to: str) -> dict[str, object]:
    e, a = row.evidence, row.added
    low, high = row.difference_interval or (None, None)
    least, most = (e.interval if e else None) or (None, None)
    return {
        "policy": row.policy,
        "input_tokens": row.input_tokens,
        "against": row.against.ratio,
        "visible": e.share("visible") if e else None,
        "visible_or_reachable": e.share("visible", "reachable") if e else None,
        "all_visible": e.all_visible if e else None,
        "all_visible_low": least,
        "all_visible_high": most,
        "difference": row.difference,
        "difference_low": low,
        "difference_high": high,
        "unrecoverable": row.unrecoverable.pairs if row.unrecoverable else None,
        "added_low": a.low if a else None,
        "added_high": a.high if a else None,
        "tokens_with_calls_low": a.tokens_low if a else None,
        "tokens_with_calls_high": a.tokens_high if a else None,
        "_itself": "-" if row.policy == to else "",
        "_exact": "exact" if least is not None and least == most else "",
    }


def record(match: Match, found: Sequence[Row]) -> dict[str, object]:
    """For a program."""
    sizes = {one.policy.label: {one.size: one.value} for one in match.matched}
    return {
        "to": match.to.label,
        "input_tokens": match.tokens,
        "transcripts": match.transcripts,
        "columns": table(match, found).keys(),
        "policies": [row.to_record() | {"size": sizes.get(row.policy)} for row in found],
    }


NOTE = (
    "Visible, reachable, held and lost are shares of the atoms that later requests take from results. Reachable "
    "is what a tool of this agent can show, or what a reference by a path that it has seen can stand for; held is kept "
    "under a handle that shows nothing. What only the same call, narrowed, would bring back counts as lost there, "
    "and as an added call where the tool is known to allow it. By one rule for all: a pair of a request and a result "
    "that it depends on is unrecoverable where no reference, no read and no re-run brings it back; it is no call. "
    "Added calls are bounds; what lies between is not identified. Input tokens with the calls count what is "
    "unrecoverable at nothing and at its whole value read once; policies whose ranges cross are not ranked."
)
TINTS = {"visible": COLOURS[0], "reachable": COLOURS[2], "held": COLOURS[3], "lost": COLOURS[1]}


def draw(found: Sequence[Row]) -> Figure:
    """A line a policy: what becomes of the borne atoms, and the calls and unrecoverable pairs that are estimated."""
    figure = Figure(figsize=(9, 1.6 + 0.36 * len(found)))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    places = np.arange(len(found))
    start = np.zeros(len(found))
    for state in STATES:
        shares = np.array([(row.evidence.share(state) if row.evidence else None) or 0.0 for row in found])
        left.barh(places, shares, left=start, height=0.6, color=TINTS[state], label=state)
        start += shares
    added = [row.added for row in found]
    right.hlines(
        places,
        [a.low if a else 0 for a in added],
        [a.high if a else 0 for a in added],
        color=COLOURS[0], linewidth=5, alpha=0.35, label="calls, low to high",
    )  # fmt: skip
    gone = [row.unrecoverable.pairs if row.unrecoverable else 0 for row in found]
    right.plot(gone, places, "x", color=COLOURS[1], label="unrecoverable pairs")
    left.set_yticks(places, [label(row.policy + (" (best truncation)" if row.best else ""), 40) for row in found])
    left.invert_yaxis()
    left.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    left.set_xlabel("borne atoms (measured)")
    right.set_xlabel("calls and pairs (estimated)")
    right.axvline(0, color=GREY, linewidth=0.8)
    for axes in (left, right):
        axes.grid(axis="y", visible=False)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8)
    return figure
