"""What of a stored result a reference can name: the whole value, and every field of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from harness.evidence.atoms import Argument, Number
from harness.preview import JsonValue, MalformedJson, parse_value, serialize
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


def stored_fields(result: ToolResult, parse: Parse = "recorded") -> frozenset[bytes]:
    """The compact JSON of the value and of all strings and numbers in it that a reference can name."""
    return frozenset(_named(stored_value(result, parse)))


def _named(value: JsonValue) -> Iterator[bytes]:
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += [item for key, item in value.items() if "." not in key]
        elif isinstance(value, list):
            stack += value
        else:
            yield serialize(value)
