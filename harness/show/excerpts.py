"""Parts of a long text around what is to be seen in it, with the numbers of their lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Piece = tuple[str, bool]

AROUND = 2
"""Lines before and behind a marked one."""
SIDE = 160
"""Characters before and behind a mark in a long line."""
ENDS = 6
"""Lines of the beginning and of the end, where there is no mark."""


@dataclass(frozen=True)
class Line:
    """pieces: its text, each with whether it is marked. number: from 1; `None` for lines that were left out, of which
    `pieces` then says how many."""

    number: int | None
    pieces: tuple[Piece, ...]

    @property
    def marked(self) -> bool:
        return any(flag for _, flag in self.pieces)


def lines_of(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces of a text, by line."""
    found: list[list[Piece]] = [[]]
    for text, flag in pieces:
        first, *rest = text.split("\n")
        found[-1].append((first, flag))
        found += [[(part, flag)] for part in rest]
    return found


def excerpt(pieces: Iterable[Piece], whole: int = 0) -> list[Line]:
    """The marked lines of a text with some around them; its ends where nothing is marked. whole: a text of so
    many lines at most is not cut."""
    lines = lines_of(pieces)
    wanted = {
        at for n, line in enumerate(lines) if any(flag for _, flag in line) for at in range(n - AROUND, n + AROUND + 1)
    }
    if not wanted:
        wanted = {*range(ENDS), *range(len(lines) - ENDS, len(lines))}
    if len(lines) <= whole:
        wanted = set(range(len(lines)))
    found: list[Line] = []
    before = -1
    for n in sorted(w for w in wanted if 0 <= w < len(lines)):
        if n > before + 1:
            found.append(_left_out(n - before - 1))
        found.append(Line(n + 1, tuple(_narrowed(lines[n]))))
        before = n
    if before < len(lines) - 1:
        found.append(_left_out(len(lines) - 1 - before))
    return found


def _left_out(lines: int) -> Line:
    return Line(None, ((f"{lines:,} line{'s' * (lines != 1)} left out", False),))


def _narrowed(line: list[Piece]) -> Iterable[Piece]:
    """A line without the middle of what is long and not marked."""
    for n, (text, flag) in enumerate(line):
        before, behind = n > 0, n + 1 < len(line)
        most = SIDE * 2
        if flag or len(text) <= most:
            yield text, flag
            continue
        begin = text[:SIDE] if before or not behind else ""
        end = text[-SIDE:] if behind or not before else ""
        yield f"{begin}[… {len(text) - len(begin) - len(end):,} characters …]{end}", False
