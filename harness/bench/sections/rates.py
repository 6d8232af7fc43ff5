"""How often: answered, right, grounded; every rate with its count and interval, engines side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.sections import wording as say
from harness.report.by_hand import Section
from harness.report.table import Table

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


def section(part: Engines) -> Table:
    rows, texts = [], []
    for name, said in RATES:
        found = [(engine, getattr(rates, name)) for engine, rates in part.summary.rates.items()]
        cells = [text for _, one in found for text in (say.of(one), say.rate(one), say.interval(one))]
        texts.append([said, *cells])
        for engine, one in found:
            low, high = one.interval or (None, None)
            record = {"rate": name, "of": said, "engine": engine, "count": one.count, "total": one.total}
            rows.append(record | {"value": one.value, "low": low, "high": high})
    heads = [
        head for engine in part.engines for head in (_head(part, engine, "turns"), _head(part, engine, ""), "95 %")
    ]
    return Section(
        "rates",
        "How often right and grounded",
        "live",
        "Right: all calls of the turn agree with the expected ones in name and arguments, alternatives of the task "
        "accepted, case and 3.0 for 3 aside; and no call where none is right. Traced: the harness found where every "
        "argument stands in the input. 95 % Wilson intervals; arguments of one turn belong together, so their interval "
        "is too narrow.",
        ("rate", *heads),
        pd.DataFrame(rows),
        texts,
        brief=True,
        words=frozenset({"rate"}),
    )


def _head(part: Engines, engine: str, what: str) -> str:
    if len(part.engines) == 1:
        return what or "rate"
    return f"{engine}: {what}" if what else engine
