"""Which tool was called instead of which."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

MOST = 20
NONE = "(none)"


def section(part: Engines) -> Table | None:
    rows: list[dict[str, Any]] = [
        {"engine": engine, "expected": expected, "called": called, "turns": n}
        for engine in part.engines
        for (expected, called), n in part.confusions[engine].most_common()
    ]
    if not rows:
        return None
    shown = _largest(rows)
    more = len(rows) - len(shown)
    return Table(
        "confusions",
        "Confusions between tools",
        "live",
        "Calls that agree with no expected one in name, in the first repetition, most frequent first. (none): a call "
        "was missing, or one too many." + (f" {more} rarer pairs are in the CSV file." if more else ""),
        COLUMNS,
        rows,
        shown,
    )


COLUMNS = (
    Column("engine", "engine", NAME),
    Column("expected", "expected", NAME),
    Column("called", "called", NAME),
    Column("turns", "times", COUNT),
)


def _largest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda r: (-r["turns"], r["engine"], r["expected"]))[:MOST]


def pairs(turns: pd.DataFrame) -> Counter[tuple[str, str]]:
    """turns: of one engine. Names as they were expected and called."""
    found: Counter[tuple[str, str]] = Counter()
    for text in turns["confusions"].dropna():
        for pair in filter(None, str(text).split("|")):
            expected, _, called = pair.partition(">")
            found[_name(expected), _name(called)] += 1
    return found


def _name(name: str) -> str:
    return NONE if name == "-" else name
