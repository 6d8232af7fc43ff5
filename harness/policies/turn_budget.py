"""A budget for all results of one turn together: Hermes.

A turn is a run of results that no other message interrupts; all of them arrive before the next request. So
nothing that was sent is ever rewritten.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from harness.errors import HarnessError
from harness.policies.family import NONE, Admission, Arrival, PolicySpec, stateless
from harness.policies.rendering import Prompt, Rendering, Run
from harness.policies.units import UnitName, unit
from harness.transcript import ToolCall, ToolResult, Transcript

PATH_ONLY = PolicySpec("spill:bytes=0,keep=0")


@dataclass(frozen=True, kw_only=True)
class TurnBudget(Admission):
    """A policy for each result; then the largest results of a turn are spilled until all fit the budget.

    each: the policy of a single result. total: the budget of a turn, in `unit`. spill: the policy that
    replaces the largest. A result that `each` has cut already is not cut again.
    """

    each: PolicySpec = NONE
    total: float = 200_000
    unit: UnitName = "codepoints"
    spill: PolicySpec = PATH_ONLY

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.total < 0:
            raise HarnessError(f"total is {self.total}: give 0 or more, or inf")
        self.first, self.last  # noqa: B018  a bad policy is an error here, not in mid-replay

    @cached_property
    def first(self) -> Admission | None:
        return stateless(self.each)

    @cached_property
    def last(self) -> Admission:
        family = stateless(self.spill)
        if family is None:
            raise HarnessError("spill is empty: say what becomes of the largest results, such as spill=spill:bytes=0")
        return family

    @property
    def page_bytes(self) -> int | None:
        return self.last.page_bytes

    @property
    def notice(self) -> str:
        return self.last.notice

    def render(self, arrival: Arrival) -> Rendering:
        return self.first.admit_arrival(arrival) if self.first else Rendering(arrival.result.content)

    def start(self, transcript: Transcript) -> Run:
        return Turns(self, transcript)


class Turns:
    """Decides a turn as a whole when its first result arrives."""

    def __init__(self, policy: TurnBudget, transcript: Transcript) -> None:
        self.policy = policy
        self.transcript = transcript
        self.decided: dict[int, Rendering] = {}

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        if index not in self.decided:
            self.decide(index)
        return self.decided.pop(index)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        return {}

    def decide(self, first: int) -> None:
        """Render all results of the turn that begins with message `first`."""
        messages = self.transcript.messages
        turn: list[Arrival] = []
        for index in range(first, len(messages)):
            result = messages[index].result
            if result is None:
                break
            call = messages[result.call[0]].calls[result.call[1]] if result.call else None
            turn.append(Arrival(result.value, index, result, call))
        views = {arrival.index: self.policy.admit_arrival(arrival) for arrival in turn}
        if not math.isinf(self.policy.total):
            self.fit(turn, views)
        self.decided |= views

    def fit(self, turn: list[Arrival], views: dict[int, Rendering]) -> None:
        """Spill the largest results until the turn fits its budget; equal ones in the order of arrival."""
        measure = unit(self.policy.unit, "o200k_base")
        sizes = {arrival.index: measure.length(views[arrival.index].text) for arrival in turn}
        total = sum(sizes.values())
        budget = self.policy.total * measure.step
        for arrival in sorted(turn, key=lambda a: -sizes[a.index]):
            if total <= budget:
                break
            if views[arrival.index].elided_bytes or self.policy.spares(arrival):
                continue
            view = self.policy.last.admit_arrival(arrival)
            total += measure.length(view.text) - sizes[arrival.index]
            views[arrival.index] = view
