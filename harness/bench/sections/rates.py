"""How often: answered, right, grounded; every rate with its count and interval, engines side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.table import Column, Table
from harness.report.units import NAME, OF, REPORTED, SHARE, between

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

RATES = (
    ("answered", "answered, of all turns"),
    ("failed", "failed, over all repetitions"),
    ("right", "right, of all turns"),
    ("exact", "right to the letter, of all turns"),
    ("called_right", "right, of the turns that need a call"),
    ("refused", "right (no call), of the turns that need none"),
    ("grounded", "grounded, of the turns that the engine checked"),
    ("grounded_needed", "grounded, of the turns that need a call"),
    ("traced", "every argument traced by the harness, of the turns with arguments"),
    ("arguments", "arguments traced by the harness, of all arguments"),
)


COLUMNS = (
    Column("of", "rate"),
    Column("engine", "engine", NAME),
    Column(("count", "total"), "turns", OF),
    Column("value", "share", REPORTED),
    Column(("low", "high"), "95 %", between(SHARE)),
)


def section(part: Engines) -> Table:
    rows = []
    for name, said in RATES:
        for engine, rates in part.summary.rates.items():
            one = getattr(rates, name)
            low, high = one.interval or (None, None)
            record = {"rate": name, "of": said, "engine": engine, "count": one.count, "total": one.total}
            rows.append(record | {"value": one.value, "low": low, "high": high})
    return Table(
        "rates",
        "How often right and grounded",
        "live",
        "Right: all calls of the turn agree with the expected ones in name and arguments, alternatives of the task "
        "accepted, case and 3.0 for 3 aside; and no call where none is right. Traced: the harness found where every "
        "argument stands in the input. 95 % Wilson intervals; arguments of one turn belong together, so their interval "
        "is too narrow.",
        COLUMNS,
        rows,
    )
