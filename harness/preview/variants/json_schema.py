"""JSON: its shape to a depth, then the text from both ends.

{total: int, items: [120 x {id: int, name: text}]}
"""

from __future__ import annotations

from harness.json.value import JsonValue, MalformedJson, parse_value
from harness.preview.excerpt import Plan
from harness.preview.text import clip_string
from harness.preview.variants import text as text_variant

DEPTH = 4
KEYS = 24
"""Of one object; there may be thousands."""
NODES = 400
"""Of the whole shape."""


def plan(text: str) -> Plan:
    """What is no JSON is shown as text."""
    spans = text_variant.plan(text).spans
    try:
        value = parse_value(text)
    except MalformedJson:
        return Plan({}, (), spans)
    return Plan({}, (_Shape().of(value, DEPTH),), spans)


class _Shape:
    """Writes the shape of a value, at most `NODES` parts of it."""

    def __init__(self) -> None:
        self.left = NODES

    def of(self, value: JsonValue, depth: int) -> str:
        self.left -= 1
        if isinstance(value, dict):
            return self._object(value, depth) if value and depth and self.left > 0 else f"{{{len(value)} keys}}"
        if isinstance(value, list):
            if not value or not depth or self.left <= 0:
                return f"[{len(value)}]"
            return f"[{len(value)} x {self.of(value[0], depth - 1)}]"
        if isinstance(value, bool) or value is None:
            return "null" if value is None else "bool"
        return "text" if isinstance(value, str) else "int" if isinstance(value, int) else "float"

    def _object(self, value: dict[str, JsonValue], depth: int) -> str:
        fields: list[str] = []
        for key in value:
            if len(fields) == KEYS or self.left <= 0:
                fields.append(f"… {len(value) - len(fields)} more")
                break
            fields.append(f"{clip_string(key, 40)}: {self.of(value[key], depth - 1)}")
        return "{" + ", ".join(fields) + "}"
