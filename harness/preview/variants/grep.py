"""Lines of a search: how many hits each file has, and the first hits of every file before the second ones."""

from __future__ import annotations

import re
from itertools import chain

from harness.preview.excerpt import Plan, counted, heads, in_order, lines_of, round_robin

_HIT = re.compile(r"(?:(.{1,200}?):\d+:|([^:]{1,200}):|(.{1,200}?)-\d+-)")


def plan(text: str) -> Plan:
    """Counts a file; hits before the lines around them."""
    lines = lines_of(text)
    hits: dict[str, list[int]] = {}
    around: list[int] = []
    for number, line in enumerate(heads(text, lines)):
        found = _HIT.match(line)
        if found is None or found[3] is not None:
            around.append(number)
        else:
            hits.setdefault(found[1] or found[2], []).append(number)
    counts = {name: len(numbers) for name, numbers in hits.items()}
    order = chain(round_robin(hits.values()), around)
    return Plan({"hits": sum(counts.values()), "files": len(hits)}, counted(counts), in_order(lines, order))
