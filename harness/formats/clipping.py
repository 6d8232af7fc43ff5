"""Marks that say: this result was cut before it was recorded.

The list is data with its sources. `clip_marker` names the mark that a result bears; a result may quote another's mark (a
source file of an agent that prints one), so a mark counts only where the agent puts it: at the start, at the end, or on a
line of its own.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Mark(NamedTuple):
    """name: `producer` and what it does. pattern: searched in the result. source: where the wording was read."""

    name: str
    pattern: re.Pattern[str]
    source: str


def _mark(name: str, pattern: str, source: str) -> Mark:
    return Mark(name, re.compile(pattern, re.MULTILINE), source)


MARKS: tuple[Mark, ...] = ()


def clip_marker(text: str) -> str | None:
    """The name of the truncation mark that a result bears, or `None`."""
    return next((m.name for m in MARKS if m.pattern.search(text)), None)
