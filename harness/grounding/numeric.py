"""Grounding of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from harness.grounding.booleans import Hit
from harness.grounding.dates import MONTHS
from harness.grounding.evidence import Evidence
from harness.grounding.folding import words_of
from harness.grounding.units import comes_to, converted, units_named

_SHARES = (
    (Fraction(1), re.compile(r"\b(?:full|fully|maximum|max|highest|completely|all the way up)\b")),
    (Fraction(0), re.compile(r"\b(?:minimum|min|lowest|all the way down)\b")),
    (Fraction(1, 2), re.compile(r"\b(?:half|halfway|midway|in the middle)\b")),
    (Fraction(1, 4), re.compile(r"\b(?:a |one )quarter\b")),
    (Fraction(3, 4), re.compile(r"\bthree[- ]quarters?\b")),
    (Fraction(1, 3), re.compile(r"\b(?:a|one) third\b")),
    (Fraction(2, 3), re.compile(r"\btwo[- ]thirds\b")),
)
_SHARE_OF_ONE = re.compile(r"\b(?:0(?:\.0)?|zero) (?:to|and|-|–) (?:1(?:\.0)?|one)\b|\bfraction\b|\bratio\b")


def ground_number(found: Evidence, value: float, path: str, schema: Mapping[str, Any], tool: Mapping[str, Any]) -> Hit:
    """Evidence for a number: written or spoken, in another unit, as a share of a range, as a part of a date or time."""
    try:
        wanted = Fraction(repr(value))
    except ValueError:  # NaN and the infinities, which no input says
        return None
    for number in found.numbers:
        if number.value == wanted:
            return number.rule, found.folded.span(number.start, number.end)
    units = units_named(path, schema, tool)
    if _is_share(schema):
        units = [*units, *units_named("ratio", {}, {})]
    for quantity in found.quantities:
        for unit in units:
            exact = converted(quantity, unit)
            if exact is not None and comes_to(exact, wanted):
                return "unit", found.folded.span(quantity.start, quantity.end)
    return _share(found, wanted, path, schema, tool) or _part(found, wanted, path)


def _is_share(schema: Mapping[str, Any]) -> bool:
    return schema.get("maximum") == 1 or bool(_SHARE_OF_ONE.search(str(schema.get("description") or "").lower()))


def _share(found: Evidence, wanted: Fraction, path: str, schema: Mapping[str, Any], tool: Mapping[str, Any]) -> Hit:
    """`full`, `half` and the like of a range that the schema states, or of a percentage."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is None and any(unit.dimension == "ratio" and unit.size != 1 for unit in units_named(path, schema, tool)):
        low, high = 0, 100
    if not isinstance(high, int | float):
        return None
    low = low if isinstance(low, int | float) else 0
    first, last = Fraction(repr(low)), Fraction(repr(high))
    for share, said in _SHARES:
        if comes_to(first + share * (last - first), wanted) and (match := said.search(found.folded.text)):
            return "share of range", found.folded.span(*match.span())
    return None


def _part(found: Evidence, wanted: Fraction, path: str) -> Hit:
    name = words_of(path)
    for start, end, value in _parts(found, set(name)):
        if value == wanted:
            return "part of a date or time", found.folded.span(start, end)
    return None


def _parts(found: Evidence, name: set[str]) -> Iterator[tuple[int, int, int]]:
    if name & {"hour", "hours"}:
        for clock in found.clocks:
            yield from ((clock.start, clock.end, minute // 60) for minute in clock.minutes)
    if name & {"minute", "minutes"}:
        for clock in found.clocks:
            yield from ((clock.start, clock.end, minute % 60) for minute in clock.minutes)
    for day in found.days:
        for part, value in (("year", day.year), ("month", day.month), ("day", day.day)):
            if part in name and value is not None:
                yield day.start, day.end, value
    if "month" in name:
        yield from ((word.start, word.end, MONTHS[word.text]) for word in found.folded.words if word.text in MONTHS)
