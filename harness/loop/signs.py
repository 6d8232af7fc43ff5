"""What a reader can tell from a rendering alone: whether something is missing, and what is offered for it."""

from __future__ import annotations

import re

from harness.formats.clipping import clip_marker

_MISSING = re.compile(
    r"\[[^\]\n]{0,200}\b(?:left out|cleared|omitted|truncated|elided|removed|pruned|written to|hidden)\b"
    r"|tokens truncated|characters elided|response clipped|result too large",
    re.IGNORECASE,
)
GAP = "⋯"
"""Stands, for the reader, where something is left out."""

_GAP = re.compile(
    r"…\d+ (?:tokens|chars) truncated…"
    r"|\[[^\]\n]{0,200}\b(?:left out|omitted|truncated|elided|removed|pruned)\b[^\]\n]*\]"
)
_PREVIEW = re.compile(r"(r\d+) = ")
_WHOLE_TEXT = re.compile(r'r\d+ = text\(len=[^,()]*, lines=\d+\) "(.*)"\n\[', re.DOTALL)
_WHOLE_SCALAR = re.compile(r"r\d+ = (?:-?\d|true|false|null)")
_SLICE = re.compile(r"\[bytes (\d+) to (\d+) of (r\d+), (\d+) after them\]\n")


def is_partial(shown: str) -> bool:
    """Whether a result looks as if something of it were missing."""
    if _PREVIEW.match(shown):
        return not (_WHOLE_TEXT.match(shown) or _WHOLE_SCALAR.match(shown))
    return _MISSING.search(shown) is not None or clip_marker(shown) is not None


def legible(shown: str) -> str:
    """A rendering as one reads it: the escapes of a preview undone, the text of a whole one alone, a slice without its
    heading, and a mark where something is left out, so that nothing is read across the gap."""
    if whole := _WHOLE_TEXT.match(shown):
        return _unescaped(whole.group(1))
    if _PREVIEW.match(shown):
        return _unescaped(shown.replace('", tail="', f'"\n{GAP}\n'))
    return _GAP.sub(f"\n{GAP}\n", _SLICE.sub("", shown, count=1) if shown.startswith("[bytes ") else shown)


def _unescaped(text: str) -> str:
    known = {"n": "\n", "t": "\t", "r": "\r"}
    return re.sub(r"\\(.)", lambda m: known.get(m.group(1), m.group(1)), text)


def handle_of(shown: str) -> str | None:
    """The handle under which a rendering says that the value is kept."""
    found = _PREVIEW.match(shown)
    return found.group(1) if found and f"${found.group(1)}" in shown else None


def slice_of(shown: str) -> tuple[str, int, int, int] | None:
    """Of a slice of a handle: the handle, its first byte, the byte after its last, and how many follow."""
    found = _SLICE.match(shown)
    return (found.group(3), int(found.group(1)), int(found.group(2)), int(found.group(4))) if found else None
