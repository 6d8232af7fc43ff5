"""Keeps the last n results and masks the others: SWE-agent, the observation masking of JetBrains, OpenHands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from harness.errors import HarnessError
from harness.policies.history import History, Rewriting
from harness.policies.rendering import Prompt
from harness.transcript import Transcript


@dataclass(frozen=True, kw_only=True)
class MaskLastN(History):
    """The last n results as they arrived, and a replacement for each older one.

    polling: masks only when the number of results, the task counted as one, is a multiple of it, so that between n and
    n + polling results stand and the prefix is rewritten once in so many steps (SWE-agent).
    """

    counts: ClassVar[str] = "results"
    n: int = 10
    polling: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < 0 or self.polling < 1:
            raise HarnessError(f"n={self.n}, polling={self.polling}: give n of 0 or more and polling of 1 or more")

    def start(self, transcript: Transcript) -> Rewriting:
        return _Run(self, transcript)


class _Run(Rewriting):
    policy: MaskLastN
    done = 0

    def stale(self, prompt: Prompt, news: Sequence[int], results: Sequence[int], restarted: bool) -> Sequence[int]:
        if restarted:
            self.done = 0
        polling = self.policy.polling
        # The first observation, the task itself, is counted and never masked: SWE-agent `LastNObservations`.
        upto = (len(self.shown) + 1) // polling * polling - self.policy.n - 1
        old = self.shown[self.done : max(self.done, upto)]
        self.done += len(old)
        return old
