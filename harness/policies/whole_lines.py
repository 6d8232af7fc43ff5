"""Keeps whole lines up to two limits, of lines and of bytes, whichever is hit first: PI and OpenCode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.errors import HarnessError
from harness.policies import template
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Reach, Rendering
from harness.policies.sizes import js_size
from harness.policies.units import UNITS, utf8_length

FIELDS = ("id", "tool", "path", "first", "last", "lines", "next", "removed", "limit", "kept", "line_size")


@dataclass(frozen=True, kw_only=True)
class WholeLines(Admission):
    """Whole lines from one end of a value, up to a number of lines and a number of bytes.

    Lines are what `split("\\n")` gives: a line feed at the end of the value starts another, empty one. The
    line feed between what is kept and what is not goes with the latter.

    side: the end that is kept. lines, bytes: the two limits; a value within both stands in full.
    part: where the outermost line alone has too many bytes: `none` keeps nothing, `end` keeps the end of the last line.
    lines_marker, bytes_marker, part_marker: templates, by what was hit. Fields: first, last (numbers of the lines
        shown), lines (of the value), next (the line after those shown), removed (lines, or bytes if those were hit),
        limit, kept, line_size (sizes: of the limit, of what is kept, of the last line), path, id, tool.
    reach, page, path: as in `head`.
    """

    counts: ClassVar[str] = "lines and bytes"
    side: Literal["head", "tail"] = "head"
    lines: int = 2000
    bytes: int = 51_200
    part: Literal["none", "end"] = "none"
    lines_marker: str = "\n\n[{removed} lines left out]"
    bytes_marker: str = "\n\n[{removed} bytes left out]"
    part_marker: str = "\n\n[the end of line {last}]"
    reach: Reach = "rerun"
    page: int = 0
    path: str = "tool-results/{id}.txt"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lines < 1 or self.bytes < 1 or self.page < 0:
            raise HarnessError(f"lines={self.lines}, bytes={self.bytes}, page={self.page}: give positive numbers")
        for text in (self.lines_marker, self.bytes_marker, self.part_marker):
            template.fields(text, FIELDS)
        template.fields(self.path, ("id", "tool"))

    @property
    def page_bytes(self) -> int | None:
        return None if self.reach in ("none", "handle-arg") else self.page or self.bytes

    @property
    def notice(self) -> str:
        return self.lines_marker

    def render(self, arrival: Arrival) -> Rendering:
        value = arrival.value
        size, total = utf8_length(value), value.count("\n") + 1
        if total <= self.lines and size <= self.bytes:
            return Rendering(value)
        kept, shown, marker = self.head(value, total) if self.side == "head" else self.tail(value, total)
        elided = size - utf8_length(kept)
        first = 1 if self.side == "head" else total - shown + 1
        own = {"id": arrival.id, "tool": arrival.tool}
        facts: dict[str, int | str] = {
            **own,
            "path": template.fill(self.path, own),
            "first": first,
            "last": first + shown - 1,
            "lines": total,
            "next": first + shown,
            "removed": total - shown if marker is self.lines_marker else elided,
            "limit": js_size(self.bytes),
            "kept": js_size(size - elided),
            "line_size": js_size(utf8_length(value[value.rfind("\n") + 1 :])),
        }
        return Rendering(kept + template.fill(marker, facts), elided, self.reach if elided else "none")

    def head(self, value: str, total: int) -> tuple[str, int, str]:
        """What is kept, how many lines that are, and the marker that says why no more."""
        end = UNITS["lines"].head(value, self.lines) - 1 if total > self.lines else len(value)
        if utf8_length(value[:end]) <= self.bytes:
            return value[:end], min(total, self.lines), self.lines_marker
        end = UNITS["bytes"].head(value, self.bytes)
        if value[end] != "\n":
            end = value.rfind("\n", 0, end)
        if end < 0:
            return "", 0, self.bytes_marker
        return value[:end], value.count("\n", 0, end) + 1, self.bytes_marker

    def tail(self, value: str, total: int) -> tuple[str, int, str]:
        """The same from the other end."""
        start = len(value.rsplit("\n", self.lines)[0]) + 1 if total > self.lines else 0
        if utf8_length(value[start:]) <= self.bytes:
            return value[start:], min(total, self.lines), self.lines_marker
        start = UNITS["bytes"].tail(value, self.bytes)
        if value[start - 1] != "\n":
            line_feed = value.find("\n", start)
            if line_feed < 0:
                return (value[start:], 1, self.part_marker) if self.part == "end" else ("", 0, self.bytes_marker)
            start = line_feed + 1
        return value[start:], value.count("\n", start) + 1, self.bytes_marker
