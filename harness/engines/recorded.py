"""Envelopes from a file, in place of an engine: to score again what an engine once said, or where none can run.

A line is one of
- an envelope (of the Needle kind or of cactus-compute's): the n-th line answers the n-th turn that is asked for;
- {"id": …, "envelope": …}: answers the turn of that id; `envelope` is the raw text, or a JSON object;
- {"input": …, "envelope": …}: answers the turn with that input.

A turn with several lines gets them in turn. A line may hold `question`, the digest of what the engine was asked
(`harness.engines.question`): asked anything else, tools and what a policy showed among it, its turn fails. Beside the
envelope `seconds`, `first_seconds`, `prompt_tokens` and `output_tokens` may stand, as the recording harness measured
them. A turn without a line is a failed turn; a line that is no JSON is an envelope that cannot be read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from harness.engines.question import question_digest
from harness.engines.turn import Answer, Declared, EngineFailure, Identity, Tool, TurnInput, sha256_of
from harness.errors import HarnessError


@dataclass(frozen=True, slots=True)
class _Recording:
    """question: the digest of what was asked; empty if the recording does not say."""

    answer: Answer
    question: str


@dataclass
class Recorded:
    """path: a file of JSON lines, or a single envelope."""

    path: str
    _answers: dict[str, list[_Recording]] = field(default_factory=dict, init=False, repr=False)
    _in_order: list[Answer] = field(default_factory=list, init=False, repr=False)
    _tools: Sequence[Tool] = field(default=(), init=False, repr=False)
    _system: str = field(default="", init=False, repr=False)
    _asked: dict[str, int] = field(default_factory=lambda: defaultdict(int), init=False, repr=False)

    def load(self) -> None:
        for number, line in enumerate(_lines(Path(self.path)), 1):
            record = _record(line)
            if record is None:
                self._in_order.append(Answer(line))
                continue
            found = _read(record, f"{self.path}: line {number}")
            key = "id" if "id" in record else "input"
            if key in record:
                self._answers.setdefault(f"{key} {record[key]}", []).append(found)
            else:
                self._in_order.append(found.answer)

    def identity(self) -> Identity:
        return Identity("recorded", "", {"recording": sha256_of(Path(self.path))}, {"path": self.path}, live=False)

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        self._tools, self._system = tools, system
        return Declared()

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        before = self._asked[turn.id]
        self._asked[turn.id] += 1
        for key in (f"id {turn.id}", f"input {turn.input}"):
            if found := self._answers.get(key):
                return self._checked(found[before % len(found)], turn)
        number = list(self._asked).index(turn.id)
        if number < len(self._in_order):
            return self._in_order[number]
        raise EngineFailure("refused", "the recording has no envelope for this turn")

    def _checked(self, recording: _Recording, turn: TurnInput) -> Answer:
        if recording.question and recording.question != question_digest(turn, self._tools, self._system):
            raise EngineFailure("refused", "the recorded envelope answers another question; record this turn anew")
        return recording.answer

    def reset(self) -> None:
        """Nothing to forget."""

    def close(self) -> None:
        """Nothing to let go of."""


def _lines(path: Path) -> list[bytes]:
    try:
        whole = path.read_bytes()
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror}); give a file of recorded envelopes") from error
    return [line for line in whole.split(b"\n") if line.strip()]


def _record(line: bytes) -> dict[str, Any] | None:
    """A line that holds an envelope beside other things; None for one that is an envelope itself."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return record if isinstance(record, dict) and "envelope" in record else None


def _read(record: dict[str, Any], place: str) -> _Recording:
    kept = record["envelope"]
    envelope = kept.encode("utf-8", "surrogatepass") if isinstance(kept, str) else orjson.dumps(kept)
    seconds, first = (_number(record, key, place) for key in ("seconds", "first_seconds"))
    prompt, output = (_number(record, key, place) for key in ("prompt_tokens", "output_tokens"))
    answer = Answer(envelope, seconds, first, _whole(prompt), _whole(output))
    return _Recording(answer, str(record.get("question") or ""))


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _number(record: dict[str, Any], key: str, place: str) -> float | None:
    value = record.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise HarnessError(f"{place}: {key} must be a number, not {value!r}")
    return value
