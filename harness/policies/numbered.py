"""Writes a large result to a file and shows its first and last lines with their numbers: deepagents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.errors import HarnessError
from harness.policies import template
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Reach, Rendering
from harness.policies.units import utf8_length

FIELDS = ("id", "tool", "path", "elided")


@dataclass(frozen=True, kw_only=True)
class Numbered(Admission):
    """The path, and the first and last lines with their numbers, of a value of more than `limit` code points.

    head, tail: how many lines of each end. width: how many code points of a line. Lines are Python's
    (`splitlines`, so a form feed or U+2028 ends one too). before, marker, after: templates before the first
    line, between the ends, after the last; fields are elided (lines between the ends), path, id, tool.
    """

    counts: ClassVar[str] = "codepoints"
    limit: float = 80_000
    head: int = 5
    tail: int = 5
    width: int = 1000
    before: str = "[written to {path}]\n"
    marker: str = "\n... [{elided} lines left out] ...\n"
    after: str = ""
    reach: Reach = "file"
    page: int = 0
    path: str = "tool-results/{id}.txt"

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.limit, self.head, self.tail, self.width, self.page) < 0:
            raise HarnessError("numbered: limit, head, tail, width and page are 0 or more")
        for text in (self.before, self.marker, self.after):
            template.fields(text, FIELDS)
        template.fields(self.path, ("id", "tool"))

    @property
    def page_bytes(self) -> int | None:
        return (
            None if self.reach in ("none", "handle-arg") else self.page or self.width * (self.head + self.tail) or None
        )

    @property
    def notice(self) -> str:
        return self.before

    def render(self, arrival: Arrival) -> Rendering:
        value = arrival.value
        if len(value) <= self.limit:
            return Rendering(value)
        lines = value.splitlines()
        between = len(lines) - self.head - self.tail
        own = {"id": arrival.id, "tool": arrival.tool}
        facts: dict[str, int | str] = {**own, "elided": max(0, between), "path": template.fill(self.path, own)}
        if between <= 0:
            shown, text = lines, self.rows(lines, 1)
        else:
            head, tail = lines[: self.head], lines[len(lines) - self.tail :]
            shown = head + tail
            text = self.rows(head, 1) + template.fill(self.marker, facts) + self.rows(tail, len(lines) - self.tail + 1)
        # A line counts with what ends it if it is shown in full: the rows end lines too.
        kept = sum(utf8_length(line[: self.width]) for line in shown)
        ends = utf8_length(value) - sum(utf8_length(line) for line in lines)
        elided = utf8_length(value) - kept - (ends if between <= 0 else min(ends, len(shown)))
        return Rendering(
            f"{template.fill(self.before, facts)}{text}{template.fill(self.after, facts)}",
            elided,
            self.reach if elided else "none",
        )

    def rows(self, lines: list[str], first: int) -> str:
        """Lines with their numbers, flush right, and two blanks."""
        numbers = [str(number) for number in range(first, first + len(lines))]
        width = max(map(len, numbers), default=0)
        rows = (f"{number:>{width}}  {line[: self.width]}" for number, line in zip(numbers, lines, strict=True))
        return "\n".join(rows)
