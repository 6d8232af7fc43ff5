"""Listings of a folder (`ls -l`): how many entries of each kind, and the entries from both ends."""

from __future__ import annotations

import re
from collections import Counter

from harness.preview.excerpt import Plan, counted, ends, heads, in_order, lines_of

_ENTRY = re.compile(r"([bcdlps-])[rwxsStT-]{9}")
_NAMES = {"d": "folders", "-": "files", "l": "links"}


def plan(text: str) -> Plan:
    """Lines that are no entries (totals, headings) are shown like the others and not counted."""
    lines = lines_of(text)
    kinds = Counter(_NAMES.get(found[1], "others") for line in heads(text, lines) if (found := _ENTRY.match(line)))
    return Plan({"entries": kinds.total()}, counted(dict(kinds)), in_order(lines, ends(len(lines))))
