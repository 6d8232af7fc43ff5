"""JSON in and out, for recordings: fast where possible, lenient where a real file demands it."""

from __future__ import annotations

import json
from typing import Any

import orjson

DECODER = json.JSONDecoder()
DEEPEST = 254  # levels of nesting, as deep as orjson writes; Python's own functions fail at some hundreds more


class Unreadable(Exception):
    """A record or a file that cannot be parsed; `str()` is the reason, without the place."""


HEAVY = 4 << 30  # bytes of memory that one value may take
WEIGHED_FROM = 32 << 20  # bytes of text; a smaller one cannot come near


def parse(data: bytes | str) -> Any:
    """The value of a JSON text. orjson first; what it refuses (lone surrogates, NaN) goes to the standard parser.

    Raises `Unreadable` with the reason and the position if both refuse, for what is nested over `DEEPEST` levels, and
    for what would fill the memory.
    """
    if len(data) > WEIGHED_FROM and (most := weight(data)) > HEAVY:
        raise Unreadable(
            f"one value that may take {most:,} bytes of memory, over {HEAVY:,}: split it, or write it as JSONL"
        )
    value = _value(data)
    opened = data.count(b"[") + data.count(b"{") if isinstance(data, bytes) else data.count("[") + data.count("{")
    if opened > DEEPEST and not _is_writable(value):
        refuse_deep(value)
    return value


def weight(data: bytes | str) -> int:
    """Bytes of memory that the value of a JSON text takes at most, by what CPython's objects take on 64 bits: 72 for a
    list with its place, 256 for an object, 40 for one more thing in either, 56 beside the characters of a text."""
    text = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    lists, objects, things, quotes = (text.count(mark) for mark in (b"[", b"{", b",", b'"'))
    return len(text) + 72 * lists + 256 * objects + 40 * things + 28 * quotes


def glued_values(data: bytes) -> list[Any]:
    """The objects of a text that holds several and nothing else; none for any other."""
    if data[:1] != b"{" or data[-1:] != b"}" or b"}" not in data[:-1]:
        return []
    found: list[Any] = []
    at = 0
    try:
        text = data.decode("utf-8")
        while at < len(text):
            _, end = DECODER.raw_decode(text, at)
            found.append(parse(text[at:end]))
            at = end
            while at < len(text) and text[at] in " \t\r":
                at += 1
    except (ValueError, RecursionError, Unreadable):
        return []
    return found if len(found) > 1 else []


def _is_writable(value: Any) -> bool:
    """Whether orjson writes a value, which it does not if it is too deep: the fast way to know that it is not."""
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return True


def refuse_deep(value: Any) -> None:
    """Raise `Unreadable` for a value that is nested over `DEEPEST` levels."""
    level: list[Any] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(DEEPEST):
        if not level:
            return
        children = [v.values() if type(v) is dict else v for v in level]
        level = [child for of_one in children for child in of_one if type(child) is dict or type(child) is list]
    if level:
        raise Unreadable(f"nested over {DEEPEST} levels")


def _value(data: bytes | str) -> Any:
    try:
        return orjson.loads(data)
    except ValueError:
        pass
    try:
        text = data.decode("utf-8", "surrogatepass") if isinstance(data, bytes) else data
        return json.loads(text.removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8: byte 0x{error.object[error.start]:02x} at offset {error.start}") from None
    except RecursionError:
        raise Unreadable(f"nested over {DEEPEST} levels") from None
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}") from None


def compact(value: Any) -> str:
    """A value as compact JSON text, keys in their order, non-ASCII as it is."""
    try:
        return orjson.dumps(value).decode("utf-8")
    except (TypeError, orjson.JSONEncodeError):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
