"""When two calls count as the same: a reading brings names and values to texts, and equal texts are equal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from harness.json.value import JsonValue


@dataclass(frozen=True, slots=True)
class Reading:
    """name: the text by which the names of tools are compared. value: the text by which arguments are."""

    name: Callable[[str], str]
    value: Callable[[JsonValue], str]


_BFCL_IGNORES = re.compile(r"[ ,./\-_*^]")


def as_it_is(value: JsonValue) -> str:
    """`3`, `3.0` and `true` differ, and so do `a` and `A`. The order of keys does not count."""
    return json.dumps(value, sort_keys=True)


def folded(value: JsonValue) -> str:
    """As Needle's own acceptance suites compare: texts without regard to case, a whole float equal to the integer."""
    return as_it_is(_folded(value))


def bfcl(value: JsonValue) -> str:
    """As the Berkeley Function Calling Leaderboard compares (`standardize_string`): texts without regard to case and
    without spaces and `, . / - _ * ^`, single quotes as double ones; numbers of different types differ."""
    return as_it_is(_bfcl(value))


EXACT = Reading(str, as_it_is)
READINGS: dict[str, Reading] = {
    "folded": Reading(str.casefold, folded),
    "bfcl": Reading(lambda name: name.replace(".", "_"), bfcl),  # many servers allow no dots in names
}
"""How a task may ask to be compared; the exact reading is always reported beside it."""


def _folded(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return value.casefold()
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {key: _folded(item) for key, item in value.items()}
        case list():
            return [_folded(item) for item in value]
    return value


def _bfcl(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return _BFCL_IGNORES.sub("", value).lower().replace("'", '"')
        case dict():
            return {key: _bfcl(item) for key, item in value.items()}
        case list():
            return [_bfcl(item) for item in value]
    return value
