"""A table for a terminal, as wide as the terminal is.

Where the columns fit they stand side by side, long words in them wrapped; where there are few rows the table is turned;
else its columns are folded into several tables below one another, each with the names at its left.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from harness.report.screen import Screen
from harness.report.table import Cell, Table
from harness.text import harmless, one_line
from harness.text import short as shortened

NARROWEST = 40
PROSE = 100
"""Sentences are no wider than this, however wide the terminal is."""

GAP = 2
LEAST, LEAST_NAME = 14, 24
"""So narrow are columns of words and of names at the least, and never more than a third of the terminal."""

FEW = 4
"""A table of so many rows may be turned."""


def width() -> int:
    """Columns of the terminal, or what `COLUMNS` says; 80 where there is neither."""
    return max(NARROWEST, shutil.get_terminal_size((80, 24)).columns)


def prose(text: str, columns: int, indent: str = "  ") -> str:
    """A sentence in lines, those after the first moved in."""
    whole = harmless(text).replace(" %", "\u00a0%")
    filled = textwrap.fill(whole, min(columns, PROSE), subsequent_indent=indent, break_on_hyphens=False)
    return filled.replace("\u00a0%", " %")


def fitted(text: str, columns: int) -> str:
    """Text of lines of any length, those too wide broken, at a space where there is one."""
    return "\n".join(
        line if len(line) <= columns else "\n".join(_breaker(columns).wrap(line)) or line for line in text.split("\n")
    )


def _breaker(columns: int) -> textwrap.TextWrapper:
    return textwrap.TextWrapper(columns, expand_tabs=False, replace_whitespace=False, break_on_hyphens=False)


def table_text(table: Table, columns: int) -> str:
    """Title, kind and figures, no line wider than `columns`."""
    return _titled(table, columns, lambda rows: grid(table, rows, columns))


def brief_text(table: Table, columns: int) -> str:
    """The same with as many of the columns, from the left, as stand side by side; it says how many more there are."""
    _, found, _ = _lifted(_laid_out(table, table.rows, columns), _names(table), columns)
    most = len(found)
    while most > 2 and not _widths(found[:most], columns):
        most -= 1
    left = len(found) - most
    shown = replace(table, columns=table.columns[: len(table.columns) - left])
    text = _titled(shown, columns, lambda rows: grid(shown, rows, columns))
    return f"{text}\n({left} more columns with --all, and in the report)" if left else text


def _titled(table: Table, columns: int, made: Callable[[list[list[Cell]]], str]) -> str:
    parts = [prose(f"{table.title} ({table.kind})", columns)]
    for heading, rows in table.groups():
        parts += [prose(f"{heading}:", columns)] if heading else []
        parts.append(made(rows))
    return "\n".join(parts)


def answers_text(screen: Screen, columns: int) -> str:
    """What is to be seen first: the subjects across where they are few and fit, else down."""
    answers = screen.answers
    if screen.across:
        title = f"{answers.title} ({answers.kind})"
        asked = screen.questions()
        found = [_Column(title, [answers.heading(column) for column, _ in asked], True)]
        for n, (name, said) in enumerate(screen.heads()):
            head = f"{one_line(shortened(name))} {one_line(said)}".strip()
            found.append(_Column(head, [_cell(cells[n]) for _, cells in asked], True, True))
        if lines := _fitted(found, columns):
            return "\n".join(lines)
    return _titled(answers, columns, lambda rows: grid(answers, rows, columns))


def brief_answers(screen: Screen, columns: int) -> str:
    """The same with as many of the columns as stand side by side, where the subjects are many."""
    return answers_text(screen, columns) if screen.across else brief_text(screen.answers, columns)


def grid(table: Table, rows: Sequence[Sequence[Cell]], columns: int) -> str:
    """The figures alone."""
    whole = _laid_out(table, rows, columns)
    if all(c.words for c in whole) and not _widths(whole, columns):
        return "\n".join(_entries(whole, columns))
    over, found, names = _lifted(whole, _names(table), columns)
    if over or _natural(found) <= columns:
        return "\n\n".join("\n".join(_under(over, part, columns)) for part in _folded(found, names, columns))
    if lines := _fitted(found, columns):
        return "\n".join(lines)
    if len(rows) <= FEW and _widths(turned := _turned(found, names), columns):
        return "\n".join(_fitted(turned, columns))
    return "\n\n".join("\n".join(_fitted(part, columns)) for part in _folded(found, names, columns))


def _entries(found: Sequence[_Column], columns: int) -> list[str]:
    """Words that do not fit side by side: the name of each row, and below it what there is to say."""
    lines = []
    for name, *rest in zip(*(c.cells for c in found), strict=True):
        said = [f"{c.head}: {text}" for c, text in zip(found[1:], rest, strict=True) if text not in ("", "-")]
        lines += [
            shortened(name, columns),
            *textwrap.wrap("; ".join(said), columns, initial_indent="  ", subsequent_indent="  "),
        ]
    return lines


def _names(table: Table) -> int:
    """How many columns at the left hold names and words."""
    return next((n for n, c in enumerate(table.columns) if c.unit.figure), len(table.columns)) or 1


def _lifted(found: list[_Column], names: int, columns: int) -> tuple[list[str], list[_Column], int]:
    """The names that stand over the rows, the columns beside one another, and how many of these are names: the first
    name stands over the rows where it repeats and there is no room."""
    if _natural(found) > columns and names > 1 and len(set(found[0].cells)) < len(found[0].cells):
        return found[0].cells, found[1:], names - 1
    return [], found, names


def _laid_out(table: Table, rows: Sequence[Sequence[Cell]], columns: int) -> list[_Column]:
    return [
        _Column(
            table.heading(c),
            [_cell(row[n]) for row in rows],
            not c.unit.figure,
            floor=min(LEAST_NAME if c.unit.code else LEAST, columns // 3),
        )
        for n, c in enumerate(table.columns)
    ]


def _cell(cell: Cell) -> str:
    return one_line(shortened(cell.text, 60) if cell.column.unit.code else cell.text)


class _Wrap(textwrap.TextWrapper):
    """Lines that may also end behind the marks at which the parts of a name meet."""

    def words(self, text: str) -> list[str]:
        return [word for word in re.split(r"\s+|(?<=[:,/=])(?=\S)", text) if word]

    def lines(self, text: str, columns: int) -> list[str]:
        self.width = columns
        return self.wrap(text)

    def _split(self, text: str) -> list[str]:
        return [part for part in re.split(r"(\s+)|(?<=[:,/=])(?=\S)", text) if part]


_WRAP = _Wrap()


@dataclass(frozen=True)
class _Column:
    """A column laid out. words: it holds words, which may be wrapped down to `floor`; figures may not. right: it is set
    to the right."""

    head: str
    cells: list[str]
    words: bool
    right: bool | None = None
    floor: int = LEAST

    @property
    def natural(self) -> int:
        return max(map(len, [self.head, *self.cells]), default=0)

    @property
    def least(self) -> int:
        """The narrowest it can be: words of a heading stay whole, and so do figures."""
        head = max((min(len(word), self.floor) for word in _WRAP.words(self.head)), default=0)
        cells = (min(len(cell), self.floor) if self.words else len(cell) for cell in self.cells)
        return max(head, *cells, 1)

    def lines(self, text: str, columns: int) -> list[str]:
        side = str.rjust if self.right or (self.right is None and not self.words) else str.ljust
        return [side(line, columns) for line in _WRAP.lines(text, columns) or [""]]


def _natural(found: Sequence[_Column]) -> int:
    return sum(c.natural for c in found) + GAP * (len(found) - 1)


def _widths(found: Sequence[_Column], columns: int) -> list[int]:
    """Of each column, the widest narrowed first; none where even the narrowest are too wide."""
    wide, least = [c.natural for c in found], [c.least for c in found]
    room = columns - GAP * (len(found) - 1)
    if sum(least) > room:
        return []
    while sum(wide) > room:
        wide[max(range(len(wide)), key=lambda n: (wide[n] > least[n], wide[n]))] -= 1
    return wide


def _fitted(found: Sequence[_Column], columns: int) -> list[str]:
    """Head, rule and rows side by side; nothing where they do not fit."""
    return _under([], found, columns) if _widths(found, columns) else []


def _under(over: Sequence[str], found: Sequence[_Column], columns: int) -> list[str]:
    """The same, with a line of its own where the name that stands over the rows changes."""
    wide = _widths(found, columns)
    lines = _side_by_side([c.lines(c.head, w) for c, w in zip(found, wide, strict=True)], bottom=True)
    lines.append((" " * GAP).join("-" * w for w in wide))
    before = ""
    for n, row in enumerate(zip(*(c.cells for c in found), strict=True)):
        if over and over[n] != before:
            before = over[n]
            lines.append(shortened(before, columns))
        lines += _side_by_side([c.lines(text, w) for c, text, w in zip(found, row, wide, strict=True)])
    return lines


def _side_by_side(cells: Sequence[list[str]], bottom: bool = False) -> list[str]:
    deep = max(map(len, cells))
    filled = []
    for cell in cells:
        empty = [" " * len(cell[0])] * (deep - len(cell))
        filled.append([*empty, *cell] if bottom else [*cell, *empty])
    return [(" " * GAP).join(parts).rstrip() for parts in zip(*filled, strict=True)]


def _turned(found: Sequence[_Column], names: int) -> list[_Column]:
    """Figures down, rows across."""
    heads = [", ".join(filter(None, parts)) for parts in zip(*(c.cells for c in found[:names]), strict=True)]
    rest = found[names:]
    return [
        _Column("", [c.head for c in rest], True),
        *(_Column(head, [c.cells[n] for c in rest], any(c.words for c in rest), True) for n, head in enumerate(heads)),
    ]


def _folded(found: Sequence[_Column], names: int, columns: int) -> list[list[_Column]]:
    """Several tables, each with the names at its left, or with the first of them where they leave no room."""
    left = list(found[:names])
    while len(left) > 1 and not all(_widths([*left, column], columns) for column in found[names:]):
        left.pop()
    parts: list[list[_Column]] = []
    block: list[_Column] = []
    for column in found[len(left) :]:
        if block and not _widths([*left, *block, column], columns):
            parts.append([*left, *block])
            block = []
        block.append(column)
    return [*parts, [*left, *block]]
