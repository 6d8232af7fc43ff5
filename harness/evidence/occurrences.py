"""Where an atom stands in a plain text: between the bounds of words, and not as the number of a line.

Layout is no information: the numbers that `cat -n` and its like put before each line (`  12→`, `12<tab>`, `12|`,
`12:` where the next line has 13) do not bear a number, or every page of numbered source would bear all of them. The
numbers of `grep -n` do: they are not consecutive, or a path stands before them.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import lru_cache

from harness.evidence.plain import WORD

MARGIN = 24
"""A line's number and the blanks before it are no longer."""
_ASCII = frozenset(string.ascii_letters + string.digits + "_")
_NUMBER = re.compile(r"[\d.,:+~/@-]+")


@lru_cache(maxsize=2**14)
def is_number(atom: str) -> bool:
    """Whether an atom is made of digits and marks alone."""
    return _NUMBER.fullmatch(atom) is not None


def occurrences(atom: str, text: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Where `atom` starts in a plain text or a range of it. A number is not found in a longer one such as `1,404`."""
    end = len(text) if end is None else end
    at = text.find(atom, start, end)
    while at >= 0:
        if _bounded(atom, text, at):
            yield at
            at = text.find(atom, at + len(atom), end)
        else:
            at = text.find(atom, at + 1, end)


def place(atom: str, text: str, near: int = 0) -> int:
    """Where `atom` occurs in a plain text, -1 if nowhere. It is looked for behind a position first, since what an
    action copies stands there in the same order."""
    at = text.find(atom, near)
    if at < 0 and near:
        at = text.find(atom)
    if at < 0 or _bounded(atom, text, at):
        return at
    return next(occurrences(atom, text), -1)


def stands_in(atom: str, text: str) -> bool:
    """Whether `atom` occurs in a plain text."""
    return place(atom, text) >= 0


def _bounded(atom: str, text: str, start: int) -> bool:
    """Whether the atom that starts there is one, not a part of a longer word or number, nor the number of a line."""
    end = start + len(atom)
    if _joined(text, start, end):
        return False
    return not is_number(atom) or not (_longer(text, start, end) or _line_number(text, start, end))


def _joined(text: str, start: int, end: int) -> bool:
    """Whether a word goes on over an end of the range."""
    return (start > 0 and in_word(text[start - 1])) or (end < len(text) and in_word(text[end]))


def in_word(character: str) -> bool:
    """Whether a character can be part of a word."""
    return character in _ASCII if character < "\x80" else WORD.match(character) is not None


def _longer(text: str, start: int, end: int) -> bool:
    """Whether digits go on behind a point or comma at an end of the range."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    return (len(before) == 2 and before[1] in ".," and before[0].isdecimal()) or (
        len(after) == 2 and after[0] in ".," and after[1].isdecimal()
    )


def _line_number(text: str, start: int, end: int) -> bool:
    mark = text[end : end + 1]
    if not mark or mark not in "\t→|:":
        return False
    line = text.rfind("\n", max(start - MARGIN, 0), start) + 1
    if line == 0 and start > MARGIN:
        return False
    digits = text[line:end].strip()
    if not digits.isdecimal():
        return False
    number = int(digits)
    after = text.find("\n", end) + 1
    if after and _numbered(text, after, number + 1, mark):
        return True
    if line == 0:
        return False
    before = text.rfind("\n", 0, line - 1) + 1
    return _numbered(text, before, number - 1, mark)


def _numbered(text: str, line: int, number: int, mark: str) -> bool:
    digits, found, _ = text[line : line + MARGIN].partition(mark)
    return bool(found) and digits.strip().isdecimal() and int(digits) == number
