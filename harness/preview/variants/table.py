"""Tables as text: columns with their types, how many rows, and the rows at both ends."""

from __future__ import annotations

import re
from itertools import chain

from harness.preview.excerpt import Plan, ends, heads, in_order, lines_of
from harness.preview.text import clip_string

SEPARATORS = ("\t", ",", "|", ";")
SAMPLE = 200
"""Rows from which the types are told."""
TYPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("int", re.compile(r"[+-]?\d{1,19}")),
    ("float", re.compile(r"[+-]?\d{0,19}\.\d{0,19}(?:[eE][+-]?\d{1,3})?%?")),
    ("date", re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.Z+-]{1,20})?")),
    ("bool", re.compile(r"(?i:true|false|yes|no)")),
)


def plan(text: str) -> Plan:
    """The first line names the columns; a line of rules below it is no row."""
    lines = lines_of(text)
    shown = heads(text, lines)
    if not shown:
        return Plan({}, (), ())
    first = [line for line in shown[:20] if line] or [""]
    separator = max(SEPARATORS, key=lambda mark: min(line.count(mark) for line in first))
    names = _cells(shown[0], separator)
    rows = [_cells(line, separator) for line in shown[1 : SAMPLE + 1] if set(line) - set("-+=|: \t")]
    columns = [
        f"{clip_string(name, 60)} {_type([row[n] for row in rows if n < len(row)])}" for n, name in enumerate(names)
    ]
    order = chain((0,), ends(len(lines)))
    return Plan({"columns": len(names)}, columns, in_order(lines, order))


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.strip(" |" if separator == "|" else " ").split(separator)]


def _type(cells: list[str]) -> str:
    filled = [cell for cell in cells if cell]
    if not filled:
        return "empty"
    return next((name for name, pattern in TYPES if all(map(pattern.fullmatch, filled))), "text")
