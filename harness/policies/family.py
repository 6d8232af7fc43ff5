"""What every family of policies is made of: a frozen dataclass whose fields are its settings.

A family of one's own is a subclass of `Admission` with a `render` method:

    @dataclass(frozen=True, kw_only=True)
    class FirstLine(Admission):
        def render(self, arrival: Arrival) -> Rendering:
            line, _, rest = arrival.value.partition("\\n")
            return Rendering(line, elided_bytes=utf8_length(arrival.value) - utf8_length(line), reach="rerun")

registered under the entry point group `harness.policies`. Its docstring is what `harness list policies` says of it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NewType

from harness.errors import HarnessError
from harness.policies.rendering import Prompt, Rendering, Run
from harness.policies.tools import covers, patterns
from harness.policies.units import utf8_length
from harness.transcript import ToolCall, ToolResult, Transcript

Stage = Literal["admission", "history"]
PolicySpec = NewType("PolicySpec", str)
NONE = PolicySpec("")
"""A setting that is itself a policy, written as one (`harness.policies.spec`); empty for none."""


@dataclass(slots=True)  # not frozen: one is made for every result under every policy
class Arrival:
    """A tool result as it arrives: its value, the message that holds it, and the call that it answers."""

    value: str
    index: int
    result: ToolResult
    call: ToolCall | None

    @property
    def tool(self) -> str:
        return self.result.name or (self.call.name if self.call is not None else "")

    @property
    def id(self) -> str:
        """The identifier of the call as recorded, or the number of the message."""
        return self.result.call_id or str(self.index)


class Family(ABC):
    """Settings of a policy, and how it starts on a transcript. stage and page_bytes are those of `harness.Policy`.

    counts: what its limits count, where no setting `unit` says so.
    """

    stage: ClassVar[Stage]
    counts: ClassVar[str] = ""

    @property
    def notice(self) -> str:
        """What the model reads in place of what is left out; a template, for tables."""
        return ""

    @property
    def page_bytes(self) -> int | None:
        """How much one recovery brings back."""
        return None

    @abstractmethod
    def start(self, transcript: Transcript) -> Run:
        """Fresh state for one transcript."""


@dataclass(frozen=True, kw_only=True)
class Admission(Family):
    """Decides once, when a result arrives.

    min_bytes: values of fewer UTF-8 bytes stay as recorded; `inf` leaves all as recorded. exempt: tools whose
    results stay
    as recorded: names, patterns such as `mcp__*`, or kinds such as `@read`. only: if given, the only tools
    that are touched.
    """

    stage: ClassVar[Stage] = "admission"
    min_bytes: float = 0
    exempt: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.min_bytes < 0:
            raise HarnessError(f"min_bytes is {self.min_bytes}: give a size of 0 or more, or inf")
        patterns((*self.exempt, *self.only))

    def spares(self, arrival: Arrival) -> bool:
        """Whether the result stays as recorded whatever the policy does."""
        if self.min_bytes and (math.isinf(self.min_bytes) or utf8_length(arrival.value) < self.min_bytes):
            return True
        if self.only and not covers(self.only, arrival.tool):
            return True
        return bool(self.exempt) and covers(self.exempt, arrival.tool)

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        """How a result stands in the prompt, for families that need no state."""
        return self.admit_arrival(Arrival(result.value, index, result, call))

    def admit_arrival(self, arrival: Arrival) -> Rendering:
        """The same, for a policy that stands inside another."""
        return Rendering(arrival.result.content) if self.spares(arrival) else self.render(arrival)

    def amount(self, arrival: Arrival) -> Hashable:
        """What the text of a result that is not spared depends on, among all policies: equal where the texts are. By
        default it is this policy's alone."""
        return id(self)

    @abstractmethod
    def render(self, arrival: Arrival) -> Rendering:
        """How a result that is not spared stands in the prompt."""

    def start(self, transcript: Transcript) -> Run:
        return Stateless(self)


class Stateless:
    """The run of a family that looks at one result at a time and never back."""

    def __init__(self, family: Admission) -> None:
        self.family = family
        self.admit = family.admit

    def arrive(self, arrival: Arrival) -> Hashable:
        """What the text of the next result depends on."""
        return None if self.family.spares(arrival) else self.family.amount(arrival)

    def pieces(self, arrival: Arrival) -> tuple[str, ...]:
        """The text of the result that arrived last, in one piece."""
        return (self.family.admit_arrival(arrival).text,)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        return {}


def stateless(spec: PolicySpec) -> Admission | None:
    """The family that a setting describes, if it can render a result by itself; `None` for an empty one."""
    from harness.policies.spec import make_policy

    if not spec:
        return None
    family = make_policy(spec).family
    if not isinstance(family, Admission) or type(family).start is not Admission.start:
        raise HarnessError(f"{spec!r} follows a whole run and cannot stand inside another policy: give a simpler one")
    return family
