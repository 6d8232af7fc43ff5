"""Clears old results once the prompt has grown over a limit: Anthropic's context editing, LangChain, Inspect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from harness.errors import HarnessError
from harness.policies.history import History, Rewriting
from harness.policies.rendering import Prompt
from harness.transcript import Transcript


@dataclass(frozen=True, kw_only=True)
class Clear(History):
    """Replacements for all results but the last `keep`, whenever the prompt has more than `trigger` tokens.

    measured: `original` if the prompt is measured as it would be without the replacements (the whole history
        is sent every time, and edited on the way), `edited` if as it stands.
    at_least: tokens to clear, as they stood in the prompt. rule: `all-or-nothing` clears only if at least so
        many can be cleared at once; `stop` clears the oldest until so many are cleared altogether (0: all).
    """

    trigger: float = 100_000
    keep: int = 3
    measured: Literal["original", "edited"] = "original"
    at_least: int = 0
    rule: Literal["all-or-nothing", "stop"] = "all-or-nothing"

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.trigger, self.keep, self.at_least) < 0:
            raise HarnessError("clear: trigger, keep and at_least are 0 or more")

    def start(self, transcript: Transcript) -> Rewriting:
        return _Run(self, transcript)


class _Run(Rewriting):
    """done: how many of `shown` were looked at. before: tokens of cleared results as they stood; saved: what
    the clearing of each saved, once the prompt tells; cleared: tokens cleared so far."""

    policy: Clear

    def __init__(self, policy: Clear, transcript: Transcript) -> None:
        super().__init__(policy, transcript)
        self.done = 0
        self.before: dict[int, int] = {}
        self.saved: dict[int, int] = {}
        self.total_saved = 0
        self.cleared = 0

    def stale(self, prompt: Prompt, news: Sequence[int], results: Sequence[int], restarted: bool) -> Sequence[int]:
        policy = self.policy
        for index, tokens in self.before.items():
            self.saved[index] = tokens - int(prompt.tokens[index])
            self.total_saved += self.saved[index]
        self.before = {}
        if restarted:
            self.done = 0
            self.total_saved = sum(self.saved.get(index, 0) for index in self.shown)
        total = prompt.total + (self.total_saved if policy.measured == "original" else 0)
        if total <= policy.trigger:
            return ()
        end = len(self.shown) - policy.keep
        old = [index for index in self.shown[self.done : max(self.done, end)] if index in self.waiting]
        sizes = [int(prompt.tokens[index]) for index in old]
        if policy.rule == "stop" and policy.at_least:
            count = 0
            while count < len(old) and self.cleared < policy.at_least:
                self.cleared += sizes[count]
                count += 1
            old = old[:count]
        elif sum(sizes) < policy.at_least:
            return ()
        else:
            self.done = max(self.done, end)
        self.before = dict(zip(old, sizes, strict=False))
        return old
