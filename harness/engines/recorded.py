"""Envelopes from a file, in place of an engine: to score again what an engine once said, or where none can run.

A line is one of
- an envelope (of the Needle kind or of cactus-compute's): the n-th line answers the n-th turn that is asked for;
- {"id": …, "envelope": …}: answers the turn of that id; `envelope` is the raw text, or a JSON object;
- {"input": …, "envelope": …}: answers the turn with that input.

A turn with several lines gets them in turn. Beside the envelope `seconds`, `first_seconds`, `prompt_tokens` and
`output_tokens` may stand, as the recording harness measured them. A turn without a line is a failed turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from harness.engines.turn import Answer, Declared, EngineFailure, Identity, Tool, TurnInput, sha256_of
from harness.errors import HarnessError

_TIMES = ("seconds", "first_seconds", "prompt_tokens", "output_tokens")


@dataclass
class Recorded:
    """path: a file of JSON lines, or a single envelope."""

    path: str
    _answers: dict[str, list[Answer]] = field(default_factory=dict, init=False, repr=False)
    _in_order: list[Answer] = field(default_factory=list, init=False, repr=False)
    _asked: dict[str, int] = field(default_factory=lambda: defaultdict(int), init=False, repr=False)

    def load(self) -> None:
        for number, line in enumerate(_lines(Path(self.path)), 1):
            record, answer = _read(line, f"{self.path}: line {number}")
            for key in ("id", "input"):
                if key in record and "envelope" in record:
                    self._answers.setdefault(f"{key} {record[key]}", []).append(answer)
                    break
            else:
                self._in_order.append(answer)

    def identity(self) -> Identity:
        return Identity("recorded", "", {"recording": sha256_of(Path(self.path))}, {"path": self.path}, live=False)

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        return Declared()

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        before = self._asked[turn.id]
        self._asked[turn.id] += 1
        for key in (f"id {turn.id}", f"input {turn.input}"):
            if answers := self._answers.get(key):
                return answers[before % len(answers)]
        number = list(self._asked).index(turn.id)
        if number < len(self._in_order):
            return self._in_order[number]
        raise EngineFailure("refused", "the recording has no envelope for this turn")

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


def _read(line: bytes, place: str) -> tuple[dict[str, Any], Answer]:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise HarnessError(f"{place}: no JSON ({error}); a recording has one JSON object a line") from error
    if not isinstance(record, dict):
        raise HarnessError(f"{place}: no JSON object; a recording has one JSON object a line")
    if "envelope" not in record:
        return record, Answer(line)
    kept = record["envelope"]
    envelope = kept.encode("utf-8") if isinstance(kept, str) else orjson.dumps(kept)
    times = {key: record.get(key) for key in _TIMES}
    for key, value in times.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or value < 0):
            raise HarnessError(f"{place}: {key} must be a number, not {value!r}")
    return record, Answer(envelope, **times)
