"""How far off the estimate of added calls is, by family and driver, by need and by policy; and where it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.loop.sections.outcomes import KEYS
from harness.loop.validity import REASONS
from harness.loop.words import CHECK, worst_line
from harness.report.table import Column, Table
from harness.report.units import COUNT, MEAN, NAME, PART, SHARE, between

if TYPE_CHECKING:
    from harness.loop.sections.part import Loop

NOTE = (
    "The estimate is taken from the driver's own run under identity and set against what it then did. Covered: the "
    "share of runs whose added requests lie in [low, high], with a 95 % interval over templates; and of the runs that "
    "passed, since one that gives up stops early and makes fewer calls for that. Width: high less low. "
    "Error: mean absolute error, of the estimate by evidence and of always saying low or high. Rank correlation: "
    "Spearman's, over policies, of mean added requests with the mean estimate. "
)
VALIDITY = (
    Column("runs", "runs", COUNT),
    Column("covered", "covered", SHARE),
    Column(("covered_low", "covered_high"), "95 %", between(SHARE)),
    Column("covered_passed", "of those passed", SHARE),
    Column("width", "width", MEAN),
    Column("added", "added", MEAN, "live"),
    Column("evidence", "evidence", MEAN),
    Column("error_evidence", "error", MEAN),
    Column("error_low", "error of low", MEAN),
    Column("error_high", "error of high", MEAN),
    Column("rank_correlation", "rank correlation", MEAN),
)
FAILURES = (
    Column("family", "family", NAME),
    Column("cause", "cause"),
    Column("runs", "runs", COUNT),
    Column("share", "share of runs", SHARE),
)
LOSSES = (
    *KEYS,
    Column("runs", "runs", COUNT),
    Column("failed", "failed", COUNT, "live"),
    Column("foreseen", "loss foreseen", COUNT),
    Column("failed_foreseen", "of these failed", COUNT, "live"),
    Column(("failed_foreseen", "foreseen"), "share", PART),
    Column("failed_else", "failed, none foreseen", COUNT, "live"),
    Column(("failed_else", "_else"), "share", PART),
)


def families(part: Loop) -> Table:
    return _table(part, "validity", "family", "Estimate against loop, by family")


def needs(part: Loop) -> Table:
    return _table(part, "validity_by_need", "need", "Estimate against loop, by what the task needs")


def policies(part: Loop) -> Table:
    return _table(part, "validity_by_policy", "policy", "Estimate against loop, by policy")


def _table(part: Loop, name: str, by: str, title: str) -> Table:
    columns = (KEYS[0], Column(by, by, NAME), *VALIDITY)
    return Table(name, title, "estimated", NOTE + CHECK, columns, part.table(name))


def misses(part: Loop) -> Table | None:
    table = part.table("failures")
    if table.empty:
        return None
    said = worst_line(part.run.loop)
    causes = " ".join(f"{cause.capitalize()}: {REASONS[cause]}." for cause in REASONS if cause in set(table.cause))
    return Table(
        "failures",
        "Where the estimate fails, and why",
        "estimated",
        (f"{said} " if said else "") + "Runs whose added requests lie outside [low, high], by family and reason; the "
        "share is of all runs of the family. " + causes,
        FAILURES,
        table,
    )


def losses(part: Loop) -> Table | None:
    table = part.table("losses")
    if table.empty:
        return None
    return Table(
        "losses",
        "Losses against failures",
        "estimated",
        "What the estimate counts as lost is no call, so it is held against failures: over tasks that the driver "
        "passes under identity, how many runs fail where a loss was foreseen, and where none was.",
        LOSSES,
        table.assign(_else=table.runs - table.foreseen),
    )
