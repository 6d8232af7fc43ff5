"""Reading one JSON record whose fields may be missing or of any type.

record = Record(value, "run.json: messages[3]", problems.append)
record.string("role")                        # "" if absent; if it is no string also a problem, with its place
for block in record.records("content"): ...  # elements that are no objects are problems too
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from harness.transcript import Problem

Report = Callable[[Problem], None]


class Record:
    """A JSON object with its place: a source's name, then `: ` and the path of keys in it.

    Absent and null are silent; a wrong type is a problem that costs the field only.
    """

    __slots__ = ("place", "report", "value")

    def __init__(self, value: dict[str, Any], place: str, report: Report) -> None:
        self.value, self.place, self.report = value, place, report

    def at(self, key: str) -> str:
        """The place of a field."""
        return f"{self.place}{'.' if ': ' in self.place else ': '}{key}"

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def raw(self, key: str) -> Any:
        return self.value.get(key)

    def string(self, key: str) -> str:
        found = self.value.get(key)
        if found is None or isinstance(found, str):
            return found or ""
        self.wrong(key, found, "a string")
        return ""

    def text(self, key: str) -> str | None:
        """A string, or `None` where there is none (an empty one stays)."""
        return self.string(key) if self.value.get(key) is not None else None

    def integer(self, key: str) -> int | None:
        """A count: a whole number from 0 on."""
        found = self.value.get(key)
        if found is None:
            return None
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
        if isinstance(found, float) and found.is_integer() and found >= 0:
            return int(found)
        self.wrong(key, found, "a count")
        return None

    def boolean(self, key: str) -> bool | None:
        found = self.value.get(key)
        if found is None or isinstance(found, bool):
            return found
        self.wrong(key, found, "true or false")
        return None

    def time(self, key: str) -> float | None:
        """Seconds since the epoch, of a number of (milli-, micro-, nano-) seconds or of ISO 8601 text; naive
        text is UTC."""
        found = self.value.get(key)
        seconds = seconds_of(found)
        if seconds is None and found is not None:
            self.wrong(key, found, "a time")
        return seconds

    def record(self, key: str) -> Record:
        """An object; where it is absent or of another type, an empty one."""
        found = self.value.get(key)
        if found is not None and not isinstance(found, dict):
            self.wrong(key, found, "an object")
        return Record(found if isinstance(found, dict) else {}, self.at(key), self.report)

    def records(self, key: str) -> Iterator[Record]:
        """The objects of an array."""
        yield from records(self.array(key), self.at(key), self.report)

    def array(self, key: str) -> list[Any]:
        found = self.value.get(key)
        if found is None or isinstance(found, list):
            return found or []
        self.wrong(key, found, "an array")
        return []

    def said(self, key: str) -> Any:
        """What a message says, a text, an object or parts; anything else is a problem."""
        found = self.value.get(key)
        if found is None or isinstance(found, (str, dict, list)):
            return found
        self.wrong(key, found, "a text or parts")
        return None

    def wrong(self, key: str, found: object, expected: str) -> None:
        self.problem(f"{key} is {kind_of(found)}, not {expected}", lost=0)

    def problem(self, reason: str, lost: int = 1) -> None:
        self.report(Problem(self.place, reason, lost))


def records(values: list[Any], place: str, report: Report) -> Iterator[Record]:
    """The objects among `values`; the others are problems that cost a record each."""
    for i, value in enumerate(values):
        if isinstance(value, dict):
            yield Record(value, f"{place}[{i}]", report)
        else:
            report(Problem(f"{place}[{i}]", f"{kind_of(value)} where an object belongs"))


def kind_of(value: object) -> str:
    """What a JSON value is, for a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return "a number"
    names: dict[type, str] = {str: "a string", list: "an array", dict: "an object"}
    return names.get(type(value), type(value).__name__)


DIGITS = 25
"""Of a time in nanoseconds, and some: what has more is no time."""


def seconds_of(value: object) -> float | None:
    """Seconds since the epoch; `None` for what is no time."""
    if isinstance(value, str):
        if value.isdigit():
            value = int(value) if value.isdecimal() and len(value) <= DIGITS else None
        else:
            try:
                moment = datetime.fromisoformat(value)
                return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
            except (ValueError, OverflowError):
                return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) >= 10**DIGITS:
        return None
    for unit in (1, 1e3, 1e6, 1e9):
        if 0 <= value / unit < 1e11 / 2:
            return value / unit
    return None
