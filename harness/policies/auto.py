"""Previews beside the reference's under handles like CAR's: one variant for all results, or the one that suits each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from harness.errors import HarnessError
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Prompt, Rendering, Run
from harness.preview import reference_hint
from harness.preview.excerpt import Excerpts
from harness.preview.variants import excerpts, variant_of
from harness.transcript import ToolCall, ToolResult, Transcript

Kind = Literal["source", "grep", "table", "log", "diff", "json", "listing", "paths", "text"]

KEPT = 4
"""Values kept measured: settings that are swept ask for the same one again and again."""


@dataclass(frozen=True, kw_only=True)
class Quoting(Admission):
    """What both families share.

    budget: bytes of summary and excerpts; a value that is hardly longer stands as recorded. Every result has its
    handle's number, shown or not, so that numbers do not depend on budgets.
    """

    counts: ClassVar[str] = "bytes"
    budget: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.budget < 0:
            raise HarnessError(f"budget is {self.budget}: give bytes, 0 or more")

    @property
    def notice(self) -> str:
        return "rN = kind(len=..., lines=...)" + reference_hint("rN")

    @abstractmethod
    def measured(self, result: ToolResult) -> Excerpts:
        """The value of a result, measured in its kind."""

    def budget_of(self, kind: str) -> int:
        """Bytes for a kind."""
        return self.budget

    def render(self, arrival: Arrival) -> Rendering:
        raise HarnessError("a preview needs a run to number its handles: call start() first")

    def preview(self, arrival: Arrival, handle: str) -> Rendering:
        """How a result stands in the prompt under its handle."""
        measured = self.measured(arrival.result)
        budget = self.budget_of(measured.kind)
        if measured.is_whole(budget):
            return Rendering(arrival.result.value)
        shown = measured.render(handle, budget)
        return Rendering(shown.text + reference_hint(handle), shown.elided_bytes, "handle-arg", handle)

    def amount(self, arrival: Arrival) -> Hashable:
        measured = self.measured(arrival.result)
        return measured.kind, measured.amount(self.budget_of(measured.kind))

    def start(self, transcript: Transcript) -> Run:
        return Numbered(self)


@dataclass(frozen=True, kw_only=True)
class Preview(Quoting):
    """Facts, a summary and excerpts in the manner of one kind of content, under a handle, with CAR's hint.

    kind: a variant (`harness.preview.variants`), used whatever the content is.
    """

    kind: Kind = "text"

    def measured(self, result: ToolResult) -> Excerpts:
        return _of_kind(self.kind, result.value)


@dataclass(frozen=True, kw_only=True)
class Auto(Quoting):
    """The same in the manner that suits each result's content.

    source, grep, ...: bytes for results of that kind; 0 for `budget`.
    """

    source: int = 0
    grep: int = 0
    table: int = 0
    log: int = 0
    diff: int = 0
    json: int = 0
    listing: int = 0
    paths: int = 0
    text: int = 0

    def measured(self, result: ToolResult) -> Excerpts:
        return _of_its_kind(result.value, result.is_json)

    def budget_of(self, kind: str) -> int:
        own: int = getattr(self, kind)
        return own or self.budget


class Numbered:
    """Numbers the results of one run."""

    def __init__(self, policy: Quoting) -> None:
        self.policy = policy
        self.count = 0

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        arrival = Arrival(result.value, index, result, call)
        self.count += 1
        if self.policy.spares(arrival):
            return Rendering(result.content)
        return self.policy.preview(arrival, f"r{self.count}")

    def arrive(self, arrival: Arrival) -> Hashable:
        """Number a result; what its text depends on, among both families."""
        self.count += 1
        return None if self.policy.spares(arrival) else self.policy.amount(arrival)

    def pieces(self, arrival: Arrival) -> tuple[str, ...]:
        """The text of the result that arrived last, in one piece."""
        if self.policy.spares(arrival):
            return (arrival.result.content,)
        return (self.policy.preview(arrival, f"r{self.count}").text,)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        return {}


@lru_cache(maxsize=KEPT)
def _of_kind(kind: str, value: str) -> Excerpts:
    return excerpts(kind, value)


@lru_cache(maxsize=KEPT)
def _of_its_kind(value: str, is_json: bool) -> Excerpts:
    return excerpts(variant_of(value, is_json), value)
