"""What head, tail, middle and spill share: how much of a value stands, where it is cut, and what stands in the gap."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from harness.errors import HarnessError
from harness.policies import template
from harness.policies.facts import Facts
from harness.policies.family import NONE, Admission, Arrival, PolicySpec
from harness.policies.rendering import Reach, Rendering
from harness.policies.units import Unit, UnitName, unit, utf8_length

WHOLE = "whole"
"""What the text of a value depends on that no limit reaches (`Admission.amount`)."""


class Cut(NamedTuple):
    """A cut that leaves out `value[start:end]`. fills: the texts before the head, in the gap, after the tail."""

    start: int
    end: int
    elided_bytes: int
    fills: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Clip(Admission):
    """Cuts values over a limit, in any unit, and says so by a marker.

    limit: the size up to which a value stands in full, in `unit`; `inf` for none. boundary: `over` cuts what is longer,
        `at` also what is just as long (mini-swe-agent). keep: how much of a cut value stands; the limit by default.
    within: `kept` bounds what is kept of the value, `text` bounds that and the markers together.
    before, marker, after: templates (`harness.policies.template`) that stand before the head, in the gap,
    after the tail.
    reach, page: how the model comes by the rest, and how many bytes one recovery brings (0: as much as is kept).
    path: template of the name that a marker gives as `{path}`; nothing is ever written there.
    encoding: vocabulary of the unit `tokenizer`.
    second: another clipping policy that is applied to the result of this one, its markers included.
    """

    limit: float = 10_000
    unit: UnitName = "bytes"
    boundary: Literal["over", "at"] = "over"
    keep: float = -1
    within: Literal["kept", "text"] = "kept"
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
        for name in ("limit", "page"):
            if getattr(self, name) < 0:
                raise HarnessError(f"{name} is {getattr(self, name)}: give 0 or more")
        for text in (self.before, self.marker, self.after):
            template.fields(text)
        if not template.fields(self.path) <= {"id", "tool"}:
            raise HarnessError(f"the path {self.path!r} of a policy can only name {{id}} and {{tool}}")
        self.measure, self.second_stage  # noqa: B018  what cannot be had is an error here, not in mid-replay

    @property
    def notice(self) -> str:
        return self.marker if self.marker.strip() else self.before or self.after

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
        if self.page or math.isinf(self.kept) or self.unit == "lines":
            return self.page or None
        return int(self.kept * self.measure.step) or None

    def over(self, value: str) -> int | None:
        """The length of a value in base units if it is over the limit."""
        if math.isinf(self.limit):
            return None
        limit = self.limit * self.measure.step
        # No character takes more than four units of any sort, so most small values need no measuring.
        if self.unit != "lines" and len(value) * 4 < limit:
            return None
        length = self.measure.length(value)
        return length if length > limit or (length == limit and self.boundary == "at") else None

    def span(self, value: str, budget: int) -> tuple[int, int]:
        """Indices of the span that is left out of a value when `budget` base units are kept."""
        head, tail = self.split(budget)
        start = self.measure.head(value, head)
        return start, max(start, self.measure.tail(value, tail))

    def cut(self, arrival: Arrival, length: int) -> Cut:
        """How a value over the limit, of a length in base units, is cut."""
        value = arrival.value
        if math.isinf(self.kept):
            return self.marked(arrival, length, len(value), len(value))
        budget = int(self.kept * self.measure.step)
        cut = self.marked(arrival, length, *self.span(value, budget))
        if self.within == "text":
            # The marker's length depends on the cut, and the cut on the marker's length. Agents that count it
            # try twice and let the marker stand as it was before the last cut.
            cut = self.marked(arrival, length, *self.span(value, self.room(budget, cut)))
            start, end = self.span(value, self.room(budget, cut))
            cut = Cut(start, end, self.gap_bytes(value, length, start, end), cut.fills)
        return cut

    def room(self, budget: int, cut: Cut) -> int:
        """What a budget that includes the markers leaves for the value."""
        return max(0, budget - sum(self.measure.length(text) for text in cut.fills))

    def gap_bytes(self, value: str, length: int, start: int, end: int) -> int:
        """UTF-8 bytes of `value[start:end]`."""
        if self.unit in ("bytes", "tokens4"):  # what is kept is mostly shorter than what is not
            return length - utf8_length(value[:start]) - utf8_length(value[end:])
        return utf8_length(value[start:end])

    def marked(self, arrival: Arrival, length: int, start: int, end: int) -> Cut:
        """The cut that leaves out `value[start:end]`, with its markers."""
        elided = self.gap_bytes(arrival.value, length, start, end)
        limit = 0 if math.isinf(self.limit) else int(self.limit)
        kept = limit if math.isinf(self.kept) else int(self.kept)
        facts = Facts(arrival, start, end, self.measure, length, elided, limit, *self.split(kept), self.path)
        return Cut(
            start, end, elided, tuple(t and template.fill(t, facts) for t in (self.before, self.marker, self.after))
        )

    def amount(self, arrival: Arrival) -> Hashable:
        return WHOLE if not self.second and self.over(arrival.value) is None else id(self)

    def render(self, arrival: Arrival) -> Rendering:
        value = arrival.value
        length = self.over(value)
        if length is None:
            return self.again(arrival, ("", value, "", "", ""), 0) if self.second else Rendering(value)
        cut = self.cut(arrival, length)
        before, marker, after = cut.fills
        return self.again(arrival, (before, value[: cut.start], marker, value[cut.end :], after), cut.elided_bytes)

    def again(self, arrival: Arrival, pieces: tuple[str, ...], elided: int) -> Rendering:
        """The rendering of `pieces` (before, head, marker, tail, after), once the second stage has cut it too."""
        text = "".join(pieces)
        second = self.second_stage
        if second is not None and (length := second.over(text)) is not None:
            cut = second.cut(replace(arrival, value=text), length)
            before, marker, after = cut.fills
            elided += source_bytes(pieces, cut.start, cut.end)
            text = f"{before}{text[: cut.start]}{marker}{text[cut.end :]}{after}"
        return Rendering(text, elided, self.reach if elided else "none")


def source_bytes(pieces: tuple[str, ...], start: int, end: int) -> int:
    """UTF-8 bytes of the value (the second and fourth of the pieces) within a span of all pieces joined."""
    total = at = 0
    for number, piece in enumerate(pieces):
        if number in (1, 3):
            total += utf8_length(piece[max(0, start - at) : max(0, end - at)])
        at += len(piece)
    return total
