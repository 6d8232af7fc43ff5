"""The calls of a transcript in their order, each with its result: what both the acts after a cut and repeats are read
from."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from harness.after.asked import Asked, asked
from harness.transcript import ToolCall, ToolResult, Transcript

FAILED = re.compile(
    r"\s*(?:<tool_use_error>|<error>)?\s*(?:error\b|traceback|exception\b|unknown tool|no such tool|cat: |"
    r"sed: |head: |tail: |bash: |/bin/\w+: |invalid\b)|[^\n]{0,200}(?:no such file|not found|does not exist|"
    r"no such tool|unknown tool|"
    r"is not available|command not found|permission denied)",
    re.IGNORECASE,
)
ABSENT = re.compile(
    r"no such (?:tool|file)|unknown tool|tool [^\n]{0,80}(?:not found|not available|does not exist|not registered)|"
    r"(?:file|handle|hash|path)[^\n]{0,120}(?:not found|does not exist|expired)|not found|does not exist",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Made:
    """One call. message: of the answer that made it. number: which of its calls. at: where it stands among all calls.
    result: index of the message with its result, `None` where there is none."""

    message: int
    number: int
    at: int
    call: ToolCall
    asked: Asked
    result: int | None


class Timeline:
    """calls: all of the run's own calls, in order."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        results = {
            m.result.call: i for i, m in enumerate(transcript.messages) if m.result is not None and m.result.call
        }
        self.calls: list[Made] = []
        for i, message in enumerate(transcript.messages):
            if message.role == "assistant" and not message.copied:
                for n, call in enumerate(message.calls):
                    self.calls.append(Made(i, n, len(self.calls), call, asked(call), results.get((i, n))))
        self._messages = [made.message for made in self.calls]

    @cached_property
    def requests(self) -> list[int]:
        return self.transcript.requests()

    @cached_property
    def of(self) -> dict[tuple[int, int], Made]:
        """By message and number."""
        return {(made.message, made.number): made for made in self.calls}

    def first_after(self, message: int) -> int:
        """Where the calls begin that were made with this message in sight: those of later requests."""
        return bisect_left(self._messages, message + 1)

    def next_calls(self, start: int, within: int) -> list[Made]:
        """The calls from `start` on, so many of them, and the others of the last one's request."""
        found = self.calls[start : start + within]
        for made in self.calls[start + within :]:
            if not found or made.message != found[-1].message:
                break
            found.append(made)
        return found

    def goes_on_after(self, message: int) -> bool:
        """Whether a request was recorded after this message."""
        return bool(self.requests) and self.requests[-1] > message

    def result(self, made: Made) -> ToolResult | None:
        return None if made.result is None else self.transcript.messages[made.result].result

    def failed(self, made: Made) -> bool:
        """Whether its result is an error, as flagged or as its first words say."""
        result = self.result(made)
        if result is None:
            return False
        if result.is_error is not None or result.exit_code is not None:
            return bool(result.is_error) or bool(result.exit_code)
        return FAILED.match(result.content[:400]) is not None

    def says_absent(self, made: Made) -> bool:
        """Whether its result is an error that says that what was asked for is not there."""
        result = self.result(made)
        return result is not None and self.failed(made) and ABSENT.search(result.content[:600]) is not None
