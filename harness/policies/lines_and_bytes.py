"""Keeps lines from both ends within a number of bytes that includes the marker: the Codex CLI of late 2025."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.errors import HarnessError
from harness.policies import template
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Reach, Rendering
from harness.policies.units import UNITS, line_count, utf8_length

FIELDS = ("total", "elided", "limit", "tool", "id")


@dataclass(frozen=True, kw_only=True)
class LinesAndBytes(Admission):
    """The first and the last lines of a value, cut once more to a number of bytes, marker included.

    lines, bytes: the two limits; a value within both stands in full. Half of the lines (rounded down) and at most half
        of the bytes are the head's; the tail takes the rest.
    before: template before the head, outside the limit. lines_marker, bytes_marker: the text in the gap, if lines are
        left out and if only bytes are. Fields: total and elided (lines), limit (bytes), tool, id.
    """

    counts: ClassVar[str] = "lines and bytes"
    lines: int = 256
    bytes: int = 10_240
    before: str = ""
    lines_marker: str = "\n[{elided} of {total} lines left out]\n"
    bytes_marker: str = "\n[cut to {limit} bytes]\n"
    reach: Reach = "rerun"
    page: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lines < 0 or self.bytes < 0 or self.page < 0:
            raise HarnessError(f"lines={self.lines}, bytes={self.bytes}, page={self.page}: give 0 or more")
        for text in (self.before, self.lines_marker, self.bytes_marker):
            template.fields(text, FIELDS)

    @property
    def page_bytes(self) -> int | None:
        return None if self.reach in ("none", "handle-arg") else self.page or self.bytes or None

    @property
    def notice(self) -> str:
        return self.lines_marker

    def render(self, arrival: Arrival) -> Rendering:
        value = arrival.value
        total, size = line_count(value), utf8_length(value)
        if total <= self.lines and size <= self.bytes:
            return Rendering(value)
        head_lines = self.lines // 2
        end = UNITS["lines"].head(value, head_lines)
        start = max(end, UNITS["lines"].tail(value, self.lines - head_lines))
        elided_lines = max(0, total - self.lines)
        facts: dict[str, int | str] = {
            "total": total,
            "elided": elided_lines,
            "limit": self.bytes,
            "tool": arrival.tool,
            "id": arrival.id,
        }
        marker = template.fill(self.lines_marker if elided_lines else self.bytes_marker, facts)
        room = max(0, self.bytes - utf8_length(marker))
        head = value[: min(end, UNITS["bytes"].head(value, min(self.bytes // 2, room)))]
        room -= utf8_length(head)
        tail = value[max(start, UNITS["bytes"].tail(value, room)) :]
        text = f"{template.fill(self.before, facts)}{head}{marker}{tail}"
        elided = size - utf8_length(head) - utf8_length(tail)
        return Rendering(text, elided, self.reach if elided else "none")
