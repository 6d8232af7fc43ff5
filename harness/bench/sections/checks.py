"""The two checks of grounding against each other, and each against the known answer; and the rules of the harness's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.sections import wording as say
from harness.grounding import RULES
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.text import count

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

SQUARES = (
    ("checks", "engine passes", "harness traces every argument"),
    ("engine", "engine passes", "right"),
    ("harness", "harness traces every argument", "right"),
)


def section(part: Engines) -> Table:
    rows, texts = [], []
    for engine, found in part.summary.rates.items():
        for name, first, second in SQUARES:
            s = getattr(found.grounding, name)
            cells = {"both": s.both, "first_only": s.first_only, "second_only": s.second_only, "neither": s.neither}
            rows.append({"engine": engine, "first": first, "second": second} | cells)
            shown = [count(v) for v in cells.values()] if any(cells.values()) else [say.NOT_REPORTED] * 4
            texts.append([engine, first, second, *shown])
    return Section(
        "checks",
        "Two checks of grounding",
        "live",
        "2 × 2 tables, in turns: how often the engine's own check and the harness's agree, and how each stands to the "
        "known answer. Of the engine's: over the turns that it checked; right but not passed is a right call that it "
        "flagged or held back, passed but not right a wrong one that went through. Harness against the known answer: "
        "over all turns with arguments.",
        ("engine", "first", "second", "both", "first only", "second only", "neither"),
        pd.DataFrame(rows),
        texts,
        names=3,
        brief=True,
        words=frozenset({"first", "second"}),
    )


def rules(part: Engines) -> Table | None:
    """The rules by which the harness traces an argument to the input."""
    if not part.run.engine["checked"].fillna(0).sum():
        return None
    texts = [[name, str(state), meaning] for name, (state, meaning) in RULES.items()]
    return Section(
        "rules",
        "How the harness traces an argument",
        "measured",
        "Every value of a call is held against these rules from top to bottom; the first that fits decides. Being a "
        "member of an enum is no evidence. Ungrounded values count against a turn, all others do not.",
        ("rule", "state", "what it accepts"),
        pd.DataFrame(texts, columns=["rule", "state", "accepts"]),
        texts,
        names=3,
        words=frozenset({"rule", "state", "what it accepts"}),
    )
