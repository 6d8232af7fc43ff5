"""Which messages stand in which prompt, after what the recorder compacted, cleared or rewound.

The prompt of a request, as recorded, is all that its model had. So both what bears an atom and what else may have
told it are looked for there and nowhere else: a result that a compaction dropped bears nothing any more, and a user
message that it dropped tells nothing any more. (What a recorded summary repeats is in the prompt, as the summary's
own words.)
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from harness.transcript import Transcript

TOOLS = -1
"""Stands for the tool definitions among message indices: they are in every prompt."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The prompt of one request. message: index of the request's assistant message. It holds the messages `keep`, and
    all from `start` up to `message`."""

    message: int
    start: int
    keep: frozenset[int]

    def of(self, messages: list[int]) -> list[int]:
        """Those of the message indices, which must be in order, that stand in the prompt."""
        before = messages[: bisect_left(messages, self.message)]
        if self.start == 0:
            return before
        return [i for i in before if i >= self.start or i in self.keep or i == TOOLS]


def shown_prompts(transcript: Transcript) -> list[Shown]:
    """Per request, in order, what `Transcript.prompts` shows, in constant space each."""
    prompts: list[Shown] = []
    cuts = sorted(transcript.cuts, key=lambda cut: cut.at)
    start, keep, passed = 0, frozenset[int](), 0
    for i in transcript.requests():
        while passed < len(cuts) and cuts[passed].at <= i:
            start, keep = cuts[passed].at, frozenset(cuts[passed].keep)
            passed += 1
        prompts.append(Shown(i, start, keep))
    return prompts
