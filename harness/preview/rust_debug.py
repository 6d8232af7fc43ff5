"""Text as Rust's `{:?}` writes it: in quotes, with `\\u{..}` for what has no glyph of its own.

Which code points those are depends on the Unicode version of the compiler and differs from Python's `str.isprintable`,
so the table is data: `rust_escapes.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

_COMMON = (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"), ("\0", "\\0"))


def debug_string(text: str) -> str:
    """The text as Rust's `{:?}` of a `str` writes it, quotes included."""
    for character, escape in _COMMON:
        text = text.replace(character, escape)
    return f'"{_pattern().sub(_escape, text)}"'


@cache
def escaped_ranges() -> tuple[tuple[int, int], ...]:
    """First and last code point of every range that is written as `\\u{..}`."""
    ranges = []
    at = 0
    for line in files(__package__).joinpath("rust_escapes.txt").read_text(encoding="utf-8").splitlines():
        for entry in () if line.startswith("#") else line.split():
            step, _, length = entry.partition("+")
            first = at + int(step, 16)
            at = first + int(length or "0", 16)
            ranges.append((first, at))
    return tuple(ranges)


@cache
def _pattern() -> re.Pattern[str]:
    # Only a class below U+10000 is compiled to a bitmap; one that goes beyond is searched range by range.
    low = _class((first, min(last, 0xFFFF)) for first, last in escaped_ranges() if first <= 0xFFFF)
    high = _class((max(first, 0x10000), last) for first, last in escaped_ranges() if last > 0xFFFF)
    return re.compile(f"[{low}]|(?=[\U00010000-\U0010ffff])[{high}]")


def _class(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found[0]):x}}}"
