"""Diffs: which files change by how much, then the hunks, then the changed lines, and their surroundings last."""

from __future__ import annotations

import re
from itertools import chain

from harness.preview.excerpt import Plan, heads, in_order, lines_of
from harness.preview.text import clip_string

_FILE = re.compile(r"diff --git a/(.{1,200}?) b/|\+\+\+ (?:b/)?([^\t]{1,200})")


def plan(text: str) -> Plan:
    """Per file the lines added and removed; hunk headings, changes, context."""
    lines = lines_of(text)
    files: dict[str, list[int]] = {}
    hunks: list[int] = []
    changes: list[int] = []
    context: list[int] = []
    name = ""
    for number, line in enumerate(heads(text, lines)):
        if found := _FILE.match(line):
            name = found[1] or found[2]
            files.setdefault(name, [0, 0])
            hunks.append(number)
        elif line.startswith("@@"):
            hunks.append(number)
        elif line[:1] in ("+", "-") and not line.startswith("---"):
            files.setdefault(name, [0, 0])[line[0] == "-"] += 1
            changes.append(number)
        else:
            context.append(number)
    summary = [f"{clip_string(name, 120)} +{added} -{removed}" for name, (added, removed) in files.items()]
    return Plan({"files": len(files)}, summary, in_order(lines, chain(hunks, changes, context)))
