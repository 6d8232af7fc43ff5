"""Sections and screens of which the texts were made by hand, until their kinds give typed columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from harness.report.screen import Fact, Screen
from harness.report.table import Column, Quote, Table
from harness.report.units import NAME, TEXT, Unit

FIGURE = Unit("text", str, "-", figure=True)


def Section(
    name: str,
    title: str,
    kind: str,
    note: str,
    headings: tuple[str, ...],
    frame: pd.DataFrame,
    texts: list[list[str]],
    names: int = 1,
    words: frozenset[str] = frozenset(),
    targets: Mapping[int, str] | None = None,
    quotes: tuple[Quote, ...] = (),
    brief: bool = False,
) -> Table:
    columns = tuple(
        Column(str(n), h, FIGURE if n >= names else TEXT if h in words else NAME) for n, h in enumerate(headings)
    )
    shown = [{str(n): text for n, text in enumerate(row)} for row in texts]
    return Table(name, title, kind, note, columns, frame, shown, brief=brief, targets=targets or {}, quotes=quotes)


def screen(
    headline: str,
    kind: str,
    caption: str,
    heads: Iterable[tuple[str, str]],
    rows: list[tuple[str, bool, list[str]]],
    facts: list[Fact],
) -> Screen:
    columns = [Column("name", caption, NAME)]
    columns += [Column(str(n), question, FIGURE, main=main) for n, (question, main, _) in enumerate(rows)]
    data = [
        {"name": name, "said": said} | {str(n): row[2][at] for n, row in enumerate(rows)}
        for at, (name, said) in enumerate(heads)
    ]
    return Screen(headline, Table("answers", caption, kind, "", tuple(columns), data), tuple(facts), "said")
