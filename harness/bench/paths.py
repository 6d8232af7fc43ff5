"""Where a value stands inside the arguments of a call: `city`, `start.x[0].y`, as engines and task files write it."""

from __future__ import annotations

from collections.abc import Iterator

from harness.json.value import JsonValue


def leaves(value: JsonValue, path: str = "") -> Iterator[tuple[str, JsonValue]]:
    """The values with nothing below them (scalars, empty lists and objects), each with its path, in order."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    elif path:
        yield path, value


def places(value: JsonValue, path: str = "") -> Iterator[str]:
    """All paths, those of lists and objects too."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, f"{path}[{index}]")
