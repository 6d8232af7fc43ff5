"""Keeps the end of a large result."""

from __future__ import annotations

from dataclasses import dataclass

from harness.policies.clip import Clip


@dataclass(frozen=True, kw_only=True)
class Tail(Clip):
    """The marker, then the end of a value that is over the limit."""

    marker: str = "[{elided} of {total} {unit} left out]\n"

    def split(self, budget: int) -> tuple[int, int]:
        return 0, budget
