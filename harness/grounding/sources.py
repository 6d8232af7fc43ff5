"""Who said what an engine saw of a turn: the user, a tool's result, the clock, or furniture that nobody meant.

    said = Said.of(turn.context, turn.input, turn.today)
    ground_call(call, tool, said)

Only the user's words and the values of results are evidence. The sentence that states the day is what relative days
are counted from, and no evidence by itself. What a policy puts into a result (markers, descriptors, hints), a system
prompt, and what the engine itself said before are no evidence at all; but a handle or a path that a marker offers may
be passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Any

from harness.grounding.evidence import Evidence, stated_day
from harness.grounding.folding import Folded
from harness.grounding.furniture import furniture
from harness.grounding.span import Span


class Source(StrEnum):
    """What a value is traced to. Of these `user`, `result` and `schema` (a default, or a value that says nothing) are
    no inventions."""

    USER = "user"
    RESULT = "result"
    SCHEMA = "schema"
    CLOCK = "clock"
    FURNITURE = "furniture"
    OWN = "own words"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Piece:
    """A stretch of the input from one source. start: its place in the whole, in characters."""

    source: Source
    text: str
    start: int
    today: date | None

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence(self.text, self.today)


class Said:
    """The input of a turn, in pieces. text: all of it. offers: handles and paths that a policy's markers name."""

    def __init__(self, text: str, parts: Iterable[tuple[Source, int, int]], offers: frozenset[str], today: date | None):
        self.text = text
        self.offers = offers
        parts = list(parts)
        if today is None:
            stated = (stated_day(Folded(text[start:end])) for _, start, end in parts)
            today = next((day for day, _ in filter(None, stated)), None)
        self.pieces = [Piece(source, text[start:end], start, today) for source, start, end in parts]

    @classmethod
    def of(cls, context: Iterable[Mapping[str, Any]], input_text: str, today: date | None = None) -> Said:
        """The messages before (role, content), and what the user says; a paragraph each."""
        messages = [(str(m.get("role")), str(m.get("content") or "")) for m in context]
        text, at = "", 0
        parts: list[tuple[Source, int, int]] = []
        offers: set[str] = set()
        for role, content in [*((role, content) for role, content in messages if content), ("user", input_text)]:
            at = len(text) + 2 if text else 0
            text += ("\n\n" if text else "") + content
            own, named = _split(role, content)
            parts += [(source, at + start, at + end) for source, start, end in own if start < end]
            offers |= named
        return cls(text, parts, frozenset(offers), today)

    def from_sources(self, *sources: Source) -> Iterator[Piece]:
        """The pieces of these sources, source by source; of each the last said first."""
        for source in sources:
            yield from (piece for piece in reversed(self.pieces) if piece.source == source)

    def place(self, piece: Piece, span: Span | None) -> Span | None:
        return None if span is None else (piece.start + span[0], piece.start + span[1])

    def shows(self, handle: str) -> Span | None:
        """Where a handle (`r1`) stands, in a marker too."""
        for piece in self.pieces:
            if span := piece.evidence.phrase(piece.evidence.words, [handle]):
                return self.place(piece, span)
        return None


def _split(role: str, content: str) -> tuple[list[tuple[Source, int, int]], set[str]]:
    if role in ("tool", "function"):
        cuts, offers = furniture(content)
        pieces = list(_around(content, Source.RESULT, cuts, Source.FURNITURE))
        whole = [(Source.FURNITURE, 0, len(content))] if cuts else []  # a descriptor copied with the values in it
        return pieces + whole, offers
    own = {"user": Source.USER, "assistant": Source.OWN}.get(role, Source.FURNITURE)
    return list(_around(content, own, _clock(content), Source.CLOCK)), set()


def _around(content: str, own: Source, cuts: list[Span], other: Source) -> Iterator[tuple[Source, int, int]]:
    edges = [0, *(edge for cut in cuts for edge in cut), len(content)]
    for at, (start, end) in enumerate(pairwise(edges)):
        yield other if at % 2 else own, start, end


_BEFORE = re.compile(r"(?:^|[.!?\n])\s*(?:the )?$", re.IGNORECASE)
_AFTER = re.compile(
    r"(?:,? (?:and )?(?:it is |the time is |at )?\d{1,2}:\d\d(?::\d\d)?(?: ?(?:[ap]m|utc|gmt))?)?\s*\.?(?=\s|$)",
    re.IGNORECASE,
)


def _clock(content: str) -> list[Span]:
    """The sentence that states the day of speaking, if it says nothing else."""
    stated = stated_day(Folded(content))
    if stated is None:
        return []
    start, end = stated[1]
    after = _AFTER.match(content, end)
    return [(start, after.end())] if after and _BEFORE.search(content[:start]) else []
