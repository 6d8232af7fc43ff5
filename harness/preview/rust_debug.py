"""Text as Rust's `{:?}` writes it: in quotes, with `\\u{..}` for what has no glyph of its own.

Which code points those are depends on the Unicode version of the compiler and differs from Python's
`str.isprintable`, so
the table is data: `rust_escapes.txt`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_NAMED = {"\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def debug_string(text: str) -> str:
    """The text as Rust's `{:?}` of a `str` writes it, quotes included."""
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
    ranges = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in escaped_ranges())
    return re.compile(f'[\\0\\t\\n\\r"\\\\{ranges}]')


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _NAMED.get(character) or f"\\u{{{ord(character):x}}}"
