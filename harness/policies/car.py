"""CAR's policy: a typed preview, a handle under which the run keeps the whole value, and a hint that says how
to pass it on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, Literal

from harness.errors import HarnessError
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Prompt, Rendering, Run
from harness.policies.units import utf8_length
from harness.preview import (
    Budgets,
    JsonValue,
    MalformedJson,
    Measured,
    coverage,
    parse_value,
    reference_hint,
    render_preview,
)
from harness.transcript import ToolCall, ToolResult, Transcript


@dataclass(frozen=True, kw_only=True)
class Car(Admission):
    """Every result becomes its preview under a handle, `r1`, `r2`, ... in the order of arrival, and the hint.

    parse: `recorded` takes a result for JSON if it was recorded as JSON or its tool returns JSON; `sniff`
    also if its text parses as an array or object. The other settings are the budgets of the preview
    (`harness.preview.Budgets`). A result that is spared gets no handle.
    """

    counts: ClassVar[str] = "bytes"
    parse: Literal["recorded", "sniff"] = "recorded"
    text_head_bytes: int = 400
    text_tail_bytes: int = 200
    seq_head: int = 3
    seq_tail: int = 2
    element_bytes: int = 120
    key_limit: int = 24
    keys_named: int = 8
    row_keys: int = 2
    row_value_bytes: int = 24

    def __post_init__(self) -> None:
        super().__post_init__()
        self.budgets  # noqa: B018  bad budgets are an error here, not in the middle of a replay

    @cached_property
    def budgets(self) -> Budgets:
        return Budgets(**{field.name: getattr(self, field.name) for field in fields(Budgets)})

    @property
    def notice(self) -> str:
        return "rN = text(len=..., head=..., tail=...)" + reference_hint("rN")

    def render(self, arrival: Arrival) -> Rendering:
        raise HarnessError("car needs a run to number its handles: call start() first")

    def preview(self, arrival: Arrival, handle: str) -> Rendering:
        """How a result stands in the prompt under its handle."""
        measured = Measured(typed_value(arrival, self.parse))
        text = render_preview(handle, measured, self.budgets) + reference_hint(handle)
        elided = min(coverage(measured, self.budgets).elided, utf8_length(arrival.value))
        return Rendering(text, elided, "handle-arg", handle)

    def start(self, transcript: Transcript) -> Run:
        return Handles(self)


class Handles:
    """Numbers the handles of one run."""

    def __init__(self, policy: Car) -> None:
        self.policy = policy
        self.count = 0

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        arrival = Arrival(result.value, index, result, call)
        if self.policy.spares(arrival):
            return Rendering(result.content)
        self.count += 1
        return self.policy.preview(arrival, f"r{self.count}")

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        return {}


def typed_value(arrival: Arrival, parse: Literal["recorded", "sniff"]) -> JsonValue:
    """The value of a result: JSON where it is JSON (see `Car`), else its text."""
    text = arrival.value
    if arrival.result.is_json or (parse == "sniff" and text.lstrip()[:1] in ("{", "[")):
        try:
            return parse_value(text)
        except MalformedJson:
            return text
    return text
