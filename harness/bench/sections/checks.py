"""The two checks of grounding against each other, and each against the known answer; and the rules of the harness's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bench.acting import TRACED, sources
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


BY_SOURCE = (
    Column("engine", "engine", NAME),
    Column("source", "traced to"),
    Column("traced", "harness"),
    Column("arguments", "arguments", COUNT),
    Column("passes", "engine passes", COUNT, absent=NOT_REPORTED),
    Column("flags", "engine flags", COUNT, absent=NOT_REPORTED),
)


def by_source(part: Engines) -> Table | None:
    """The 2 × 2 of the two checks in arguments, by what the harness traces each to."""
    rows = [
        {"engine": engine, "source": str(source), "traced": "traces" if source in TRACED else "does not", **cells}
        for engine in part.engines
        for source, cells in sources(part.first(engine)).items()
    ]
    if not rows:
        return None
    return Table(
        "sources",
        "What arguments are traced to",
        "live",
        "Arguments of calls, held back ones too. User and result are evidence, a date that is computed from the day of "
        "speaking among the user's; schema is a default or a value that says nothing. Clock: the day of speaking "
        "itself, which nobody asked for; furniture: markers, descriptors, hints and system prompts; own words: what "
        "the engine itself said before; nothing: no rule finds it. The engine's flags are counted where it checked.",
        BY_SOURCE,
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
