"""The control for what chance would keep: as many bytes as another policy elides, at a random place.

Per result one contiguous span; the seed, the transcript and the message decide where. What a policy keeps on
purpose should be worth more than what its placebo keeps by luck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, ClassVar

from harness.errors import HarnessError
from harness.policies.family import Family, PolicySpec, Stage
from harness.policies.rendering import Prompt, Rendering, Run
from harness.policies.units import UNITS, utf8_length
from harness.transcript import ToolCall, ToolResult, Transcript

if TYPE_CHECKING:
    from harness.policies.spec import NamedPolicy

GAP = "…"
HEAD = PolicySpec("head:bytes=10000")


def random_place(seed: int, transcript_id: str, index: int) -> float:
    """Where the span of a result begins, from 0 (its start) to 1 (as late as it can)."""
    return Random(f"{seed}\0{transcript_id}\0{index}".encode("utf-8", "surrogatepass")).random()


def hide(result: ToolResult, view: Rendering, place: float) -> Rendering:
    """A result without one span of as many bytes as `view` elides.

    The span begins and ends at characters, so in text that is not ASCII it may be up to three bytes short.
    Where the view elides nothing the result stays as recorded. An ellipsis marks the gap, so that its two
    sides do not make new words.
    """
    if not view.elided_bytes:
        return Rendering(result.content, 0, view.reach, view.handle)
    value = result.value
    size = utf8_length(value)
    gap = min(view.elided_bytes, size)
    first = int(place * (size - gap + 1))
    start = UNITS["bytes"].head(value, first)
    end = UNITS["bytes"].head(value, utf8_length(value[:start]) + gap)
    return Rendering(f"{value[:start]}{GAP}{value[end:]}", utf8_length(value[start:end]), view.reach, view.handle)


@dataclass(frozen=True, kw_only=True)
class Placebo(Family):
    """As many bytes of each result as the policy `of` elides, at a random place.

    A history policy's placebo hides where that policy replaces, but counts the tokens of its own prompts for
    that policy's limits. Its recoveries and handles are that policy's.
    """

    stage: ClassVar[Stage] = "admission"
    of: PolicySpec = HEAD
    seed: int = 0
    min_bytes: float = 0

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise HarnessError(f"seed is {self.seed}: give 0 or more")
        object.__setattr__(self, "stage", self.family.stage)  # that of the policy whose placebo it is

    @cached_property
    def family(self) -> Family:
        from harness.policies.spec import make_policy

        if not self.of:
            raise HarnessError("a placebo needs the policy whose bytes it hides: of=head, or another")
        return make_policy(self.of).family

    @property
    def page_bytes(self) -> int | None:
        return self.family.page_bytes

    def start(self, transcript: Transcript) -> Run:
        return _Run(self, transcript)


class _Run:
    """admitted: what the other policy would show, which is what it must be asked with."""

    def __init__(self, policy: Placebo, transcript: Transcript) -> None:
        from harness.policies.spec import make_policy

        self.policy = policy
        self.transcript = transcript
        self.inner = make_policy(policy.of).start(transcript)
        self.views: dict[int, Rendering] = {}

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        self.views[index] = self.inner.admit(index, result, call)
        return self.hidden(index, result)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        asked = Prompt(prompt.request, prompt.shown, prompt.tokens, self.views, prompt.total)
        changes = self.inner.rewrite(asked)
        self.views.update(changes)
        hidden: dict[int, Rendering] = {}
        for index in changes:
            result = self.transcript.messages[index].result
            hidden[index] = changes[index] if result is None else self.hidden(index, result)
        return hidden

    def hidden(self, index: int, result: ToolResult) -> Rendering:
        if self.policy.min_bytes and utf8_length(result.value) < self.policy.min_bytes:
            return Rendering(result.content)
        place = random_place(self.policy.seed, self.transcript.id, index)
        return hide(result, self.views[index], place)


def placebo_of(policy: NamedPolicy, seed: int) -> NamedPolicy:
    """The placebo of a policy."""
    from harness.policies.spec import make_policy

    return make_policy({"policy": "placebo", "of": policy.label, "seed": seed})
