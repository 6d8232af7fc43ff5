"""What was found out about a corpus: whose requests are counted elsewhere, and which transcripts stand side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from harness.transcript import Transcript

Kind = Literal["fork", "resume", "archive", "copy", "conversion", "repeated", "same work", "alike"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two transcripts with answers in common. answers: of `copy`, how many are counted in `original`; left: whether
    nothing of `copy` remains, so that it is left out. *same work* is left out, *alike* is only listed: both count."""

    copy: str
    original: str
    kind: Kind
    answers: int
    left: bool


@dataclass(frozen=True)
class Copies:
    """answers: per transcript, its answers that are counted elsewhere, and whether all their results stand there too.
    left: the transcripts that are left out. read: the share of their source's text that was read. ends: how the records
    of all sources with transcripts ended."""

    answers: dict[str, dict[int, bool]] = field(default_factory=dict)
    left: frozenset[str] = frozenset()
    pairs: tuple[Pair, ...] = ()
    read: dict[str, float] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)

    def own(self, transcript: Transcript) -> Transcript | None:
        """The transcript with its copied messages marked; `None` if it is left out."""
        if transcript.id in self.left:
            return None
        transcript = replace(transcript, read=self.read.get(transcript.id))
        copied = self.answers.get(transcript.id)
        if not copied:
            return transcript
        marked = list(transcript.messages)
        holders = _holders(transcript)
        follows = False  # whether the next answer is a copy: then so is what leads to it
        for at in range(len(marked) - 1, -1, -1):
            message = marked[at]
            if message.role == "assistant":
                is_copy = follows = at in copied
            elif message.result is None:
                is_copy = follows
            else:
                is_copy = copied.get(holders[at], False)
            if is_copy and not message.copied:
                marked[at] = replace(message, copied=True)
        return replace(transcript, messages=tuple(marked))

    def of(self, ids: Iterable[str]) -> Copies:
        """What concerns these transcripts; without the pairs."""
        wanted = set(ids)
        answers = {k: v for k, v in self.answers.items() if k in wanted}
        return Copies(answers, self.left & wanted, read={k: v for k, v in self.read.items() if k in wanted})


NONE = Copies()


def _holders(transcript: Transcript) -> dict[int, int]:
    """Per result, the answer that it belongs to: the one with its call, else the latest before it."""
    found: dict[int, int] = {}
    latest = -1
    for at, message in enumerate(transcript.messages):
        if message.role == "assistant":
            latest = at
        elif message.result is not None:
            found[at] = message.result.call[0] if message.result.call is not None else latest
    return found
