"""The two checks of grounding against each other, and each against the known answer; and the rules of the harness's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.grounding import RULES
from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME, NOT_REPORTED

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

SQUARES = (
    ("checks", "engine passes", "harness traces every argument"),
    ("engine", "engine passes", "right"),
    ("harness", "harness traces every argument", "right"),
)


COLUMNS = (
    Column("engine", "engine", NAME),
    Column("first", "first"),
    Column("second", "second"),
    Column("both", "both", COUNT, instead="_none"),
    Column("first_only", "first only", COUNT, instead="_none"),
    Column("second_only", "second only", COUNT, instead="_none"),
    Column("neither", "neither", COUNT, instead="_none"),
)


def section(part: Engines) -> Table:
    rows = []
    for engine, found in part.summary.rates.items():
        for name, first, second in SQUARES:
            s = getattr(found.grounding, name)
            cells = {"both": s.both, "first_only": s.first_only, "second_only": s.second_only, "neither": s.neither}
            none = {"_none": "" if any(cells.values()) else NOT_REPORTED}
            rows.append({"engine": engine, "first": first, "second": second} | cells | none)
    return Table(
        "checks",
        "Two checks of grounding",
        "live",
        "2 × 2 tables, in turns: how often the engine's own check and the harness's agree, and how each stands to the "
        "known answer. Of the engine's: over the turns that it checked; right but not passed is a right call that it "
        "flagged or held back, passed but not right a wrong one that went through. Harness against the known answer: "
        "over all turns with arguments.",
        COLUMNS,
        rows,
    )


def rules(part: Engines) -> Table | None:
    """The rules by which the harness traces an argument to the input."""
    if not part.run.engine["checked"].fillna(0).sum():
        return None
    return Table(
        "rules",
        "How the harness traces an argument",
        "measured",
        "Every value of a call is held against these rules from top to bottom; the first that fits decides. Being a "
        "member of an enum is no evidence. Ungrounded values count against a turn, all others do not.",
        (Column("rule", "rule"), Column("state", "state"), Column("accepts", "what it accepts")),
        [{"rule": name, "state": str(state), "accepts": meaning} for name, (state, meaning) in RULES.items()],
    )
