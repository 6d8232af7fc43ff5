"""How far off the estimate of added calls is, by family and driver, by need and by policy; and where it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.loop.sections import wording as say
from harness.loop.validity import REASONS
from harness.loop.words import CHECK, worst_line
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.text import count

if TYPE_CHECKING:
    from harness.loop.sections.part import Loop

NOTE = (
    "The estimate is taken from the driver's own run under identity and set against what it then did. Covered: the "
    "share of runs whose added requests lie in [low, high], with a 95 % interval over templates; and of the runs that "
    "passed, since one that gives up stops early and makes fewer calls for that. Width: high less low. "
    "Error: mean absolute error, of the estimate by evidence and of always saying low or high. Rank correlation: "
    "Spearman's, over policies, of mean added requests with the mean estimate. "
)
HEADS = (
    "runs", "covered", "95 %", "of those passed", "width", "added (live)", "evidence", "error", "error of low",
    "error of high", "rank correlation",
)  # fmt: skip


def families(part: Loop) -> Table | None:
    return _section(part, "validity", "family", "Estimate against loop, by family", brief=True)


def needs(part: Loop) -> Table | None:
    return _section(part, "validity_by_need", "need", "Estimate against loop, by what the task needs")


def policies(part: Loop) -> Table | None:
    return _section(part, "validity_by_policy", "policy", "Estimate against loop, by policy")


def _section(part: Loop, name: str, by: str, title: str, brief: bool = False) -> Table | None:
    table = part.table(name)
    if table.empty:
        return None
    texts = [
        [
            row.driver,
            str(getattr(row, by)),
            count(row.runs),
            say.share(row.covered),
            say.shares(row.covered_low, row.covered_high),
            say.share(row.covered_passed),
            *map(say.mean, (row.width, row.added, row.evidence, row.error_evidence, row.error_low, row.error_high)),
            say.mean(row.rank_correlation),
        ]
        for row in part.rows(name)
    ]
    return Section(name, title, "estimated", NOTE + CHECK, ("driver", by, *HEADS), table, texts, names=2, brief=brief)


def misses(part: Loop) -> Table | None:
    table = part.table("failures")
    if table.empty:
        return None
    said = worst_line(part.run.loop)
    causes = " ".join(f"{cause.capitalize()}: {REASONS[cause]}." for cause in REASONS if cause in set(table.cause))
    return Section(
        "failures",
        "Where the estimate fails, and why",
        "estimated",
        (f"{said} " if said else "") + "Runs whose added requests lie outside [low, high], by family and reason; the "
        "share is of all runs of the family. " + causes,
        ("family", "cause", "runs", "share of runs"),
        table,
        [[row.family, row.cause, count(row.runs), say.share(row.share)] for row in part.rows("failures")],
        names=2,
    )


def losses(part: Loop) -> Table | None:
    table = part.table("losses")
    if table.empty:
        return None
    texts = [
        [
            row.driver,
            row.policy,
            *map(count, (row.runs, row.failed, row.foreseen, row.failed_foreseen)),
            _of(row.failed_foreseen, row.foreseen),
            count(row.failed_else),
            _of(row.failed_else, row.runs - row.foreseen),
        ]
        for row in part.rows("losses")
    ]
    return Section(
        "losses",
        "Losses against failures",
        "estimated",
        "What the estimate counts as lost is no call, so it is held against failures: over tasks that the driver "
        "passes under identity, how many runs fail where a loss was foreseen, and where none was.",
        (
            "driver", "policy", "runs", "failed (live)", "loss foreseen", "of these failed (live)", "share",
            "failed, none foreseen (live)", "share",
        ),
        table,
        texts,
        names=2,
    )  # fmt: skip


def _of(part: int, whole: int) -> str:
    return say.share(part / whole) if whole else "-"
