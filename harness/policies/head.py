"""Keeps the beginning of a large result."""

from __future__ import annotations

from dataclasses import dataclass

from harness.policies.clip import Clip


@dataclass(frozen=True, kw_only=True)
class Head(Clip):
    """The beginning of a value that is over the limit, then the marker."""

    marker: str = "\n[{elided} of {total} {unit} left out]"

    def split(self, budget: int) -> tuple[int, int]:
        return budget, 0
