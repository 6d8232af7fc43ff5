"""How a policy or an engine is written with its settings: `name` or `name:key=value,key=value`.

head:bytes=2000                        sizes may be 1_000, 10k, 16KiB or 1.5MB; `inf` where a size may be unlimited
mask_last_n:n=5,admission="head:lines=50,page=9"    values with commas in quotes, JSON escapes in double ones
hermes:exempt=read_file+mcp__*         several names, joined by +
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from harness.errors import HarnessError

_PAIR = re.compile(r"""\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^,"']*)\s*(,|$)""")
_SIZE = re.compile(r"(\d[\d_]*(?:\.\d+)?)\s*([kKMG]?)(i?)B?")
_POWERS = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3}
_WANTED = {
    int: "a whole number such as 2000, 10k or 16KiB",
    float: "a number such as 2000, 10k or 16KiB, or inf",
    bool: "true or false",
}


def split_spec(text: str, kind: str) -> tuple[str, dict[str, str]]:
    """The name and the settings as texts; `kind` (policy, engine) is for the message of a `HarnessError`."""
    name, _, rest = text.partition(":")
    return name.strip(), dict(_pairs(text, rest, kind))


def size(text: str) -> float:
    """A number as people write sizes: `1_000`, `10k` (10,000), `16KiB` (16,384), `1.5MB`, `inf`.

    What is no number raises `ValueError`.
    """
    if (found := _SIZE.fullmatch(text)) is None:
        return float(text)
    digits, letter, binary = found.groups()
    factor: int = (1024 if binary else 1000) ** _POWERS[letter]
    return float(digits.replace("_", "")) * factor


def convert(hint: Any, value: Any) -> Any:
    """A setting, a text or from TOML, as the type `hint`: int, float, bool, str, a `Literal`, a tuple of texts.

    Raises `ValueError`, `TypeError` or `OverflowError` for what will not do; `wanted` says what would.
    """
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise ValueError(value)
        return value
    if get_origin(hint) is tuple:
        parts = value.split("+") if isinstance(value, str) else value
        return tuple(convert(str, part) for part in parts if part)
    if hint is bool:
        found = {"true": True, "yes": True, "false": False, "no": False}.get(str(value).lower())
        if found is None:
            raise ValueError(value)
        return found
    if hint is str:
        if not isinstance(value, str):
            raise ValueError(value)
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(value)
    number = size(value) if isinstance(value, str) else float(value)
    if math.isnan(number) or (hint is int and not number.is_integer()):
        raise ValueError(value)
    return int(number) if hint is int else number


def wanted(hint: Any) -> str:
    """What a setting of this type may be, in words."""
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(get_args(hint))
    if get_origin(hint) is tuple:
        return "names joined by +"
    return _WANTED.get(hint, "a text")


def plain(value: Any) -> Any:
    """A setting as JSON can hold it."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, float):
        return "inf" if math.isinf(value) else int(value) if value.is_integer() else value
    return value


def written(value: Any) -> str:
    """A plain setting as it is written in a specification."""
    if isinstance(value, bool):
        return str(value).lower()
    text = "+".join(value) if isinstance(value, list) else str(value)
    return text if re.fullmatch(r"[^\s,\"'\\]+", text) else json.dumps(text, ensure_ascii=False)


def _pairs(spec: str, rest: str, kind: str) -> Iterator[tuple[str, str]]:
    at = 0
    seen: set[str] = set()
    while at < len(rest):
        if (pair := _PAIR.match(rest, at)) is None:
            raise HarnessError(f"{kind} {spec!r}: no key=value at {rest[at:]!r}; quote values with commas")
        key, value, comma = pair.groups()
        if key in seen:
            raise HarnessError(f"{kind} {spec!r}: {key} is given twice")
        if comma and pair.end() == len(rest):
            raise HarnessError(f"{kind} {spec!r} ends in a comma: a setting is missing")
        seen.add(key)
        yield key, _unquoted(spec, value, kind)
        at = pair.end()


def _unquoted(spec: str, value: str, kind: str) -> str:
    if value.startswith('"'):
        try:
            return str(json.loads(value, strict=False))
        except ValueError as error:
            raise HarnessError(f"{kind} {spec!r}: {value} is no quoted text; escape as in JSON") from error
    return value[1:-1] if value.startswith("'") else value.strip()
