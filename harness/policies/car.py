"""CAR's policy: a typed preview, a handle under which the run keeps the whole value, and a hint that says how
to pass it on.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
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
    preview_pieces,
    reference_hint,
)
from harness.transcript import ToolCall, ToolResult, Transcript


@dataclass(frozen=True, kw_only=True)
class Car(Admission):
    """Every result becomes its preview under a handle, `r1`, `r2`, ... in the order of arrival, and the hint.

    parse: `recorded` takes a result for JSON if it was recorded as JSON or the tool table says so; `sniff`
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
        text = "".join(self.pieces(arrival, handle))
        return Rendering(text, self.elided(arrival), "handle-arg", handle, self.budgets)

    def pieces(self, arrival: Arrival, handle: str) -> tuple[str, ...]:
        """The text of the same, cut where tokens are additive."""
        measured = _measured(arrival.value, arrival.result.is_json, self.parse)
        *first, last = preview_pieces(handle, measured, self.budgets)
        return *first, last + reference_hint(handle)

    def elided(self, arrival: Arrival) -> int:
        """Bytes of a value that its preview leaves out."""
        measured = _measured(arrival.value, arrival.result.is_json, self.parse)
        return min(coverage(measured, self.budgets).elided, utf8_length(arrival.value))

    def amount(self, arrival: Arrival) -> Hashable:
        """Of the preview, but for its handle, among policies of this class."""
        measured = _measured(arrival.value, arrival.result.is_json, self.parse)
        if not isinstance(measured.value, str):
            return self._budgets_of_json
        shown = self.text_head_bytes, self.text_tail_bytes
        return None if measured.size <= sum(shown) else shown

    @cached_property
    def _budgets_of_json(self) -> tuple[int, ...]:
        names = [field.name for field in fields(Budgets) if not field.name.startswith("text_")]
        return tuple(getattr(self, name) for name in names)

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

    def arrive(self, arrival: Arrival) -> Hashable:
        """Number a result; what its text depends on, among all policies of this family."""
        if self.policy.spares(arrival):
            return None
        self.count += 1
        return type(self.policy), self.count, self.policy.amount(arrival)

    def pieces(self, arrival: Arrival) -> tuple[str, ...]:
        """The text of the result that arrived last, cut where tokens are additive."""
        if self.policy.spares(arrival):
            return (arrival.result.content,)
        return self.policy.pieces(arrival, f"r{self.count}")

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        return {}


@lru_cache(maxsize=2)
def _measured(text: str, is_json: bool, parse: Literal["recorded", "sniff"]) -> Measured:
    """A value measured once for the settings that are tried on it one after the other."""
    return Measured(_value(text, is_json, parse))


def typed_value(arrival: Arrival, parse: Literal["recorded", "sniff"]) -> JsonValue:
    """The value of a result: JSON where it is JSON (see `Car`), else its text."""
    return _value(arrival.value, arrival.result.is_json, parse)


def _value(text: str, is_json: bool, parse: Literal["recorded", "sniff"]) -> JsonValue:
    if is_json or (parse == "sniff" and text.lstrip()[:1] in ("{", "[")):
        try:
            return parse_value(text)
        except MalformedJson:
            return text
    return text
