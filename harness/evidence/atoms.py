"""What of an action can be traced: the identifiers, paths, numbers and quoted strings in it, and its lines.

An action is what a request led to: the arguments of its tool calls, or, where it made none, its answer. Arguments
that are JSON are taken apart into their values (keys belong to the tool, not to the model); others are one text.

Candidates are nested, the largest first: a quoted string holds paths, a path holds names. What is looked up is the
largest piece that occurs anywhere before; only where it does not are its parts tried. So no piece of an action counts
twice.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from harness.evidence.plain import AFTER, BEFORE, UNIT, WORD, plain
from harness.transcript import Message

Kind = Literal["identifier", "path", "number", "quoted", "run"]

MIN_CHARACTERS = 6
"""Of an identifier, path or quoted string; shorter ones meet by chance."""
MIN_DIGITS = 3
LONG = 16
"""From this length on an atom needs no digit, mark or inner capital."""
MAX_QUOTED = 200

_COMPOUND = rf"{WORD.pattern}(?:[./:@~+-]{{1,3}}+{WORD.pattern})*+"
_THOUSANDS = re.compile(r"[0-9]{1,3},[0-9]{3}")
_QUOTED = re.compile(
    rf""""([^"\n]{{4,{MAX_QUOTED}}})"|`([^`\n]{{4,{MAX_QUOTED}}})`|{BEFORE}'([^'\n]{{4,{MAX_QUOTED}}})'{AFTER}"""
)
_COMPOUNDS = re.compile(_COMPOUND)
_COMPOUNDS_AND_THOUSANDS = re.compile(rf"[0-9]{{1,3}}(?:,[0-9]{{3}})+(?:\.[0-9]+)?{AFTER}|{_COMPOUND}")
_MARKED = re.compile(r"[0-9_/.:-]|[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[^\W\d_]")
_MARKS = (string.punctuation + string.whitespace + "\x00\x07\x08\x1b\x7f").replace("_", "")
_OUTER = re.compile(r"[/:@]+")
_INNER = re.compile(r"[.,+~-]+")


@dataclass(frozen=True, slots=True)
class Argument:
    """One value that the model wrote.

    call: which of the message's calls; -1 for an answer. at: keys and indexes that lead to the value in the call's
    arguments; `()` is the whole. value: as parsed; numbers are kept as they were written. text: its plain form.
    """

    call: int
    at: tuple[str | int, ...]
    value: Any
    text: str


class Candidate(NamedTuple):
    """A piece of an action that may be an atom."""

    text: str
    kind: Kind

    def parts(self) -> tuple[Candidate, ...]:
        """The pieces to try if it occurs nowhere."""
        return _pieces(self.text) if self.kind == "quoted" else _parts(self.text)


class Number(str):
    """A JSON number as it was written."""


def actions(message: Message) -> list[Argument]:
    """The values that an assistant message passes to tools, or its answer if it calls none."""
    if not message.calls:
        return [Argument(-1, (), message.text, plain(message.text))] if message.text else []
    return [
        Argument(n, at, value, plain(value))
        for n, call in enumerate(message.calls)
        for at, value in leaves(parse_arguments(call.arguments))
    ]


def parse_arguments(text: str) -> Any:
    """The value of a call's arguments: JSON with its numbers as written, or the text itself if it is no JSON."""
    if text[:1] not in ("{", "[", '"') and not text[:1].isspace():
        return text
    try:
        return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number, strict=False)
    except (ValueError, RecursionError):
        return text


def leaves(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The strings and numbers inside a value with the way to each, in order."""
    stack = [(at, value)]
    while stack:
        at, value = stack.pop()
        if isinstance(value, str):
            yield at, value
        elif isinstance(value, dict):
            stack += [((*at, key), item) for key, item in reversed(value.items())]
        elif isinstance(value, list):
            stack += [((*at, n), item) for n, item in reversed(list(enumerate(value)))]


def candidates(text: str) -> tuple[Candidate, ...]:
    """The distinctive pieces of a plain text, each once. A short text of one line is a quoted string itself."""
    if len(text) <= MAX_QUOTED and "\n" not in text:
        whole = _quoted(text)
        if whole is not None:
            return (whole,)
    return _pieces(text)


def _pieces(text: str) -> tuple[Candidate, ...]:
    if '"' not in text and "'" not in text and "`" not in text:
        return _pieces_within(text)
    outside: list[str] = []
    found: dict[str, Candidate] = {}
    end = 0
    for match in _QUOTED.finditer(text):
        candidate = _quoted(match[match.lastindex or 0])
        if candidate is not None:
            found[candidate.text] = candidate
            outside.append(text[end : match.start()])
            end = match.end()
    outside.append(text[end:])
    found.update({piece.text: piece for piece in _pieces_within("\n".join(outside)) if piece.text not in found})
    return tuple(found.values())


def _pieces_within(text: str) -> tuple[Candidate, ...]:
    pattern = _COMPOUNDS_AND_THOUSANDS if "," in text and _THOUSANDS.search(text) else _COMPOUNDS
    return tuple(filter(None, map(_compound, dict.fromkeys(pattern.findall(text)))))


def _quoted(text: str) -> Candidate | None:
    """A quoted string of several words; one of a single word is no other piece than that word."""
    text = _trimmed(text)
    return Candidate(text, "quoted") if " " in text and distinctive(text) else None


@lru_cache(maxsize=2**16)
def _compound(text: str) -> Candidate | None:
    if not distinctive(text):
        return None
    if _LETTER.search(text) is None:
        return Candidate(text, "number")
    return Candidate(text, "path" if "/" in text else "identifier")


def _parts(text: str) -> tuple[Candidate, ...]:
    for split in (_OUTER, _INNER):
        parts = split.split(text)
        if len(parts) > 1:
            return tuple(c for part in dict.fromkeys(parts) if (c := _compound(part)) is not None)
    return ()


def distinctive(text: str) -> bool:
    """Whether a piece carries enough to be told from chance (METHOD: atoms); the background is another matter."""
    if _LETTER.search(text) is None:
        return len(_DIGIT.findall(text)) >= MIN_DIGITS
    return len(text) >= LONG or (len(text) >= MIN_CHARACTERS and _MARKED.search(text) is not None)


def _trimmed(text: str) -> str:
    """From its first unit to its last."""
    text = text.strip(_MARKS)
    if text.isascii():
        return text
    spans = [found.span() for found in UNIT.finditer(text)]
    return text[spans[0][0] : spans[-1][1]] if spans else ""
