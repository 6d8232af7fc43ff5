"""JSON in and out, for recordings: fast where possible, lenient where a real file demands it."""

from __future__ import annotations

import json
from typing import Any

import orjson


class Unreadable(Exception):
    """A record or a file that cannot be parsed; `str()` is the reason, without the place."""


def parse(data: bytes | str) -> Any:
    """The value of a JSON text. orjson first; what it refuses (lone surrogates, NaN) goes to the standard parser.

    Raises `Unreadable` with the reason and the position if both refuse.
    """
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
        raise Unreadable("nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}") from None


def compact(value: Any) -> str:
    """A value as compact JSON text, keys in their order, non-ASCII as it is."""
    try:
        return orjson.dumps(value).decode("utf-8")
    except (TypeError, orjson.JSONEncodeError):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
