"""The kinds of run that there are."""

from __future__ import annotations

from typing import Any, cast

from harness.registry import load, load_all, targets
from harness.runs import GROUP, KINDS
from harness.runs.kind import Kind


def kind_named(name: str) -> Kind[Any]:
    """Raises `HarnessError` for an unknown one, and lists those that there are."""
    return cast(Kind[Any], load(KINDS, GROUP, name))


def all_kinds() -> dict[str, Kind[Any]]:
    """Every kind that can be loaded, by name: ours first."""
    return load_all(KINDS, GROUP)


def kind_names() -> list[str]:
    """Ours first, then those of installed packages."""
    return list(targets(KINDS, GROUP))
