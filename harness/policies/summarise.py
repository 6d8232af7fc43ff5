"""Replaces the older part of the prompt by a summary of a given size. Modelled: for its tokens only.

Nobody knows what a model would have written. The summary here is filler; what it would have kept, and the
call that wrote it, are not in any figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.errors import HarnessError
from harness.policies.family import Family, PolicySpec, Stage
from harness.policies.history import IDENTITY
from harness.policies.rendering import Prompt, Rendering, Run
from harness.policies.units import utf8_length
from harness.transcript import ToolCall, ToolResult, Transcript


@dataclass(frozen=True, kw_only=True)
class Summarise(Family):
    """A summary in place of all but the newest messages, whenever the prompt passes a share of the window.

    window: tokens that the model takes. at: share of the window at which a summary is made. keep: share of
    the window (or, if `keep_of=prompt`, of the prompt) that the newest messages may have. summary: its
    tokens, one word each in o200k. System messages stay. A message that is replaced keeps its framing, and so
    costs a few tokens more than none. min_bytes: `inf` for no summaries, so that the policy equals its
    admission policy; any other size does nothing here.
    """

    stage: ClassVar[Stage] = "history"
    counts: ClassVar[str] = "tokens"
    admission: PolicySpec = IDENTITY
    window: int = 200_000
    at: float = 0.85
    keep: float = 0.1
    keep_of: Literal["window", "prompt"] = "window"
    summary: int = 2_000
    min_bytes: float = 0

    def __post_init__(self) -> None:
        if not (0 < self.at <= 1 and 0 <= self.keep < 1) or self.summary < 0 or self.window < 1:
            raise HarnessError("summarise: at and keep are shares below 1, summary is 0 or more, window 1 or more")

    def start(self, transcript: Transcript) -> Run:
        return _Run(self, transcript)


class _Run:
    def __init__(self, policy: Summarise, transcript: Transcript) -> None:
        from harness.policies.spec import make_policy

        self.policy = policy
        self.transcript = transcript
        self.inner = make_policy(policy.admission).start(transcript)
        self.text = "[modelled summary]" + " summary" * max(0, policy.summary - 4)
        self.replaced: set[int] = set()
        self.summary: int | None = None

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        return self.inner.admit(index, result, call)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        policy = self.policy
        if policy.min_bytes == float("inf") or prompt.total <= policy.at * policy.window:
            return {}
        room = policy.keep * (policy.window if policy.keep_of == "window" else prompt.total)
        old = self.older(prompt, room)
        if not old:
            return {}
        self.replaced.update(old)
        views = {index: self.view(index, prompt, "") for index in old}
        if self.summary is not None:  # the new summary covers the one before
            views[self.summary] = self.view(self.summary, prompt, "")
        self.summary = old[0]
        views[self.summary] = self.view(self.summary, prompt, self.text)
        return views

    def older(self, prompt: Prompt, room: float) -> list[int]:
        """Messages before the newest that fit into `room` tokens, without system messages and what is
        replaced already.
        """
        shown, start = prompt.shown, len(prompt.shown)
        while start and (room := room - int(prompt.tokens[shown[start - 1]])) >= 0:
            start -= 1
        messages = self.transcript.messages
        return [i for i in shown[:start] if messages[i].role != "system" and i not in self.replaced]

    def view(self, index: int, prompt: Prompt, text: str) -> Rendering:
        """What stands for a message that was summarised; all of a result is elided."""
        result = self.transcript.messages[index].result
        return Rendering(text, utf8_length(result.value) if result is not None else 0)
