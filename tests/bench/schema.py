"""A check of values against the part of JSON Schema that the task files use; what it does not know, it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,),
    "integer": (int,), "number": (int, float),
}  # fmt: skip
_KNOWN = {"type", "description", "enum", "default", "minimum", "maximum", "items", "properties", "required"}


def faults(value: Any, schema: dict[str, Any], path: str = "") -> Iterator[str]:
    """What is wrong with a value, one phrase each."""
    if unknown := set(schema) - _KNOWN:
        yield f"{path}: the schema has {unknown}"
    kinds = _KINDS[schema["type"]]
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        yield f"{path}: {value!r} is no {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{path}: {value!r} is under {schema['minimum']}"
    if "maximum" in schema and value > schema["maximum"]:
        yield f"{path}: {value!r} is over {schema['maximum']}"
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from faults(item, schema["items"], f"{path}[{at}]")
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{path}: {name!r} is missing"
        for name, item in value.items():
            if name not in schema["properties"]:
                yield f"{path}: {name!r} is unknown"
            else:
                yield from faults(item, schema["properties"][name], f"{path}.{name}")
