"""Prunes the results of a task once the user sets the next: a practice that Anthropic's guide to costs describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from harness.policies.family import PolicySpec
from harness.policies.history import History, Rewriting
from harness.policies.rendering import Prompt
from harness.transcript import Transcript

GIST = PolicySpec("gist")


@dataclass(frozen=True, kw_only=True)
class PruneBoundary(History):
    """At each user message after the first answer, a replacement for every result before it."""

    counts: ClassVar[str] = "user messages"
    replace: PolicySpec = GIST

    def start(self, transcript: Transcript) -> Rewriting:
        return _Run(self, transcript)


class _Run(Rewriting):
    policy: PruneBoundary
    done = 0

    def stale(self, prompt: Prompt, news: Sequence[int], results: Sequence[int], restarted: bool) -> Sequence[int]:
        messages = self.transcript.messages
        boundary = next((index for index in reversed(news) if messages[index].role == "user"), None)
        if restarted:
            self.done = 0
        if boundary is None or prompt.request == 0:
            return ()
        end = self.done
        while end < len(self.shown) and self.shown[end] < boundary:
            end += 1
        old = self.shown[self.done : end]
        self.done = end
        return old
