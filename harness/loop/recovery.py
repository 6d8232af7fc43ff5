"""How a reader comes by what a rendering leaves out: by the handle or file that it names, a narrower call, or pages.

A recovery is told from the context alone: what has been tried stands there as calls, and how far paging has come in
the reader's own words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.loop.driver import Brief, Move, Seen
from harness.loop.signs import handle_of, is_partial, legible, slice_of
from harness.loop.task import Pages, Step
from harness.loop.world import spilled_path
from harness.policies.car_read import READ_TOOL

FILE_ROWS = 32
_SAID = re.compile(r"(Rows|Lines of the file) (\d+) to (\d+)\. So far (\d+)\.")


@dataclass(frozen=True)
class Exchange:
    """A call and what was shown for it. said: the reader's words with the call."""

    step: Step
    shown: str
    said: str


def exchanges(context: Sequence[Seen]) -> list[Exchange]:
    """The calls of a context with their results, in order; the reader makes one call at a time."""
    found = []
    said, step = "", None
    for seen in context:
        if seen.role == "assistant" and seen.calls:
            said, step = seen.text, Step(seen.calls[0].name, json.loads(seen.calls[0].arguments))
        elif seen.role == "tool" and step is not None:
            found.append(Exchange(step, seen.text, said))
    return found


@dataclass(frozen=True)
class _Paging:
    """How far a way of paging has come. kind: as it is said. ended: the last page was the end, or there is no more to
    be had; whole: all rows were seen."""

    kind: str
    pages: Pages
    offset: int
    limit: int
    total: int
    ended: bool
    whole: bool
    seen: tuple[Exchange, ...]

    def move(self) -> Move:
        said = f"{self.kind} {self.offset + 1} to {self.offset + self.limit}. So far {self.total}."
        return Move(said, (self.pages.at(self.offset, self.limit),))


@dataclass(frozen=True)
class Recovery:
    """The recoveries of one reader in one context. searches, handles: as of its temperament."""

    brief: Brief
    searches: bool
    handles: bool
    past: list[Exchange]

    def move(self) -> Move | None:
        """The next recovery to try, `None` if nothing is left to try."""
        tried = [exchange.step for exchange in self.past]
        for step in self._steps():
            if step not in tried:
                return Move("I look closer.", (step,))
        for paging in self._pagings():
            if not paging.ended:
                return paging.move()
        return None

    def _steps(self) -> Iterator[Step]:
        """What the rendering offers, then the narrower call; for counts and sums the narrower call first."""
        procedure = self.brief.procedure
        if procedure.goal == "find":
            yield from self._offered()
        if procedure.narrowed is not None and self.searches:
            yield procedure.narrowed
        if procedure.goal in ("count", "sum"):
            yield from self._handle_pages()

    def _offered(self) -> Iterator[Step]:
        landmark = self.brief.procedure.landmark
        path, handle = self._path(), self._handle()
        if handle is not None and self.searches and landmark:
            yield Step(READ_TOOL, {"handle": handle, "around": landmark})
        yield from self._handle_pages()
        if path is not None and self.searches and landmark and self.brief.offers("grep"):
            yield Step("grep", {"pattern": re.escape(landmark), "path": path})

    def _handle_pages(self) -> Iterator[Step]:
        """The handle's slices from its beginning, as far as the ones before have been seen."""
        handle = self._handle()
        if handle is None:
            return
        offset: int | None = 0
        while offset is not None:
            yield (step := Step(READ_TOOL, {"handle": handle, "offset": offset}))
            known = next((slice_of(e.shown) for e in self.past if e.step == step), None)
            offset = known[2] if known is not None and known[3] else None

    def read_in_full(self) -> str | None:
        """The text of a handle whose slices all stand in the context."""
        handle = self._handle()
        parts: list[str] = []
        offset = 0
        while handle is not None:
            step = Step(READ_TOOL, {"handle": handle, "offset": offset})
            exchange = next((e for e in self.past if e.step == step), None)
            place = slice_of(exchange.shown) if exchange is not None else None
            if exchange is None or place is None:
                return None
            parts.append(legible(exchange.shown))
            offset = place[2]
            if not place[3]:
                return "".join(parts)
        return None

    def paged_total(self) -> int | None:
        """The total over pages that together were the whole."""
        return next((paging.total for paging in self._pagings() if paging.whole), None)

    def paged_parts(self) -> list[str] | None:
        """The pages that together are the whole, if all of them still stand in the context."""
        for paging in self._pagings():
            if paging.whole and not any(is_partial(e.shown) for e in paging.seen):
                return [legible(e.shown) for e in paging.seen]
        return None

    def fold(self, text: str) -> int:
        """The count or sum over the rows in a text."""
        found = re.findall(self.brief.procedure.pattern, text)
        return sum(map(int, found)) if self.brief.procedure.goal == "sum" else len(found)

    def _pagings(self) -> Iterator[_Paging]:
        procedure = self.brief.procedure
        path = self._path()
        if path is not None and self.brief.offers("read_file"):
            step = Step("read_file", {"path": path, "offset": "{offset}", "limit": "{limit}"})
            yield self._paging("Lines of the file", Pages(step, r"(?m)^.*\n", FILE_ROWS))
        if procedure.pages is not None:
            yield self._paging("Rows", procedure.pages)

    def _paging(self, kind: str, pages: Pages) -> _Paging:
        """Follows the pages in the context: a page that is cut itself is asked for again in halves."""
        offset, limit, total, seen = 0, pages.size, 0, []
        ended = whole = False
        for exchange in self.past:
            said = _SAID.match(exchange.said)
            if said is None or said.group(1) != kind:
                continue
            offset, limit, total = (
                int(said.group(2)) - 1,
                int(said.group(3)) - int(said.group(2)) + 1,
                int(said.group(4)),
            )
            if exchange is not self.past[-1] and self._followed(exchange, kind, offset):
                seen.append(exchange)
                continue
            if is_partial(exchange.shown):
                ended, limit = limit == 1, max(1, limit // 2)
                continue
            seen.append(exchange)
            text = legible(exchange.shown)
            total += self.fold(text) if self.brief.procedure.goal in ("count", "sum") else 0
            rows = len(re.findall(pages.rows, text))
            ended = whole = rows < limit
            offset += limit
        return _Paging(kind, pages, offset, limit, total, ended, whole, tuple(seen))

    def _followed(self, exchange: Exchange, kind: str, offset: int) -> bool:
        """Whether paging went on behind this page, so that it had been whole when it was read."""
        later = self.past[self.past.index(exchange) + 1 :]
        said = [_SAID.match(e.said) for e in later]
        return any(m is not None and m.group(1) == kind and int(m.group(2)) - 1 > offset for m in said[:1])

    def _handle(self) -> str | None:
        if not (self.handles and self.brief.offers(READ_TOOL)):
            return None
        return handle_of(self.past[0].shown)

    def _path(self) -> str | None:
        return spilled_path(self.past[0].shown) if self.handles else None
