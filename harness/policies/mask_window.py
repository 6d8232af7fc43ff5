"""Protects the newest tokens of tool results and masks the rest in batches: Gemini CLI, OpenCode."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from harness.errors import HarnessError
from harness.policies.history import History, Rewriting
from harness.policies.rendering import Prompt
from harness.transcript import Transcript


@dataclass(frozen=True, kw_only=True)
class MaskWindow(History):
    """The newest `protect` tokens of results, and replacements for all older ones, once those come to `minimum` tokens.

    The result that crosses the limit is among the older ones. fires: whether they must come to `minimum` or exceed it.
    shelter_requests, shelter_turns: results since the last so many answers, or user messages, are not looked at.
    when: before every request, or only where a user's turn has ended (before the first request of the next,
    which is not counted among the sheltered turns). Results that are exempt do not count.
    """

    protect: float = 50_000
    minimum: float = 30_000
    fires: Literal["at", "over"] = "at"
    shelter_requests: int = 0
    shelter_turns: int = 0
    when: Literal["request", "turn-end"] = "request"

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.protect, self.minimum, self.shelter_requests, self.shelter_turns) < 0:
            raise HarnessError("mask_window: protect, minimum and the sheltered requests and turns are 0 or more")

    def start(self, transcript: Transcript) -> Rewriting:
        return _Run(self, transcript)


class _Run(Rewriting):
    """open: results out of shelter and not yet replaced, from `begin` on; sums: their tokens, added up from
    the first.
    """

    policy: MaskWindow

    def __init__(self, policy: MaskWindow, transcript: Transcript) -> None:
        super().__init__(policy, transcript)
        self.forget()

    def forget(self) -> None:
        self.sheltered: list[int] = []
        self.left = 0
        self.answers: list[int] = []
        self.users: list[int] = []
        self.open: list[int] = []
        self.sums: list[int] = [0]
        self.begin = 0

    def stale(self, prompt: Prompt, news: Sequence[int], results: Sequence[int], restarted: bool) -> Sequence[int]:
        policy, messages = self.policy, self.transcript.messages
        if restarted:
            self.forget()
        for index in news:
            if messages[index].role == "assistant":
                self.answers.append(index)
            elif messages[index].role == "user":
                self.users.append(index)
        self.sheltered += [index for index in results if index in self.waiting]
        turns = policy.shelter_turns
        if policy.when == "turn-end":
            if not any(messages[index].role == "user" for index in news):
                return ()
            turns += 1 if turns else 0
        shelter = min(_since(self.answers, policy.shelter_requests), _since(self.users, turns))
        while self.left < len(self.sheltered) and self.sheltered[self.left] < shelter:
            index = self.sheltered[self.left]
            self.open.append(index)
            self.sums.append(self.sums[-1] + int(prompt.tokens[index]))
            self.left += 1
        end = max(self.begin, bisect_left(self.sums, self.sums[-1] - policy.protect))
        prunable = self.sums[end] - self.sums[self.begin]
        if end == self.begin or prunable < policy.minimum or (policy.fires == "over" and prunable == policy.minimum):
            return ()
        old = self.open[self.begin : end]
        self.begin = end
        return old


def _since(messages: list[int], count: int) -> float:
    """Where the last `count` messages of a sort begin: results from there on are sheltered."""
    if not count:
        return float("inf")
    return messages[-count] if len(messages) >= count else -1
