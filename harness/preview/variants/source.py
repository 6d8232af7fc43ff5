"""Source with line numbers: the first lines, then the outline of its definitions, outer ones first, each with its
number as it stands in the value."""

from __future__ import annotations

import re
from itertools import chain

from harness.preview.excerpt import Plan, ends, heads, in_order, lines_of

FIRST = 6
"""Lines at the beginning that come before the outline: what a file says of itself."""
_NUMBER = re.compile(r"\s*\d+(?:\t|→|: |\s\|\s|  ?)")
_WORDS = (
    "export|default|public|private|protected|static|async|abstract|final|pub(?:\\([a-z]{1,9}\\))?|unsafe|inline|open"
)
_KINDS = (
    "def|class|func|fn|function|struct|enum|trait|impl|interface|module|namespace|type|macro_rules!|object|protocol"
)
_DEFINITION = re.compile(rf"(\s*)(?:(?:(?:{_WORDS})\s+){{0,4}}(?:{_KINDS})\b|#{{1,4}}\s\S)")


def plan(text: str) -> Plan:
    """Head, outline, then the rest from both ends inwards."""
    lines = lines_of(text)
    depths: dict[int, int] = {}
    for number, line in enumerate(heads(text, lines)):
        start = found.end() if (found := _NUMBER.match(line)) else 0
        if definition := _DEFINITION.match(line, start):
            depths[number] = len(definition[1].expandtabs(4))
    outline = sorted(depths, key=lambda number: (depths[number], number))
    order = chain(range(min(FIRST, len(lines))), outline, ends(len(lines)))
    return Plan({"definitions": len(depths)}, (), in_order(lines, order))
