"""The reading audit (METHOD, section 1): was a recording read right? Told by its text, its calls, and its bill.

A reading is doubtful if our prompt grows otherwise than the billed one, if our count exceeds the bill by half, or if
more than half of the source's text is lost for no named reason. Without usage it is not audited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from harness.transcript import Transcript

GROWTH = (0.55, 1.15)
GROWN = 5_000
"""Billed tokens that a prompt must have grown by before its growth tells anything."""
COUNT = 1.5
TEXT = 0.5
Verdict = Literal["audited", "doubtful", "not audited"]


@dataclass(frozen=True, slots=True)
class Audit:
    """read: share of the source's text that reached a transcript. answered of calls: calls with results. growth: of our
    prompt over that of the billed one, which grew by `grown` tokens. count: our prompts over the billed ones. `None` is
    not identified. why: what is doubtful, empty if nothing is."""

    verdict: Verdict
    why: str
    read: float | None
    calls: int
    answered: int
    growth: float | None
    grown: int
    count: float | None

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def audit(transcript: Transcript, prompt: Sequence[int], cuts: Sequence[int], read: float | None) -> Audit:
    """Audit one transcript. prompt, cuts: (R,) our prompt tokens of each request, and how many times the recording had
    rewritten the prompt before it. read: the share of its source's text that was read."""
    billed = [(u.input_tokens if (u := transcript.messages[i].usage) else None) for i in transcript.requests()]
    ours, theirs = _growth(transcript, prompt, cuts, billed)
    growth = ours / theirs if theirs >= GROWN else None
    known = [(p, b) for p, b in zip(prompt, billed, strict=True) if b]
    count = sum(p for p, _ in known) / sum(b for _, b in known) if known else None
    own = [m for m in transcript.messages if not m.copied]
    calls = sum(len(m.calls) for m in own)
    answered = sum(1 for m in own if m.result is not None and m.result.call is not None)
    lost = any(problem.lost for problem in transcript.problems)
    whys = [
        f"our prompt grows by {growth:.2f} of the billed one" if growth is not None and not _within(growth) else "",
        f"our count is {count:.2f} of the billed one" if count is not None and count > COUNT else "",
        f"{1 - read:.0%} of its source's text was not read" if read is not None and read < TEXT and not lost else "",
    ]
    why = "; ".join(filter(None, whys))
    verdict: Verdict = "doubtful" if why else "audited" if known else "not audited"
    return Audit(verdict, why, read, calls, answered, growth, theirs, count)


def _within(growth: float) -> bool:
    return GROWTH[0] <= growth <= GROWTH[1]


def _growth(
    transcript: Transcript, prompt: Sequence[int], cuts: Sequence[int], billed: Sequence[int | None]
) -> tuple[int, int]:
    """Tokens by which our prompts and the billed ones grew, from request to request, where nothing but text that can
    be counted came between them."""
    ours = theirs = 0
    requests = transcript.requests()
    for n in range(1, len(requests)):
        before, after = billed[n - 1], billed[n]
        between = transcript.messages[requests[n - 1] : requests[n]]
        if before is None or after is None or after <= before or cuts[n] != cuts[n - 1]:
            continue
        if any(m.images or m.encrypted for m in between):
            continue
        ours += prompt[n] - prompt[n - 1]
        theirs += after - before
    return ours, theirs
