"""What kind of content a tool result is, told from its text.

The kinds are those that agents' results really have: line-numbered source, grep lines, path lists, diffs, logs,
listings, tables, markup, JSON, plain text. The first lines decide; a kind is given where most of them have its shape.
"""

from __future__ import annotations

import re

KINDS = ("empty", "json", "source", "grep", "paths", "diff", "log", "listing", "table", "markup", "text")

LOOK_AT = 8192
SHARE = 0.6

_TIME = r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b"
_LINES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("source", re.compile(r"\s*\d+(?:\t|→|: |\s\|\s|  )")),
    ("log", re.compile(rf"(?:\x1b\[[\d;]*m)*\[?(?:{_TIME})")),
    ("grep", re.compile(r"(?:[\w.@+-]*[/.])[^\s:]*:\d+[:-]|[\w./@+-]+-\d+-|--$")),
    ("listing", re.compile(r"(?:[bcdlps-][rwxsStT-]{9}[.+@]?\s|total \d+$)")),
    ("paths", re.compile(r"(?:\.{0,2}/|[\w.@+-]+/)[^\s:,;(){}\[\]=]*$|[\w@+-]+\.[A-Za-z0-9]{1,5}$")),
    ("markup", re.compile(r"\s*<[/!?A-Za-z]")),
)
_DIFF = re.compile(r"^(?:diff --git |--- .+\n\+\+\+ |@@ -\d+)", re.MULTILINE)
_JSON_START = re.compile(r"""\{\s*(?:"|\})|\[\s*(?:["{\[\]\d-]|true|false|null)""")


def content_kind(text: str, is_json: bool = False) -> str:
    """One of `KINDS`. `is_json` says that the value was recorded as JSON."""
    start = text[:LOOK_AT]
    stripped = start.lstrip()
    if not stripped:
        return "empty"
    if is_json or (_JSON_START.match(stripped) and text[-LOOK_AT:].rstrip()[-1:] in ("}", "]")):
        return "json"
    if _DIFF.search(start):
        return "diff"
    lines = [line for line in start.split("\n")[:200] if line.strip()]
    if len(text) > LOOK_AT and len(lines) > 1:
        lines.pop()
    for kind, pattern in _LINES:
        if sum(1 for line in lines if pattern.match(line)) >= SHARE * len(lines):
            return kind
    return "table" if _is_table(lines) else "text"


def _is_table(lines: list[str]) -> bool:
    if len(lines) < 3:
        return False
    for separator in ("\t", ",", "|", ";"):
        columns = {line.count(separator) for line in lines[:20]}
        if len(columns) == 1 and columns.pop() >= 2:
            return True
    return False
