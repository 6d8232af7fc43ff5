"""What was found out about a corpus: whose requests are counted elsewhere, and which transcripts stand side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from harness.transcript import Message, Transcript

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
    """answers: per transcript, its messages that are counted elsewhere, and of those, which results too. left: the
    transcripts that are left out."""

    answers: dict[str, dict[int, bool]] = field(default_factory=dict)
    left: frozenset[str] = frozenset()
    pairs: tuple[Pair, ...] = ()

    def own(self, transcript: Transcript) -> Transcript | None:
        """The transcript with its copied messages marked; `None` if it is left out."""
        if transcript.id in self.left:
            return None
        copied = self.answers.get(transcript.id)
        if not copied:
            return transcript
        marked: list[Message] = []
        latest: int | None = None
        for at, message in enumerate(transcript.messages):
            if message.role == "assistant":
                latest = at
            call = message.result.call if message.result is not None else None
            holder = at if message.role == "assistant" else call[0] if call is not None else latest
            is_copy = copied.get(-1 if holder is None else holder)
            counted_there = is_copy is not None and (message.role == "assistant" or (call is None or is_copy))
            if counted_there and message.role in ("assistant", "tool"):
                message = replace(message, copied=True)
            marked.append(message)
        return replace(transcript, messages=tuple(marked))

    def of(self, ids: Iterable[str]) -> Copies:
        """What concerns these transcripts; without the pairs."""
        wanted = set(ids)
        return Copies({k: v for k, v in self.answers.items() if k in wanted}, self.left & wanted)


NONE = Copies()
