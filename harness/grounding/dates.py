"""The days that stand in a text.

A day may lack its year ("3 May"). Relative days ("tomorrow", "next Friday", "in two weeks") need the day on which they
were said; without it they are no evidence. `3/5` is read as one does here and there.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from harness.grounding.clocks import HOURS, any_of
from harness.grounding.folding import Folded

_MONTH_NAMES = "january february march april may june july august september october november december"
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
_RANKS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""

MONTHS = {name: at for at, name in enumerate(_MONTH_NAMES.split(), start=1)}
_MONTHS = MONTHS | {name[:3]: at for name, at in MONTHS.items()} | {"sept": 9}
WEEKDAYS = {name: at for at, name in enumerate(_DAY_NAMES.split())}
WEEKDAYS |= {name[:3]: at for name, at in WEEKDAYS.items()} | {"tues": 1, "thur": 3, "thurs": 3}
_DAYS = {name: at for at, name in enumerate(_RANKS.split(), start=1)} | {"thirtieth": 30}
_DAYS |= {f"{tens}{dash}{name}": base + at for tens, base in (("twenty", 20), ("thirty", 30))
          for name, at in list(_DAYS.items())[: 9 if base == 20 else 1] for dash in ("-", " ")}  # fmt: skip
_COUNTS = HOURS | {"a": 1, "an": 1, "a couple of": 2}


_DAY = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<dayword>{any_of(_DAYS)}))"
_MONTH = rf"(?P<month>{any_of(_MONTHS)})\b\.?"
_YEAR = r"(?:,? (?:of )?(?P<year>\d{4}))?\b"
_ABSOLUTE = [
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        r"(?P<year>\d{4})年(?P<month>\d{1,2})月(?P<day>\d{1,2})日",
        r"(?<![\d年])(?P<month>\d{1,2})月(?P<day>\d{1,2})日",
        rf"\b(?:the )?{_DAY}(?: of)? {_MONTH}{_YEAR}",
        rf"\b{_MONTH} (?:the )?{_DAY}\b{_YEAR}",
    )
]
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?![\d/]|\.\d)")
_NAMED = re.compile(
    r"\b(?:(?P<after>day after tomorrow)|(?P<before>day before yesterday)|"
    r"(?P<near>today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening))"
    rf"|(?P<which>(?:this|next|coming|following|last|past) )?(?P<weekday>{any_of(WEEKDAYS)}))\b(?P<week> week)?"
)
_AHEAD = re.compile(
    rf"\b(?:(?:in|after) )?(?P<count>\d+|{any_of(_COUNTS)}) (?P<unit>day|week|fortnight|month|year)s?(?: time)?"
    rf"(?P<from> from (?:now|today|tomorrow|(?P<after>{any_of(WEEKDAYS)}))| ago| later)?\b"
)
_LONE_DAY = re.compile(
    rf"\bthe (?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)|(?P<dayword>{any_of(_DAYS)}))\b(?! of (?!next|this))"
)
_PERIOD = re.compile(
    r"\b(?P<end>(?:the )?(?:end|last day) of )?(?P<which>this|next|the) (?P<unit>week|month|weekend)\b"
)
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}
_NEAR = {
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "yesterday": -1,
}


@dataclass(frozen=True, slots=True)
class Day:
    """A day in a text. year: None if it is not said. known: what of it the text says, and what follows from the day of
    speaking: all is said, its year follows, the whole day follows."""

    year: int | None
    month: int
    day: int
    start: int
    end: int
    known: Literal["said", "year", "day"] = "said"

    @property
    def date(self) -> date | None:
        """The day itself, if its year is known."""
        return None if self.year is None else date(self.year, self.month, self.day)

    def means(self, other: Day) -> bool:
        """Whether `other` (a value) says no more than this (the text) does."""
        return (self.month, self.day) == (other.month, other.day) and other.year in (None, self.year)


def days(folded: Folded, today: date | None) -> list[Day]:
    """All readings of all days in a text. With `today` a day without its year gets the years that it can have."""
    found = [*_absolute(folded.text), *_numeric(folded.text)]
    if today is not None:
        found += [
            Day(year, day.month, day.day, day.start, day.end, "year")
            for day in found
            if day.year is None
            for year in (today.year, today.year + 1)
        ]
        found += [Day(day.year, day.month, day.day, *span, "day") for day, span in _relative(folded.text, today)]
    return found


def _absolute(text: str) -> Iterator[Day]:
    for pattern in _ABSOLUTE:
        for found in pattern.finditer(text):
            parts = found.groupdict()
            month = _MONTHS.get(parts["month"]) or int(parts["month"])
            day = _DAYS[parts["dayword"]] if parts.get("dayword") else int(parts["day"])
            year = int(parts["year"]) if parts.get("year") else None
            if _exists(year, month, day):
                yield Day(year, month, day, *found.span())


def _numeric(text: str) -> Iterator[Day]:
    for found in _NUMERIC.finditer(text):
        if found[4] is None and found[2] != "/":
            continue
        year = None if found[4] is None else int(found[4]) + (2000 if len(found[4]) == 2 else 0)
        for day, month in {(int(found[1]), int(found[3])), (int(found[3]), int(found[1]))}:
            if _exists(year, month, day):
                yield Day(year, month, day, *found.span())


def _exists(year: int | None, month: int, day: int) -> bool:
    year = 2000 if year is None else year
    return year > 0 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def _relative(text: str, today: date) -> Iterator[tuple[date, tuple[int, int]]]:
    for found in _NAMED.finditer(text):
        if found["near"] or found["after"] or found["before"]:
            shift = 2 if found["after"] else -2 if found["before"] else _NEAR[found["near"]]
            for more in (0, 7) if found["week"] else (0,):
                yield today + timedelta(shift + more), found.span()
            continue
        ahead = (WEEKDAYS[found["weekday"]] - today.weekday()) % 7
        which = (found["which"] or "").strip()
        shifts = {"next": (ahead, ahead + 7), "last": (ahead - 7,), "past": (ahead - 7,)}.get(
            which, (ahead, ahead or 7)
        )
        for shift in (*shifts, ahead + 7) if found["week"] else shifts:
            yield today + timedelta(shift), found.span()
    for found in _AHEAD.finditer(text):
        count = _COUNTS.get(found["count"]) or int(found["count"])
        back = found["from"] == " ago"
        extra = 1 if (found["from"] or "").endswith("tomorrow") else 0
        if found["after"]:  # a week from Friday
            extra = (WEEKDAYS[found["after"]] - today.weekday()) % 7
        if not (found["from"] or text.startswith(("in ", "after "), found.start())):
            continue
        if count <= 1000 and (day := _shifted(today, -count if back else count, found["unit"])):
            yield day + timedelta(extra), found.span()
    for found in _LONE_DAY.finditer(text):
        day_of_month = _DAYS[found["dayword"]] if found["dayword"] else int(found["day"])
        for months in (0, 1):
            first = _shifted(today.replace(day=1), months, "month")
            if first and _exists(first.year, first.month, day_of_month):
                yield first.replace(day=day_of_month), found.span()
    for found in _PERIOD.finditer(text):
        yield from ((day, found.span()) for day in _period(today, found["which"], found["unit"], bool(found["end"])))


def _period(today: date, which: str, unit: str, is_end: bool) -> Iterator[date]:
    later = which == "next"
    monday = today + timedelta(-today.weekday() + 7 * later)
    if unit == "weekend":
        yield from (monday + timedelta(5), monday + timedelta(6))
    elif unit == "week":
        yield from (monday + timedelta(4), monday + timedelta(6)) if is_end else (monday, today + timedelta(7 * later))
    elif month := _shifted(today.replace(day=1), int(later), "month"):
        last = calendar.monthrange(month.year, month.month)[1]
        yield month.replace(day=last if is_end else 1)
        if later and (same := _shifted(today, 1, "month")):
            yield same


def _shifted(day: date, count: int, unit: str) -> date | None:
    """A day so many days, weeks, months or years later; the last of the month where it has no such day."""
    try:
        if unit in _DAYS_OF:
            return day + timedelta(count * _DAYS_OF[unit])
        months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):  # before year 1, after 9999
        return None
