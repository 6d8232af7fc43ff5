"""Which dialect a list of messages is in, and reading it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import cache
from itertools import groupby
from typing import Any, Protocol, cast

from harness.formats.assembly import Assembly
from harness.formats.dialects import DIALECTS
from harness.formats.json_text import compact
from harness.formats.record import Record, kind_of
from harness.registry import load

LOOKED_AT = 60
LONGEST_SHAPE = 160


class Fit(IntEnum):
    """Whether a message is in a dialect."""

    NO = 0  # something in it would be lost
    PLAIN = 1  # nothing would, but others read it as well
    OWN = 2  # it bears what only this dialect has


class Dialect(Protocol):
    """How one API or library writes messages."""

    name: str

    def fit(self, message: dict[str, Any]) -> Fit: ...

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        """Read messages in their order. What is wrong in one is a problem, and costs no more than that."""
        ...


@cache
def dialect_named(name: str) -> Dialect:
    """The dialect of that name; an unknown one is a `HarnessError` that lists all."""
    return cast(Dialect, load(DIALECTS, "harness.dialects", name)())


def all_dialects() -> list[Dialect]:
    return [dialect_named(name) for name in DIALECTS]


def dialect_of(messages: Sequence[Any]) -> Dialect | None:
    """The dialect that reads most of these messages, of those that bear its mark; of plain ones the first. `None` if
    none reads any."""
    listed = [m for m in (*messages[:LOOKED_AT], *messages[LOOKED_AT:][-LOOKED_AT:]) if isinstance(m, dict)]
    best: tuple[bool, int] = (False, 0)
    found = None
    for dialect in all_dialects():
        fits = [dialect.fit(message) for message in listed]
        rank = (Fit.OWN in fits, sum(fit > Fit.NO for fit in fits))
        if rank[1] and rank > best:
            best, found = rank, dialect
    return found


def read_messages(assembly: Assembly, messages: Iterable[Record], dialect: Dialect) -> None:
    """Read messages in `dialect`; one among them that it cannot read and that bears another's mark is read in that
    one, as traces of several libraries mix them."""
    for chosen, run in groupby(messages, lambda message: _reader_of(message.value, dialect)):
        chosen.read(assembly, list(run))


def _reader_of(message: dict[str, Any], dialect: Dialect) -> Dialect:
    if dialect.fit(message) > Fit.NO:
        return dialect
    return next((other for other in all_dialects() if other.fit(message) is Fit.OWN), dialect)


def shape_of(message: Any) -> str:
    """The keys of a message and of what it holds, without any of its text: for a sentence about what is not read."""
    return compact(_shape(message, 0))[:LONGEST_SHAPE]


def _shape(value: Any, depth: int) -> Any:
    if isinstance(value, list):
        return [_shape(value[0], depth + 1)] if value and depth < 3 else []
    if not isinstance(value, dict) or depth >= 3:
        return kind_of(value)
    return {
        str(key)[:40]: inner if key in ("role", "type", "kind") and isinstance(inner, str) else _shape(inner, depth + 1)
        for key, inner in list(value.items())[:8]
    }
