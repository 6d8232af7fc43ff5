"""Lets a large result stand for a few calls and then evicts it, in batches: the lease of FutureEnterprises' Anatomy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import HarnessError
from harness.policies.history import History, Rewriting
from harness.policies.rendering import Prompt
from harness.transcript import Transcript


@dataclass(frozen=True, kw_only=True)
class Lease(History):
    """Replacements for results of `tokens` or more that have been in `calls` requests, once those come to
    `batch` tokens.
    """

    tokens: int = 500
    calls: int = 3
    batch: int = 30_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.tokens, self.calls, self.batch) < 0:
            raise HarnessError("lease: tokens, calls and batch are 0 or more")

    def start(self, transcript: Transcript) -> Rewriting:
        return _Run(self, transcript)


class _Run(Rewriting):
    """running: large results with the request in which they first stood; ended: those whose lease is over,
    and their tokens.
    """

    policy: Lease

    def __init__(self, policy: Lease, transcript: Transcript) -> None:
        super().__init__(policy, transcript)
        self.running: list[tuple[int, int]] = []
        self.at = 0
        self.ended: list[int] = []
        self.held = 0

    def stale(self, prompt: Prompt, news: Sequence[int], results: Sequence[int], restarted: bool) -> Sequence[int]:
        since = dict(self.running) if restarted else {}
        if restarted:
            self.running, self.at, self.ended, self.held = [], 0, [], 0
        large = (i for i in results if i in self.waiting and prompt.tokens[i] >= self.policy.tokens)
        self.running += [(index, since.get(index, prompt.request)) for index in large]
        while self.at < len(self.running) and prompt.request - self.running[self.at][1] >= self.policy.calls:
            index = self.running[self.at][0]
            self.ended.append(index)
            self.held += int(prompt.tokens[index])
            self.at += 1
        if not self.ended or self.held < self.policy.batch:
            return ()
        old, self.ended, self.held = self.ended, [], 0
        return old
