"""Marks that say: this result was cut before it was recorded.

The list is data with its sources (`marks.toml`). `clip_marker` names the mark that a result bears. A result may quote
another's mark (the source of an agent that prints one, a transcript that is read as a file), so a mark counts only
where its agent puts it: at the start, at the end, on a line of its own, or in the middle of what is left.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Literal, NamedTuple

from harness.preview.recorded import recorded_preview

Kind = Literal["cut", "spilled", "handle", "refused", "removed"]
Where = Literal["start", "end", "line", "head", "middle", "anywhere"]

EDGE = 600  # characters: a mark at an edge is at most this long
MOST = 1000  # places that are looked at in one text
MIDDLE = (
    0.25,
    0.75,
)  # where the seam of a cut in halves stands, as a share of the text; 0.5 but for escapes and headers


class Mark(NamedTuple):
    """name: the producer and what it does. kind, where, pattern, source, last_seen, policies: as `marks.toml` says."""

    name: str
    kind: Kind
    where: Where
    pattern: re.Pattern[str]
    source: str
    last_seen: str
    policies: frozenset[str]

    def stands_in(self, text: str) -> bool:
        """Whether the text bears this mark."""
        if self.where == "start":
            return self.pattern.match(text[: 2 * EDGE].lstrip()) is not None
        if self.where == "end":
            found = list(self.pattern.finditer(text[-EDGE:]))
            return bool(found) and not text[len(text) - min(len(text), EDGE) + found[-1].end() :].strip()
        if self.where == "head":
            text = text[:EDGE]
        found = list(islice(self.pattern.finditer(text), MOST))
        if self.where in ("line", "head"):
            return any(_is_line(text, match) for match in found)
        if self.where == "anywhere":
            return bool(found)
        # A result that was cut twice has two seams; one that quotes them, mostly more.
        return len(found) <= 2 and any(MIDDLE[0] <= match.start() / len(text) <= MIDDLE[1] for match in found)


def _is_line(text: str, match: re.Match[str]) -> bool:
    """Whether a match begins its line and ends one (a carriage return may stand before the line's end)."""
    start, end = match.span()
    return text[max(start - 1, 0) : start] in ("", "\n") and text[end : end + 2].lstrip("\r")[:1] in ("", "\n")


@cache
def marks() -> tuple[Mark, ...]:
    """All marks, in the order in which they are looked for."""
    text = files("harness.formats").joinpath("marks.toml").read_text(encoding="utf-8")
    return tuple(
        Mark(**{**table, "pattern": re.compile(table["pattern"]), "policies": frozenset(table["policies"])})
        for table in tomllib.loads(text)["mark"]
    )


def clip_mark(text: str) -> Mark | None:
    """The truncation mark that a result bears, or `None`. A preview that shows all of a small value cuts nothing."""
    found = next((mark for mark in marks() if mark.stands_in(text)), None)
    if found is not None and found.kind == "handle" and (seen := recorded_preview(text)) is not None and seen.whole:
        return None
    return found


def clip_marker(text: str) -> str | None:
    """Its name."""
    found = clip_mark(text)
    return found.name if found else None


@cache
def left_by(policy: str) -> frozenset[str]:
    """The names of the marks that a policy (a preset's name) leaves in what it cuts."""
    return frozenset(mark.name for mark in marks() if policy in mark.policies)


@cache
def of_kind(kind: Kind) -> frozenset[str]:
    """The names of the marks of one kind."""
    return frozenset(mark.name for mark in marks() if mark.kind == kind)
