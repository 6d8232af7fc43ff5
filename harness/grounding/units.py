"""Quantities in a text, and what they come to in another unit: "half an hour" is 30 minutes.

A unit is converted only into one that the schema names, in the argument's name, its description, or the tool's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from harness.grounding.folding import Folded, words_of
from harness.grounding.numbers import Number

_TABLE = """
time         1/1000   ms msec millisecond milliseconds millis
time         1        s sec secs second seconds
time         60       m min mins minute minutes
time         3600     h hr hrs hour hours
time         86400    d day days
time         604800   w wk week weeks
time         1209600  fortnight fortnights
length       1/1000   mm millimeter millimeters millimetre millimetres
length       1/100    cm centimeter centimeters centimetre centimetres
length       1        m meter meters metre metres
length       1000     km kms kilometer kilometers kilometre kilometres
length       1609.344 mi mile miles
length       0.3048   ft foot feet
length       0.0254   in inch inches
length       0.9144   yd yard yards
speed        1        kmh kph
speed        1.609344 mph
mass         1        g gram grams
mass         1000     kg kgs kilo kilos kilogram kilograms
mass         453.59237 lb lbs pound pounds
mass         28.349523125 oz ounce ounces
volume       1        ml milliliter milliliters millilitre millilitres
volume       10       cl
volume       1000     l liter liters litre litres
data         1        b byte bytes
data         1000     kb kilobyte kilobytes
data         1e6      mb megabyte megabytes megs
data         1e9      gb gigabyte gigabytes gigs
data         1e12     tb terabyte terabytes
money        1        cent cents
money        100      dollar dollars euro euros eur usd
temperature  1        celsius centigrade c °c
temperature  2        fahrenheit f °f
ratio        1/100    percent % percentage pct
ratio        1        fraction ratio
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, in so many of its dimension's basic unit. Of temperatures, 1 is Celsius and 2 Fahrenheit."""

    dimension: str
    size: Fraction


_UNITS: dict[str, list[Unit]] = {}
for _line in _TABLE.strip().splitlines():
    _dimension, _size, *_names = _line.split()
    for _name in _names:
        _UNITS.setdefault(_name, []).append(Unit(_dimension, Fraction(_size)))
_ALONE = frozenset({"m", "s", "h", "d", "w", "g", "l", "b", "c", "f", "in", "min", "second"})
"""Names that mean something else so often that they count only beside a number, or as the end of a name (`delay_s`)."""
_GLUE = re.compile(r"[\s-]*(?:(?:of )?(?:a|an|the)\s+|of\s+)?(?P<degrees>degrees? )?(?=[^\W\d_]|[%°])")
_UNIT_WORD = re.compile(r"°\s?[cf]\b|%|[^\W\d_]+")
_JOIN = re.compile(r"\s*,?\s*(?:and\s+)?")
_AND_HALF = re.compile(r"\s+and\s+(?:a|an|one)?\s*(half|quarter)\b")
_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}
_HOUR = Unit("time", Fraction(3600))
_GLUED_MINUTES = re.compile(r"\d{1,2}\b")
_ARTICLE = re.compile(r"\b(?:an?|the next|per|every|each)\s+([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a unit. start, end: its place in `Folded.text`."""

    value: Fraction
    unit: Unit
    start: int
    end: int


def quantities(folded: Folded, numbers: list[Number]) -> list[Quantity]:
    """The quantities of a text, sums of neighbours ("an hour and 20 minutes") among them."""
    single = list(_counted(folded.text, numbers))
    inside = {at for found in single for at in range(found.start + 1, found.end)}  # no "an hour" in "half an hour"
    single += [found for found in _articles(folded.text) if found.start not in inside]
    halves = [
        Quantity(found.value + _PARTS[more[1]], found.unit, found.start, more.end())
        for found in single
        if found.value.denominator == 1 and (more := _AND_HALF.match(folded.text, found.end))
    ]
    return [*single, *halves, *_sums(folded.text, single, numbers)]


def _counted(text: str, numbers: list[Number]) -> Iterator[Quantity]:
    for number in numbers:
        glue = _GLUE.match(text, number.end)
        if glue is None or (
            glue[0].removesuffix(glue["degrees"] or "").strip(" -")
            and not (number.fraction or number.rule == "number words")
        ):
            continue
        word = _UNIT_WORD.match(text, glue.end())
        if word is None:
            continue
        for unit in _UNITS.get(word[0].replace(" ", ""), ()):
            yield Quantity(number.value, unit, number.start, word.end())


def _articles(text: str) -> Iterator[Quantity]:
    for found in _ARTICLE.finditer(text):
        if len(found[1]) > 2:
            for unit in _UNITS.get(found[1], ()):
                yield Quantity(Fraction(1), unit, found.start(), found.end())


def _sums(text: str, single: list[Quantity], numbers: list[Number]) -> Iterator[Quantity]:
    """`1 hour 20 minutes`, `an hour and 20`, `1h20`: a smaller unit behind a larger one."""
    by_start: dict[int, list[Quantity]] = {}
    for quantity in single:
        by_start.setdefault(quantity.start, []).append(quantity)
    minutes: dict[int, list[Number]] = {}
    for number in numbers:
        if number.value < 60 and number.value.denominator == 1:
            minutes.setdefault(number.start, []).append(number)
    for first in single:
        join = _JOIN.match(text, first.end)
        start = join.end() if join else first.end
        for second in by_start.get(start, ()):
            if second.unit.dimension == first.unit.dimension and second.unit.size < first.unit.size:
                total = first.value + second.value * second.unit.size / first.unit.size
                yield Quantity(total, first.unit, first.start, second.end)
        if first.unit == _HOUR:
            for number in minutes.get(start, ()):
                yield Quantity(first.value + number.value / 60, first.unit, first.start, number.end)
            if glued := _GLUED_MINUTES.match(text, first.end):
                yield Quantity(first.value + Fraction(glued[0]) / 60, first.unit, first.start, glued.end())


def units_named(path: str, schema: Mapping[str, Any], tool: Mapping[str, Any]) -> list[Unit]:
    """The units that the schema names for an argument: in its name, else its description, else the tool's."""
    name = words_of(path.rpartition(".")[2])
    texts = (str(schema.get("description") or ""), f"{tool.get('name', '')} {tool.get('description') or ''}")
    if found := [unit for word in name for unit in _UNITS.get(word, ()) if word not in _ALONE or word == name[-1]]:
        return found
    for text in texts:
        folded = Folded(text)
        words = [word.text for word in folded.words] + re.findall(r"%|°[cf]", folded.text)
        if found := [unit for word in words if word not in _ALONE for unit in _UNITS.get(word, ())]:
            return found
    return []


def converted(quantity: Quantity, unit: Unit) -> Fraction | None:
    """The quantity in another unit, or None if that is of another kind."""
    if quantity.unit.dimension != unit.dimension:
        return None
    if unit.dimension != "temperature":
        return quantity.value * quantity.unit.size / unit.size
    if quantity.unit == unit:
        return quantity.value
    return (quantity.value - 32) * 5 / 9 if unit.size == 1 else quantity.value * 9 / 5 + 32


def comes_to(exact: Fraction, value: Fraction) -> bool:
    """Whether a value is this number, exactly or rounded to the places that it has (at most three)."""
    if exact == value:
        return True
    return any(value == round(exact, places) for places in range(4)) and abs(exact) >= 1
