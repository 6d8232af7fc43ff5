"""What of a stored result a reference can name: the whole value, and every field of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from harness.evidence.atoms import Argument, Number
from harness.evidence.occurrences import stands_in
from harness.evidence.plain import plain
from harness.policies.rendering import Rendering
from harness.preview import JsonValue, MalformedJson, parse_value, serialize
from harness.preview.paths import Path, names_path
from harness.transcript import ToolResult

Parse = Literal["recorded", "sniff"]
"""Whether only what was recorded as JSON is JSON, or also a text that parses as an array or object."""


def stored_value(result: ToolResult, parse: Parse = "recorded") -> JsonValue:
    """The value that a handle keeps: JSON if the result is, else its text."""
    if result.is_json or (parse == "sniff" and result.value.lstrip()[:1] in ("{", "[")):
        try:
            return parse_value(result.value)
        except MalformedJson:
            pass
    return result.value


def argument_json(argument: Argument) -> bytes:
    """The compact JSON of an argument's value."""
    try:
        return serialize(parse_value(str(argument.value)) if isinstance(argument.value, Number) else argument.value)
    except MalformedJson:
        return b""


class StoredFields:
    """A stored value, and the paths by which a reference names it, its strings and its numbers."""

    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self._paths: dict[bytes, list[Path]] = {}
        for path, leaf in _leaves(value):
            self._paths.setdefault(serialize(leaf), []).append(path)

    def paths(self, argument: bytes) -> list[Path]:
        """The paths to what equals an argument, given as compact JSON."""
        return self._paths.get(argument, [])

    def seen(self, argument: bytes, view: Rendering) -> bool:
        """Whether a rendering shows a path to what equals an argument."""
        return any(self._shows(view, path) for path in self.paths(argument))

    def _shows(self, view: Rendering, path: Path) -> bool:
        if view.preview is not None:
            return names_path(self.value, path, view.preview)
        text = plain(view.text)
        return all(isinstance(step, str) and stands_in(plain(step), text) for step in path)


def stored_fields(result: ToolResult, parse: Parse = "recorded") -> StoredFields:
    """The fields of a result as a handle keeps it."""
    return StoredFields(stored_value(result, parse))


def _leaves(value: JsonValue) -> Iterator[tuple[Path, JsonValue]]:
    stack: list[tuple[Path, JsonValue]] = [((), value)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, Mapping):
            stack += [((*path, key), item) for key, item in value.items() if "." not in key]
        elif isinstance(value, list):
            stack += [((*path, n), item) for n, item in enumerate(value)]
        else:
            yield path, value
