"""What head, tail, middle and spill share: how much of a value stands, where it is cut, and what stands in
the gap.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from harness.errors import HarnessError
from harness.policies import template
from harness.policies.facts import Facts
from harness.policies.family import NONE, Admission, Arrival, PolicySpec
from harness.policies.rendering import Reach, Rendering
from harness.policies.units import UNITS, Unit, UnitName, line_count, unit, utf8_length


@dataclass(frozen=True, kw_only=True)
class Clip(Admission):
    """Cuts values over a limit, in any unit, and says so by a marker.

    limit: the size up to which a value stands in full, in `unit`; `inf` for none. boundary: `over` cuts what
        is longer, `at` also what is just as long (mini-swe-agent). keep: how much of a cut value stands; the
        limit by default.
    max_lines: a second limit, and a second bound on what is kept; `inf` for none. align: `line` keeps whole
    lines only.
    before, marker, after: templates (`harness.policies.template`) that stand before the head, in the gap,
    after the tail.
    reach, page: how the model comes by the rest, and how many bytes one recovery brings (0: as much as is
    kept).
    path: template of the name that a marker gives as `{path}`; nothing is ever written there.
    encoding: vocabulary of the unit `tokenizer`.
    second: another clipping policy that is applied to the result of this one, its markers included.
    """

    limit: float = 10_000
    unit: UnitName = "bytes"
    boundary: Literal["over", "at"] = "over"
    keep: float = -1
    max_lines: float = math.inf
    align: Literal["character", "line"] = "character"
    before: str = ""
    marker: str = ""
    after: str = ""
    reach: Reach = "rerun"
    page: int = 0
    path: str = "tool-results/{id}.txt"
    encoding: str = "o200k_base"
    second: PolicySpec = NONE

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("limit", "max_lines", "page"):
            if getattr(self, name) < 0:
                raise HarnessError(f"{name} is {getattr(self, name)}: give 0 or more")
        for text in (self.before, self.marker, self.after, self.path):
            template.fields(text)
        if "path" in template.fields(self.path):
            raise HarnessError("the path of a policy cannot name itself: leave {path} out of it")
        self.measure, self.second_stage  # noqa: B018  what cannot be had is an error here, not in mid-replay

    @abstractmethod
    def split(self, budget: int) -> tuple[int, int]:
        """How a budget is shared between head and tail."""

    @cached_property
    def measure(self) -> Unit:
        return unit(self.unit, self.encoding)

    @cached_property
    def second_stage(self) -> Clip | None:
        from harness.policies.spec import make_policy

        if not self.second:
            return None
        family = make_policy(self.second).family
        if not isinstance(family, Clip):
            raise HarnessError(f"second={self.second!r} does not clip: give head, tail, middle or spill")
        return family

    @property
    def kept(self) -> float:
        """How much of a cut value stands, in `unit`."""
        return self.limit if self.keep < 0 else self.keep

    @property
    def page_bytes(self) -> int | None:
        if self.reach in ("none", "handle-arg"):
            return None
        kept = self.kept * self.measure.step
        return self.page or (None if math.isinf(kept) or self.unit == "lines" else int(kept)) or None

    def cuts(self, value: str) -> bool:
        """Whether a value is over the limit."""
        if not math.isinf(self.limit):
            limit = self.limit * self.measure.step
            # No character takes more than four units of any sort, so most small values need no measuring.
            if self.unit == "lines" or len(value) * 4 >= limit:
                length = self.measure.length(value)
                if length > limit or (length == limit and self.boundary == "at"):
                    return True
        return not math.isinf(self.max_lines) and line_count(value) > self.max_lines

    def span(self, value: str) -> tuple[int, int]:
        """Indices of the span that is left out of a value that is cut."""
        start, end = len(value), 0
        if not math.isinf(self.kept):
            head, tail = self.split(int(self.kept * self.measure.step))
            start, end = self.measure.head(value, head), self.measure.tail(value, tail)
        if not math.isinf(self.max_lines):
            head, tail = self.split(int(self.max_lines))
            lines = UNITS["lines"]
            start, end = min(start, lines.head(value, head)), max(end, lines.tail(value, tail))
        if self.align == "line":
            start = start if start == len(value) else value.rfind("\n", 0, start) + 1
            if 0 < end < len(value) and value[end - 1] != "\n":
                end = value.find("\n", end) + 1 or len(value)
        return start, max(start, end)

    def facts(self, arrival: Arrival, start: int, end: int) -> Facts:
        """What a marker can say of a cut that leaves out `value[start:end]`."""
        limit = 0 if math.isinf(self.limit) else int(self.limit)
        kept = limit if math.isinf(self.kept) else int(self.kept)
        return Facts(arrival, start, end, self.measure, limit, *self.split(kept), self.path)

    def render(self, arrival: Arrival) -> Rendering:
        value = arrival.value
        if not self.cuts(value):
            return self.again(arrival, ("", value, "", "", ""), 0)
        start, end = self.span(value)
        facts = self.facts(arrival, start, end)
        before, marker, after = (template.fill(t, facts) for t in (self.before, self.marker, self.after))
        pieces = (before, value[:start], marker, value[end:], after)
        return self.again(arrival, pieces, utf8_length(value[start:end]))

    def again(self, arrival: Arrival, pieces: tuple[str, str, str, str, str], elided: int) -> Rendering:
        """The rendering of `pieces` (before, head, marker, tail, after), once the second stage has cut it
        too.
        """
        text = "".join(pieces)
        second = self.second_stage
        if second is not None and second.cuts(text):
            start, end = second.span(text)
            facts = second.facts(replace(arrival, value=text), start, end)
            elided += source_bytes(pieces, start, end)
            fills = [template.fill(t, facts) for t in (second.before, second.marker, second.after)]
            text = f"{fills[0]}{text[:start]}{fills[1]}{text[end:]}{fills[2]}"
        return Rendering(text, elided, self.reach if elided else "none")


def source_bytes(pieces: tuple[str, ...], start: int, end: int) -> int:
    """UTF-8 bytes of the value (the second and fourth of the pieces) within a span of all pieces joined."""
    total = at = 0
    for number, piece in enumerate(pieces):
        if number in (1, 3):
            total += utf8_length(piece[max(0, start - at) : max(0, end - at)])
        at += len(piece)
    return total
