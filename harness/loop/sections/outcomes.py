"""What came of the tasks under each policy, how runs ended, and what handles were used for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.loop.sections import wording as say
from harness.loop.validity import IDENTITY
from harness.loop.words import NOTHING
from harness.report import wording as base
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.text import count

if TYPE_CHECKING:
    from harness.loop.sections.part import Loop


def policies(part: Loop) -> Table:
    texts = [
        [
            row.driver,
            row.policy,
            count(row.runs),
            say.share(row.passed),
            "-" if row.policy == IDENTITY else say.points(row.difference_low, row.difference_high),
            say.mean(row.requests),
            say.mean(row.tool_calls),
            count(row.input_tokens),
            *(
                ("-", "-")
                if row.policy == IDENTITY
                else (base.change(row.ratio), say.ratios(row.ratio_low, row.ratio_high))
            ),
            base.probability(None if say.missing(row.p) or row.policy == IDENTITY else row.p),
        ]
        for row in part.rows("policies")
    ]
    return Section(
        "policies",
        "Outcomes by policy",
        "live",
        "The same tasks by the same driver; only the policy changes. Requests and tool calls are means a run, input "
        "tokens the total. Differences are paired with identity; 95 % intervals by bootstrap over templates, p of the "
        "input tokens by sign flips over templates, corrected (Benjamini-Hochberg). Under 8 templates: no interval.",
        (
            "driver", "policy", "runs", "passed", "95 % of the difference", "requests", "tool calls", "input tokens",
            "change", "95 %", "p",
        ),
        part.table("policies"),
        texts,
        names=2,
        brief=True,
    )  # fmt: skip


def stops(part: Loop) -> Table:
    table = part.table("stops")
    ends = [str(c) for c in table.columns[2:]]
    return Section(
        "stops",
        "How runs ended",
        "live",
        "Answered: the driver said that it was done, rightly or not. Limit: 64 requests. Circle: the same calls three "
        "times in a row. The others: a turn that brought no calls and no answer, and why.",
        ("driver", "policy", *ends),
        table,
        [[str(row[0]), str(row[1]), *map(count, row[2:])] for row in part.rows("stops")],
        names=2,
    )


def uptake(part: Loop) -> Table | None:
    table = part.table("uptake")
    columns = [str(c) for c in table.columns[2:]]
    return Section(
        "uptake",
        "Handles: uptake",
        "live",
        "Offered: results that came with a handle. Needed: those of them that were cut, where the handle would have "
        "brought what the task needs. Used: references that stood for a value, and handles that were read. Wrong: a "
        "handle with a path that is not there, or not written as a reference. Invented: handles that never were. "
        "Ignored: runs in which one was needed and none was used. " + ("" if len(table) else NOTHING["uptake"]),
        ("driver", "policy", *(c.removeprefix("handles_") for c in columns)),
        table,
        [[str(row[0]), str(row[1]), *map(count, row[2:])] for row in part.rows("uptake")],
        names=2,
    )


def reading(part: Loop) -> Table:
    table = part.table("reading")
    texts = [
        [
            row.driver,
            row.policy,
            count(row.replayed_tokens),
            say.mean(row.at_risk),
            say.mean(row.losses),
            say.mean(row.evidence),
            say.mean(row.added),
            say.share(row.passed),
            say.mean(row.requests),
            count(row.input_tokens),
        ]
        for row in part.rows("reading")
    ]
    return Section(
        "reading",
        "What reading a handle buys",
        "live",
        "car, car_read, and of the truncations nearest to car in tokens of the replayed recording the one that "
        "passes most. Means a run.",
        (
            "driver", "policy", "tokens replayed (measured)", "requests at risk (measured)", "losses (estimated)",
            "added calls, evidence (estimated)", "added requests", "passed", "requests", "input tokens",
        ),
        table,
        texts,
        names=2,
    )  # fmt: skip
