"""Writes a large result to a file and leaves a preview of it: the model reads the rest by its path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.policies.clip import Clip
from harness.policies.rendering import Reach


@dataclass(frozen=True, kw_only=True)
class Spill(Clip):
    """The path and the first `keep` of a value that is over the limit.

    align: `line` ends the preview after its last line feed, if that is in its second half (Hermes).
    """

    limit: float = 30_000
    keep: float = 2000
    before: str = "[{total} {unit}, written to {path}. The beginning:]\n"
    marker: str = ""
    reach: Reach = "file"
    align: Literal["character", "line"] = "character"

    @property
    def notice(self) -> str:
        return self.before or self.marker

    def split(self, budget: int) -> tuple[int, int]:
        return budget, 0

    def span(self, value: str, budget: int) -> tuple[int, int]:
        start, end = super().span(value, budget)
        if self.align == "line" and start < len(value):
            after = value.rfind("\n", 0, start) + 1
            start = after if after - 1 > start // 2 else start
        return start, end
