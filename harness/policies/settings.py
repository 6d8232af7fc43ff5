"""Settings of a policy: from text or TOML to the types of the family's fields, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from harness.errors import HarnessError, did_you_mean
from harness.policies.family import Family, PolicySpec
from harness.policies.units import UnitName
from harness.spec import convert, wanted


def typed(cls: type[Family], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as the family's fields want them; `name` is the policy, for messages."""
    hints = field_types(cls)
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in hints and key in get_args(UnitName) and {"unit", "limit"} <= hints.keys():
            found |= {"unit": key, "limit": _typed(hints["limit"], value, name, key)}
        elif key not in hints:
            units = get_args(UnitName) if {"unit", "limit"} <= hints.keys() else ()
            there = ", ".join(hints) + (f"; a limit with its unit: {', '.join(units)}" if units else "")
            raise HarnessError(
                f"policy {name!r} has no setting {key!r}{did_you_mean(key, [*hints, *units])}; there are: {there}"
            )
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


def _typed(hint: Any, value: Any, name: str, key: str) -> Any:
    try:
        return _converted(hint, value)
    except (ValueError, TypeError, OverflowError) as error:
        raise HarnessError(f"policy {name!r}: {key}={value!r} will not do; give {wanted(hint)}") from error


def _converted(hint: Any, value: Any) -> Any:
    if hint is PolicySpec:
        from harness.policies.spec import make_policy

        return make_policy(value).label if value else ""
    return convert(hint, value)
