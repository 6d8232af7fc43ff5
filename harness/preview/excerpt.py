"""Previews that quote: a line of facts, a short summary, and excerpts of the value, the most telling first.

    r3 = log(len=53.7KB, lines=812, errors=2)
    [excerpt of the value, gaps marked by an ellipsis]

A variant (`harness.preview.variants`) says what its kind of content has to tell and in which order its spans are worth
showing; how much of that fits is decided here, once for all variants. Spans are taken in that order until the budget is
used, so a larger budget shows all that a smaller one does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from typing import NamedTuple

from harness.json.value import well_formed
from harness.preview.text import clip_head, clip_string, human_bytes, line_count, utf8_length

WIDTH = 240
"""Characters of a line that are shown before other lines are; the rest of a longer one comes last."""
GAP = "…\n"
GAP_BYTES = 5
"""Of a gap, with the line end that it may need before it."""
SPARED = 200
"""A value this much over the budget is shown whole: preview and hint would be longer."""
OVERHEAD = 320
"""Bytes that a preview, its hint included, may be longer than its budget at most."""
PIECE = 16
"""Bytes; fewer of a span that does not fit are not worth a gap."""

Span = tuple[int, int]


class Plan(NamedTuple):
    """What a variant has to say of a value.

    facts: what it counted, by name. summary: its parts, the most telling first. spans: ranges of characters of the
    value in order of worth; they do not overlap.
    """

    facts: dict[str, int]
    summary: Sequence[str]
    spans: Iterable[Span]


class Shown(NamedTuple):
    """A preview without its hint, and the UTF-8 bytes of the value that it does not quote: what only a summary repeats
    counts as not shown."""

    text: str
    elided_bytes: int


@dataclass(frozen=True)
class Excerpts:
    """A value with its plan, measured once for many budgets."""

    kind: str
    text: str
    plan: Plan

    def render(self, handle: str, budget: int) -> Shown:
        """The preview under a handle: at most `budget` bytes of summary and excerpts. A value that fits stands as it
        is."""
        if self.is_whole(budget):
            return Shown(self.text, 0)
        quota = min(utf8_length(self._summary), budget // 3)
        spans, shown = self._chosen(budget - quota)
        facts = "".join(f", {name}={count}" for name, count in self.plan.facts.items())
        lines = [f"{handle} = {self.kind}(len={human_bytes(self._size)}, lines={line_count(self.text)}{facts})"]
        if quota:
            lines.append(clip_string(self._summary, quota))
        return Shown("\n".join([*lines, self._quoted(spans)]), self._size - shown)

    def is_whole(self, budget: int) -> bool:
        """Whether a budget is enough for the value itself."""
        return self._size <= budget + SPARED

    def amount(self, budget: int) -> tuple[int, int] | None:
        """What the preview depends on: equal for budgets whose previews are equal."""
        if self.is_whole(budget):
            return None
        quota = min(utf8_length(self._summary), budget // 3)
        return quota, self._chosen(budget - quota)[1]

    @cached_property
    def _size(self) -> int:
        return utf8_length(self.text)

    @cached_property
    def _summary(self) -> str:
        return "; ".join(self.plan.summary)

    @cached_property
    def _spans(self) -> list[Span]:
        return list(self.plan.spans)

    @cached_property
    def _costs(self) -> tuple[list[int], list[int]]:
        """Of the first n spans: bytes with their gaps (never falling, so that it can be searched), and bytes alone."""
        starts: set[int] = set()
        ends: set[int] = set()
        costs, sizes, gaps, size = [0], [0], 0, 0
        for start, end in self._spans:
            size += utf8_length(self.text[start:end])
            gaps += 1 - (start in ends) - (end in starts)
            starts.add(start)
            ends.add(end)
            sizes.append(size)
            costs.append(max(costs[-1], size + GAP_BYTES * gaps))
        return costs, sizes

    def _chosen(self, room: int) -> tuple[list[Span], int]:
        """The spans that fit, and their bytes."""
        costs, sizes = self._costs
        count = bisect_right(costs, room) - 1
        spans = self._spans[:count]
        left = room - costs[count] - GAP_BYTES
        if count == len(self._spans) or left < PIECE:
            return spans, sizes[count]
        start, end = self._spans[count]
        piece = clip_head(self.text[start:end], left)
        return [*spans, (start, start + len(piece))], sizes[count] + utf8_length(piece)

    def _quoted(self, spans: Iterable[Span]) -> str:
        parts: list[str] = []
        at = 0
        for start, end in sorted(spans):
            if start > at:
                parts.append(GAP if not parts or parts[-1].endswith("\n") else f"\n{GAP}")
            parts.append(self.text[start:end])
            at = end
        if at < len(self.text):
            parts.append("…" if not parts or parts[-1].endswith("\n") else "\n…")
        return "".join(parts)


def repaired(text: str) -> str:
    """The text without half surrogate pairs; its length in bytes stays."""
    return text if text.isascii() else well_formed(text)


def lines_of(text: str) -> list[Span]:
    """The lines, each with its line end; only `\\n` ends one."""
    found: list[Span] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        found.append((start, end))
        start = end
    return found


def heads(text: str, lines: Iterable[Span]) -> list[str]:
    """The beginnings of lines, without their ends: what patterns look at."""
    return [text[start : min(end, start + WIDTH)].rstrip("\r\n") for start, end in lines]


def in_order(lines: Sequence[Span], order: Iterable[int]) -> Iterator[Span]:
    """The spans of lines, given by number, each once; of long lines the beginning, and what is left of them last."""
    taken: set[int] = set()
    rest: list[Span] = []
    for number in order:
        if number in taken:
            continue
        taken.add(number)
        start, end = lines[number]
        yield start, min(end, start + WIDTH)
        rest += [(at, min(at + WIDTH, end)) for at in range(start + WIDTH, end, WIDTH)]
    yield from rest


def ends(count: int, head: int = 2, tail: int = 1) -> Iterator[int]:
    """Numbers from 0 to `count`, from both ends inwards: so many of the head to so many of the tail."""
    first, last = 0, count - 1
    while first <= last:
        yield from range(first, min(first + head, last + 1))
        first += head
        stop = max(last - tail, first - 1)
        yield from range(last, stop, -1)
        last = stop


def alternate(*orders: Iterable[int]) -> Iterator[int]:
    """One of each of a few in turn, as long as there are any."""
    for turn in zip_longest(*orders):
        yield from (number for number in turn if number is not None)


def round_robin(groups: Iterable[Sequence[int]]) -> Iterator[int]:
    """The first of each group, then the second of each, ..."""
    left = list(groups)
    turn = 0
    while left := [group for group in left if turn < len(group)]:
        yield from (group[turn] for group in left)
        turn += 1


def counted(counts: dict[str, int], most: int = 200) -> list[str]:
    """Names with how often they came."""
    return [f"{clip_string(name, 120)}: {count}" for name, count in islice(counts.items(), most)]
