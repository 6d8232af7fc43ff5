"""JSON as the reference has it: `serde_json` with insertion-ordered maps and its default number parser.

Three things differ from Python's own JSON. An integer is one only within 64 bits (`i64` or `u64`) and else a
float, and `-0` is the float -0.0. Decimals are multiplied out from at most 64 bits of digits by a power of
ten, which is not always the nearest float (`123456789012345680000` becomes 1.2345678901234567e20). Floats
print as the `ryu` crate prints them (`1e16`, `0.00001`, `1e-6`).
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

import orjson

JsonValue = Any
"""None, bool, int, float, str, list of these, or dict from str to these. Its order is that of the text."""

MAX_DEPTH = 127
"""Containers that may stand inside one another; `serde_json` refuses the 128th."""

_U64 = 2**64 - 1
_I64 = -(2**63)
_POWERS = tuple(float(f"1e{n}") for n in range(309))

# Numbers that orjson may read otherwise than the reference: sixteen digits or more, an exponent, a negative
# zero. It also matches inside strings, which costs time and nothing else.
_DELICATE_NUMBER = re.compile(r"[0-9.]{16}|[0-9][eE][-+0-9]|-0(?![0-9.])")
_DELICATE_INTEGER = re.compile(r"[0-9]{19}|-0(?![0-9.])")
# Every escape in turn; only half of a surrogate pair sets the group.
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]|(u[dD][89a-fA-F])|.)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_STRING_OR_PLUS = re.compile(rb'"(?:[^"\\]|\\.)*"|e\+')


class MalformedJson(ValueError):
    """The text is not JSON that the reference reads. The message names the place and the reason."""


def parse_value(text: str) -> JsonValue:
    """The value of a JSON text.

    Of a key given twice the last value counts, at the place of the first. Raises `MalformedJson` for what is
    not JSON (NaN, Infinity, a byte order mark, control characters in strings, anything after the value), for
    lone surrogates, for numbers beyond the largest float, and for more than `MAX_DEPTH` containers inside
    one another.
    """
    try:
        value = _parse_delicate(text) if _DELICATE_NUMBER.search(text) else orjson.loads(text)
    except json.JSONDecodeError as error:
        raise MalformedJson(str(error)) from error
    except RecursionError as error:
        raise MalformedJson(f"nested deeper than {MAX_DEPTH}") from error
    if text.count("[") + text.count("{") > MAX_DEPTH and _deeper_than(MAX_DEPTH, value):
        raise MalformedJson(f"nested deeper than {MAX_DEPTH}")
    return value


def _parse_delicate(text: str) -> JsonValue:
    read_integer = read_number if _DELICATE_INTEGER.search(text) else int
    value = json.loads(text, parse_float=read_number, parse_int=read_integer, parse_constant=refuse_constant)
    if any(escape[1] for escape in _ESCAPE.finditer(text)) or _SURROGATE.search(text):
        raise MalformedJson("a string holds half of a surrogate pair")
    return value


def refuse_constant(name: str) -> NoReturn:
    """For `json.loads(parse_constant=...)`: NaN and the infinities are no JSON."""
    raise MalformedJson(f"{name} is not JSON")


def _deeper_than(limit: int, value: JsonValue) -> bool:
    level = [value]
    for _ in range(limit + 1):
        level = [v for v in level if type(v) is list or type(v) is dict]
        if not level:
            return False
        level = [child for v in level for child in (v.values() if type(v) is dict else v)]
    return True


def read_number(text: str) -> int | float:
    """The value of a JSON number, by `serde_json`'s default rule (its `f64_from_parts`).

    Raises `MalformedJson` where the number is beyond the largest float. `text` must be a JSON number.
    """
    negative = text.startswith("-")
    mantissa, _, power = text.lower().partition("e")
    whole, point, fraction = mantissa.lstrip("-").partition(".")
    significand, exponent = _significand(whole, fraction)
    if not point and not power and exponent == 0:
        value = -significand if negative else significand
        return value if value >= _I64 and not (negative and value == 0) else -float(significand)
    if power:
        step = int(power.lstrip("+-").lstrip("0")[:11] or "0")
        exponent += -step if power.startswith("-") else step
    magnitude = _scaled(float(significand), exponent)
    if magnitude == math.inf:
        raise MalformedJson(f"the number {text[:40]} is out of range")
    return -magnitude if negative else magnitude


def _significand(whole: str, fraction: str) -> tuple[int, int]:
    """The digits that fit into 64 bits, and the power of ten that they are to be multiplied by."""
    if len(whole) + len(fraction) <= 19:
        return int(whole + fraction), -len(fraction)
    significand = int(whole[:19])
    exponent = 0
    for position, digit in enumerate(whole[19:], start=19):
        if significand * 10 + int(digit) > _U64:
            exponent = len(whole) - position
            break
        significand = significand * 10 + int(digit)
    for digit in fraction:
        if significand * 10 + int(digit) > _U64:
            break
        significand = significand * 10 + int(digit)
        exponent -= 1
    return significand, exponent


def _scaled(value: float, exponent: int) -> float:
    while exponent <= -len(_POWERS) and value != 0.0:
        value /= 1e308
        exponent += 308
    if value == 0.0:
        return value
    if exponent < 0:
        return value / _POWERS[-exponent]
    return value * _POWERS[exponent] if exponent < len(_POWERS) else math.inf


def serialize(value: JsonValue) -> bytes:
    """The compact JSON of a value as UTF-8, equal to the byte with `serde_json::to_string`.

    What has no place in the reference's values is written as it would be there: integers beyond 64 bits as
    floats, numbers beyond floats as null, half surrogate pairs as U+FFFD.
    """
    return plain(value)[1]


def plain(value: JsonValue) -> tuple[JsonValue, bytes]:
    """The value with what the reference cannot hold replaced (see `serialize`), and its compact JSON.

    It is the same object where nothing has to be replaced, which is nearly always.
    """
    try:
        raw = orjson.dumps(value)
    except TypeError:
        value = _repaired(value)
        raw = orjson.dumps(value)
    if b"e+" in raw:
        raw = _STRING_OR_PLUS.sub(lambda found: b"e" if found[0] == b"e+" else found[0], raw)
    return value, raw


def well_formed(text: str) -> str:
    """The text with each half of a surrogate pair replaced by U+FFFD, so that it can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _repaired(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, int) and not isinstance(value, bool) and not _I64 <= value <= _U64:
        return float(value) if abs(value) < 2**1024 - 2**970 else None
    if isinstance(value, list):
        return [_repaired(item) for item in value]
    if isinstance(value, dict):
        return {well_formed(key): _repaired(item) for key, item in value.items()}
    return value
