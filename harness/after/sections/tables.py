"""The tables for a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.after import tables
from harness.after.acts import ACTS
from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME, NOT_IDENTIFIED, NUMBER, POINTS, SECONDS, SHARE, TOKENS, P, estimate

if TYPE_CHECKING:
    from harness.after.sections.part import AfterPart

AGENT = Column("agent", "agent", NAME)
DONE = tuple(Column(tables.KEYS[act], act, COUNT) for act in ACTS)
BACK = Column(("back_share", "back_low", "back_high"), "turned back", estimate(SHARE), main=True)
TOOK = (
    Column("calls", "calls", COUNT, meaning="that turned back, in chains, each at the latest cut"),
    Column("tokens", "tokens", TOKENS, "measured", "content of those calls and of their results"),
    Column("seconds", "time", SECONDS, meaning="of those with times, from the cut result to the last of those calls"),
)
CUT = Column("cut_results", "cut", COUNT, meaning="results that were clipped, spilled or previewed")
ACT_NOTE = (
    "By the next calls made with the cut result in sight, the first that turns to it. Guessed is what can be told: a "
    "call holds what only the hidden part of a joined file shows, or edits the same file by a text never shown. Not "
    "identified: no later request was recorded. Turned back: the first five, of those with a later request; 95 % over "
    "clusters."
)


def agents(part: AfterPart) -> Table:
    rows = [row for row in part.agents if row["cut_results"]]
    return Table(
        "after", "After a cut, by agent", "recorded", ACT_NOTE, (AGENT, CUT, *DONE, BACK, *TOOK), rows, brief=True
    )


def marks(part: AfterPart) -> Table:
    columns = (AGENT, Column("tool", "tool", NAME), Column("mark", "mark"), CUT, *DONE, *TOOK)
    note = "The same by tool and by the mark that the cut left (`harness/formats/marks.toml`)."
    return Table("after-marks", "By tool and mark", "recorded", note, columns, tables.marks(part.results))


def offers(part: AfterPart) -> Table:
    columns = (
        AGENT,
        Column("offered", "offered"),
        CUT,
        Column("right", "right", COUNT),
        Column("wrong", "wrong", COUNT),
        Column("not_there", "not there", COUNT),
        Column("ignored", "ignored", COUNT),
        Column("used_after", "used after (median)", NUMBER, meaning="calls, however far"),
    )
    note = (
        "Files and handles that cuts name for the rest. Right: the first call that uses it succeeds. Wrong: that call "
        "fails. Not there: it fails because the tool, handle or file is not there. Ignored: no later call uses it."
    )
    return Table(
        "after-offers", "Files and handles that were offered", "recorded", note, columns, tables.offers(part.results)
    )


def beside_whole(part: AfterPart) -> Table:
    columns = (
        AGENT,
        Column("cut_n", "cut", COUNT),
        Column(("cut_share", "cut_low", "cut_high"), "asked again", estimate(SHARE)),
        Column("whole_n", "whole", COUNT),
        Column(("whole_share", "whole_low", "whole_high"), "asked again", estimate(SHARE)),
    )
    note = (
        "The same target asked for again in the next calls, after results that were cut and after whole ones of the "
        "same tools. An association: what is cut is larger, and nothing here says why it is asked for again."
    )
    return Table(
        "after-whole", "Beside results that stand whole", "recorded", note, columns, tables.beside_whole(part.results)
    )


def limits(part: AfterPart) -> Table:
    columns = (
        AGENT,
        Column("mark", "mark"),
        Column("limit", "limit", NUMBER),
        Column("below", "under it", COUNT, absent="-"),
        Column("above", "over it", COUNT, absent="-"),
        Column("clusters_below", "clusters under", COUNT, absent="-"),
        Column("clusters_above", "over", COUNT, absent="-"),
        Column(("jump", "low", "high"), "asked again: jump", estimate(POINTS), absent=NOT_IDENTIFIED, main=True),
        Column("p", "p", P),
        Column("turned_jump", "turned back: jump", POINTS, absent="-"),
        Column("turned_p", "p", P),
        Column("why", "why not"),
    )
    note = (
        "What switching to the stub does at the agent's fixed limit, where it is identified: half or more of the bytes "
        "go there, the whole size is told of 95 % of the cut results, at least 200 results and 12 clusters lie within "
        "the bandwidth on each side, sizes do not heap or jump, and placebo limits show nothing. Bias-corrected local "
        "linear jump, 95 % over clusters; turned back: p corrected (Holm). Calls that limit themselves are left out."
    )
    return Table("after-limits", "At the limit", "recorded", note, columns, part.limits)


def habits(part: AfterPart) -> Table:
    columns = (
        AGENT,
        Column("transcripts", "transcripts", COUNT),
        Column("tool_calls", "calls", COUNT),
        Column("repeated_calls", "repeated", COUNT),
        Column("longest_repeat", "longest", COUNT),
        Column("repeated_tokens", "tokens", TOKENS, "measured"),
        Column("limited_calls", "limit themselves", COUNT),
        Column("thrashed", "thrash", COUNT),
        Column("invented", "invented", COUNT),
        Column("removed_results", "removed later", COUNT),
    )
    note = (
        "Repeated: calls with the tool, arguments and result of an earlier one; longest: the most that were alike; "
        "tokens: content of the repeats. Limit themselves: the call cuts its own output (`| head`, `| tail -3`, a "
        "limit, a range). Thrash: values to which three or more calls turned back. Invented: handles and spilled files "
        "that nothing had named. Removed later: results that were whole once; not looked at."
    )
    return Table("after-habits", "Calls for nothing", "recorded", note, columns, part.agents)
