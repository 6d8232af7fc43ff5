"""Settings of a policy: from text or TOML to the types of the family's fields, and back."""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from harness.errors import HarnessError
from harness.policies.family import Family, PolicySpec
from harness.policies.units import UnitName

_SIZE = re.compile(r"(\d[\d_]*(?:\.\d+)?)\s*([kKMG]?)(i?)B?")
_POWERS = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3}
_WANTED = {
    int: "a whole number such as 2000, 10k or 16KiB",
    float: "a number such as 2000, 10k or 16KiB, or inf",
    bool: "true or false",
}


def size(text: str) -> float:
    """A number as people write sizes: `1_000`, `10k` (10,000), `16KiB` (16,384), `1.5MB`, `inf`.

    What is no number raises `ValueError`.
    """
    if (found := _SIZE.fullmatch(text)) is None:
        return float(text)
    digits, letter, binary = found.groups()
    factor: int = (1024 if binary else 1000) ** _POWERS[letter]
    return float(digits.replace("_", "")) * factor


def typed(cls: type[Family], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as the family's fields want them; `name` is the policy, for messages."""
    hints = field_types(cls)
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in hints and key in get_args(UnitName) and {"unit", "limit"} <= hints.keys():
            found |= {"unit": key, "limit": _typed(hints["limit"], value, name, key)}
        elif key not in hints:
            near = difflib.get_close_matches(key, hints, n=1)
            guess = f" (did you mean {near[0]!r}?)" if near else ""
            there = ", ".join(hints)
            raise HarnessError(f"policy {name!r} has no setting {key!r}{guess}; there are: {there}")
        else:
            found[key] = _typed(hints[key], value, name, key)
    return found


@lru_cache(maxsize=256)
def field_types(cls: type[Family]) -> dict[str, Any]:
    """The types of a family's settings by name."""
    hints = get_type_hints(cls)
    return {name: hints[name] for name in defaults(cls)}


def defaults(cls: type[Family]) -> dict[str, Any]:
    """The defaults of a family's settings by name; `MISSING` where one must be given."""
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]  # a Family is a dataclass: `family_class` sees to it
    return {field.name: field.default for field in fields}


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


def _typed(hint: Any, value: Any, name: str, key: str) -> Any:
    try:
        return _converted(hint, value)
    except (ValueError, TypeError, OverflowError) as error:
        raise HarnessError(f"policy {name!r}: {key}={value!r} will not do; give {_wanted(hint)}") from error


def _converted(hint: Any, value: Any) -> Any:
    if hint is PolicySpec:
        from harness.policies.spec import make_policy

        return make_policy(value).label if value else ""
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise ValueError(value)
        return value
    if get_origin(hint) is tuple:
        parts = value.split("+") if isinstance(value, str) else value
        return tuple(_converted(str, part) for part in parts if part)
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


def _wanted(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(get_args(hint))
    if get_origin(hint) is tuple:
        return "names joined by +"
    return _WANTED.get(hint, "a text")
