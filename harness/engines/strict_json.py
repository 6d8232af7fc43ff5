"""JSON as serde reads it into declared types: what is expected where, and a refusal that names the place.

Objects stay lists of pairs, so that a key given twice is seen; numbers stay as written. What a type does not declare
is only looked over: its strings may hold half surrogate pairs, its numbers may be out of range.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.json.value import MAX_DEPTH, JsonValue, MalformedJson, read_number, refuse_constant

Node = Any
"""None, bool, str, `Number`, `Pairs`, or a list of nodes."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written."""

    text: str

    @property
    def value(self) -> int | float:
        """As an integer of 64 bits or a float of 64 bits."""
        return read_number(self.text)

    @property
    def single(self) -> float:
        """Rounded to a float of 32 bits, infinite beyond them."""
        return to_single(self.value)


class Pairs(list[tuple[str, Node]]):
    """An object."""


def read_nodes(text: str) -> Node:
    """The nodes of a JSON text. Raises `MalformedJson`."""
    try:
        return json.loads(
            text, object_pairs_hook=Pairs, parse_int=Number, parse_float=Number, parse_constant=refuse_constant
        )
    except json.JSONDecodeError as error:
        raise MalformedJson(str(error)) from error
    except RecursionError as error:
        raise MalformedJson("nested too deeply") from error


def as_fields(node: Node, known: Sequence[str], place: str) -> dict[str, Node]:
    """The known fields of an object. One given twice is an error; an unknown one may be."""
    if not isinstance(node, Pairs):
        raise _unexpected(place, "an object", node)
    fields: dict[str, Node] = {}
    for key, field in node:
        as_text(key, f"a key of {place}")
        if key in fields:
            raise MalformedJson(f"{place}: {key!r} is given twice")
        if key in known:
            fields[key] = field
    return fields


def as_struct(node: Node, known: Sequence[str], place: str) -> dict[str, Node]:
    """The fields of an object or, as serde takes that too, of the array of their values in order."""
    if not isinstance(node, list) or isinstance(node, Pairs):
        return as_fields(node, known, place)
    if len(node) > len(known):
        raise MalformedJson(f"{place}: at most {len(known)} values were expected, not {len(node)}")
    return dict(zip(known, node, strict=False))


def as_text(node: Node, place: str) -> str:
    """A string without half surrogate pairs."""
    if not isinstance(node, str):
        raise _unexpected(place, "a string", node)
    if not node.isascii() and any("\ud800" <= character <= "\udfff" for character in node):
        raise MalformedJson(f"{place}: the string holds half of a surrogate pair")
    return node


def as_flag(node: Node, place: str) -> bool:
    """A boolean."""
    if not isinstance(node, bool):
        raise _unexpected(place, "a boolean", node)
    return node


def as_number(node: Node, place: str) -> Number:
    """A number within the range of floats."""
    if not isinstance(node, Number):
        raise _unexpected(place, "a number", node)
    _in_range(node, place)
    return node


def as_array(node: Node, place: str) -> list[Node]:
    """An array."""
    if isinstance(node, Pairs) or not isinstance(node, list):
        raise _unexpected(place, "an array", node)
    return node


def as_tag(node: Node, place: str) -> str:
    """The name of a variant: a string or, as serde takes that too, an object of the one key with the value null."""
    if isinstance(node, Pairs) and len(node) == 1 and node[0][1] is None:
        node = node[0][0]
    return as_text(node, place)


def as_value(node: Node, place: str, depth: int) -> JsonValue:
    """Any value, standing inside `depth` containers. Of a key given twice the last value counts."""
    if isinstance(node, Number):
        return _in_range(node, place)
    if isinstance(node, str):
        return as_text(node, place)
    if not isinstance(node, list):
        return node
    if depth >= MAX_DEPTH:
        raise MalformedJson(f"{place[:80]}: nested deeper than {MAX_DEPTH}")
    if isinstance(node, Pairs):
        return {as_text(key, place): as_value(item, f"{place}.{key}", depth + 1) for key, item in node}
    return [as_value(item, f"{place}[{index}]", depth + 1) for index, item in enumerate(node)]


def to_single(value: int | float) -> float:
    """A number rounded once to a 32-bit float, as Rust's `as f32` does; infinite beyond the largest."""
    if isinstance(value, int) and (excess := value.bit_length() - 53) > 0:
        # To odd in the last of 53 bits, so that only the rounding to 24 bits below counts.
        value = (value >> excess | (value & ((1 << excess) - 1) != 0)) << excess
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return single


def _in_range(number: Number, place: str) -> int | float:
    try:
        return number.value
    except MalformedJson as error:
        raise MalformedJson(f"{place}: {error}") from error


def _unexpected(place: str, wanted: str, node: Node) -> MalformedJson:
    kinds = {Pairs: "an object", list: "an array", str: "a string", bool: "a boolean", Number: "a number"}
    return MalformedJson(f"{place}: {wanted} was expected, not {kinds.get(type(node), 'null')}")
