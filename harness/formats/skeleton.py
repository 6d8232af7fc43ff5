"""What a recording looks like without anything that it says: for a user to send when a format is misread.

Keys that readers know stand as they are, others as their shape (`aaa_aaa9`), texts as their length, numbers as what
they are. Of an array the first elements stand for all.

    harness audit my-recording.json --skeleton > skeleton.json
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from harness.formats.reading import KINDS, records_of
from harness.formats.source import Source

RECORDS = 200
"""Different records of a source that are shown."""
ELEMENTS = 3
DEEPEST = 12
LONGEST_WORD = 40
SAID = (*KINDS, "subtype", "status", "stop_reason", "object", "schema_version")
"""Keys whose value is shown if it is a word that readers know."""


@cache
def vocabulary() -> frozenset[str]:
    """The words that the readers look for: the strings in their code."""
    found: set[str] = set()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= LONGEST_WORD:
                found.add(node.value)
    return frozenset(word for word in found if word and not any(map(str.isspace, word)))


def skeleton(source: Source) -> dict[str, Any]:
    """A source as kinds, keys, lengths and shapes. Records that look alike are shown once, with their number."""
    head = source.head()
    shown: dict[str, dict[str, Any]] = {}
    further = 0
    for record in records_of(source):
        shape = shape_of(record)
        key = repr(_without_lengths(shape))
        if key in shown:
            shown[key]["number"] += 1
        elif len(shown) < RECORDS:
            shown[key] = {"number": 1, "shape": shape}
        else:
            further += 1
    return {"kind": head.kind, "records": list(shown.values()), "further": further}


def shape_of(value: Any, key: str = "", depth: int = 0) -> Any:
    """The shape of one value."""
    if isinstance(value, dict) and depth < DEEPEST:
        return dict(_entries(value, depth))
    if isinstance(value, list) and depth < DEEPEST:
        return [f"{len(value)} elements", *(shape_of(part, key, depth + 1) for part in islice(value, ELEMENTS))]
    if isinstance(value, str):
        return value if key in SAID and value in vocabulary() else f"text of {len(value)}"
    return {bool: "true or false", int: "whole number", float: "number", type(None): "null"}.get(type(value), "deeper")


def _entries(value: dict[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    """Keys that readers know, and one of every other shape, so that a mapping by names stays short."""
    for name, part in value.items():
        known = name in vocabulary()
        yield name if known else f"?{_letters(name)}", shape_of(part, name if known else "", depth + 1)


def _letters(name: str) -> str:
    """Letters as `a`, digits as `9`, runs of one as one; the rest as it is where it is ASCII punctuation."""
    shown = ""
    for letter in name[:LONGEST_WORD]:
        mark = "9" if letter.isdigit() else letter if letter in "_-./:$@" else "a"
        shown += mark if not shown.endswith(mark) else ""
    return shown


def _without_lengths(shape: Any) -> Any:
    if isinstance(shape, dict):
        return {key: _without_lengths(part) for key, part in shape.items()}
    if isinstance(shape, list):
        return sorted({repr(_without_lengths(part)) for part in shape[1:]})
    return "text" if isinstance(shape, str) and shape.startswith("text of ") else shape
