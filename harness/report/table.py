"""A table once: plain values, and columns that know their heading, kind, unit and meaning.

Every output is made of the same object: HTML and Markdown (`section_html`, `table_markdown`), a terminal
(`table_text`), CSV and JSON (`Table.frame`, `Table.records`), which hold numbers as numbers. A kind of run writes

    TIMES = (
        Column("engine", "engine", NAME),
        Column("n", "n", COUNT),
        Column("median", "median", SECONDS),
        Column(("low", "high"), "95 % interval", between(SECONDS)),
    )

    def times(part: Engines) -> Table:
        return Table("times", "Times", "live", NOTE, TIMES, part.summary.times)

and names `times` among the `SECTIONS` of its part (`harness.report.sections`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.report.units import TEXT, Unit, is_absent

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """One column for a reader.

    key: of the plain value in a row; several where the unit writes several, an interval's ends for example. kind: of
    the figures, where it is not the table's. meaning: what it is, in a sentence. absent: stands where there is no
    value, in place of what the unit says. instead: key of a text that stands in place of the figure in the rows that
    have one (`exact`, `withheld, under 32 tokens`). main: the figure to look at first. shade: of shares on a page,
    `bar` (as long as it is large) or `heat` (the darker, the smaller). detail: of a first screen, left
    out where there is little room.
    """

    key: str | tuple[str, ...]
    heading: str
    unit: Unit = TEXT
    kind: str = ""
    meaning: str = ""
    absent: str | None = None
    instead: str = ""
    main: bool = False
    shade: str = ""
    detail: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key,) if isinstance(self.key, str) else self.key

    def text(self, row: Row) -> str:
        """The cell for a reader."""
        if self.instead and not is_absent(said := row.get(self.instead)) and said:
            return str(said)
        return self.unit.text(*(row.get(key) for key in self.keys), absent=self.absent)

    def value(self, row: Row) -> Any:
        """The plain value to sort by; `None` where there is none."""
        found = [row.get(key) for key in self.keys]
        return None if is_absent(found[0]) else self.unit.rank(*found)


@dataclass(frozen=True)
class Quote:
    """Text that an engine or a model wrote, shown as it is and never run. anchor: its place in the page."""

    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Cell:
    """What stands in one place of a table. value: to sort by; `None` where there is nothing to sort."""

    text: str
    value: Any
    column: Column


@dataclass(frozen=True)
class Table:
    """A table with what a reader has to know of it.

    name: of its anchor and its file. kind: of all figures (measured, estimated, live, recorded), unless a column says
    another. note: what it shows. columns: for a reader; none where the table is only for programs. data: the rows; keys
    that no column names go into CSV and JSON alone, those that begin with `_` go to a reader alone. shown: the rows
    that a reader sees, where they are other than `data`. group: key by which rows stand under a heading of their own.
    brief: fit for the summary on a terminal. folded: closed at first on a page, and not in Markdown. targets: by row,
    the anchor in the page that its first cell leads to.
    """

    name: str
    title: str
    kind: str
    note: str = ""
    columns: tuple[Column, ...] = ()
    data: pd.DataFrame | Sequence[Row] = ()
    shown: pd.DataFrame | Sequence[Row] | None = None
    group: str = ""
    brief: bool = False
    folded: bool = False
    targets: Mapping[int, str] = field(default_factory=dict)
    quotes: tuple[Quote, ...] = ()

    @property
    def frame(self) -> pd.DataFrame:
        """The plain values, for CSV."""
        import pandas as pd

        whole = pd.DataFrame(list(self.data)) if isinstance(self.data, Sequence) else self.data
        return whole[[key for key in whole.columns if not str(key).startswith("_")]]

    def records(self) -> list[dict[str, Any]]:
        """The plain values, for JSON: a row a mapping, `None` for what is not there."""
        return [{k: v for k, v in row.items() if not k.startswith("_")} for row in records(self.data)]

    def keys(self) -> dict[str, dict[str, str]]:
        """What each key of `records` is, for docs: heading, unit, kind and meaning."""
        return {
            key: {"heading": c.heading, "unit": c.unit.name, "kind": self.kind_of(c), "meaning": c.meaning}
            for c in self.columns
            for key in c.keys
            if not key.startswith("_")
        }

    @property
    def headings(self) -> list[str]:
        """With the kind behind those whose figures are of another kind than the table's."""
        return [self.heading(c) for c in self.columns]

    def heading(self, column: Column) -> str:
        other = column.kind and column.kind != self.kind
        return f"{column.heading} ({column.kind})" if other else column.heading

    def kind_of(self, column: Column) -> str:
        return column.kind or self.kind

    @property
    def rows(self) -> list[list[Cell]]:
        """The cells for a reader."""
        return [self.cells(row) for row in records(self.data if self.shown is None else self.shown)]

    def cells(self, row: Row) -> list[Cell]:
        return [Cell(c.text(row), c.value(row), c) for c in self.columns]

    @property
    def texts(self) -> list[list[str]]:
        """The cells as a reader sees them."""
        return [[cell.text for cell in row] for row in self.rows]

    def groups(self) -> Iterator[tuple[str, list[list[Cell]]]]:
        """Heading and cells of each group of rows, in the order in which they first stand; without `group` one group
        with no heading."""
        found: dict[str, list[list[Cell]]] = {}
        for row in records(self.data if self.shown is None else self.shown):
            found.setdefault(str(row[self.group]) if self.group else "", []).append(self.cells(row))
        yield from found.items()

    def without(self, heading: str) -> Table:
        """For a reader without a column of names, unless it is the only one; programs keep it."""
        named = [c for c in self.columns if not c.unit.figure]
        if len(named) < 2 or heading not in {c.heading for c in named}:
            return self
        return replace(self, columns=tuple(c for c in self.columns if c.heading != heading or c.unit.figure))

    def is_empty(self) -> bool:
        return not len(self.data if self.shown is None else self.shown)


def records(rows: pd.DataFrame | Sequence[Row]) -> list[dict[str, Any]]:
    """Rows as mappings, `None` for what is not there (`None`, NaN, NA and infinities)."""
    if isinstance(rows, Sequence):
        return [{key: None if is_absent(value) else value for key, value in row.items()} for row in rows]
    plain = rows.astype("object").where(rows.notna(), None)
    return [
        {str(key): None if is_absent(value) else value for key, value in row.items()}
        for row in plain.to_dict("records")
    ]
