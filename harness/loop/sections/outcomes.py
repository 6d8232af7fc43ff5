"""What came of the tasks under each policy, how runs ended, and what handles were used for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.loop.validity import IDENTITY
from harness.report.table import Column, Table
from harness.report.units import CHANGE, COUNT, MEAN, NAME, POINTS, SHARE, TOKENS, P, between

if TYPE_CHECKING:
    from harness.loop.sections.part import Loop

KEYS = (Column("driver", "driver", NAME), Column("policy", "policy", NAME))
POLICIES = (
    *KEYS,
    Column("runs", "runs", COUNT),
    Column("passed", "passed", SHARE),
    Column(("difference_low", "difference_high"), "95 % of the difference", between(POINTS), instead="_identity"),
    Column("requests", "requests", MEAN),
    Column("tool_calls", "tool calls", MEAN),
    Column("input_tokens", "input tokens", TOKENS),
    Column("ratio", "change", CHANGE, instead="_identity"),
    Column(("ratio_low", "ratio_high"), "95 %", between(CHANGE), instead="_identity"),
    Column("p", "p", P, instead="_identity"),
)
READING = (
    *KEYS,
    Column("replayed_tokens", "tokens replayed", TOKENS, "measured"),
    Column("at_risk", "requests at risk", MEAN, "measured"),
    Column("losses", "losses", MEAN, "estimated"),
    Column("evidence", "added calls, evidence", MEAN, "estimated"),
    Column("added", "added requests", MEAN),
    Column("passed", "passed", SHARE),
    Column("requests", "requests", MEAN),
    Column("input_tokens", "input tokens", TOKENS),
)


def policies(part: Loop) -> Table:
    table = part.table("policies")
    return Table(
        "policies",
        "Outcomes by policy",
        "live",
        "The same tasks by the same driver; only the policy changes. Requests and tool calls are means a run, input "
        "tokens the total. Differences are paired with identity; 95 % intervals by bootstrap over templates, p of the "
        "input tokens by sign flips over templates, corrected (Benjamini-Hochberg). Under 8 templates: no interval.",
        POLICIES,
        table.assign(_identity=table.policy.map(lambda policy: "-" if policy == IDENTITY else "")),
        brief=True,
    )


def stops(part: Loop) -> Table:
    table = part.table("stops")
    return Table(
        "stops",
        "How runs ended",
        "live",
        "Answered: the driver said that it was done, rightly or not. Limit: 64 requests. Circle: the same calls three "
        "times in a row. The others: a turn that brought no calls and no answer, and why.",
        (*KEYS, *(Column(str(end), str(end), COUNT) for end in table.columns[2:])),
        table,
    )


def uptake(part: Loop) -> Table:
    table = part.table("uptake")
    counted = (Column(str(name), str(name).removeprefix("handles_"), COUNT) for name in table.columns[2:])
    return Table(
        "uptake",
        "Handles: uptake",
        "live",
        "Offered: results that came with a handle. Needed: those of them that were cut, where the handle would have "
        "brought what the task needs. Used: references that stood for a value, and handles that were read. Wrong: a "
        "handle with a path that is not there, or not written as a reference. Invented: handles that never were. "
        "Ignored: runs in which one was needed and none was used.",
        (*KEYS, *counted),
        table,
    )


def reading(part: Loop) -> Table:
    return Table(
        "reading",
        "What reading a handle buys",
        "live",
        "car, car_read, and of the truncations nearest to car in tokens of the replayed recording the one that "
        "passes most. Means a run.",
        READING,
        part.table("reading"),
    )
