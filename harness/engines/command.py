"""Any program that answers one JSON line per line: the engine for everything that has no adapter of its own.

A line in: {"id", "input", "context", "tools", "system", "max_tokens"}, everything that belongs to the turn, so that the
program need remember nothing. A line out: the envelope. A program that crashes, floods or stops in mid-line has failed
that turn, and is started anew for the next.

    harness bench --engine 'command:run="./my-engine --quiet"' --tasks home
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from harness.engines.command_line import hashes_of, words_of
from harness.engines.pipe import LinePipe
from harness.engines.turn import Answer, Declared, Identity, Tool, TurnInput


@dataclass
class Command:
    """run: the command line, split as a shell splits it, without a shell. build: what to call its version.
    max_bytes: of the longest envelope; more is a flood."""

    run: str
    build: str = ""
    max_bytes: int = 1 << 20
    _pipe: LinePipe | None = field(default=None, init=False, repr=False)
    _tools: list[Tool] = field(default_factory=list, init=False, repr=False)
    _system: str = field(default="", init=False, repr=False)

    def load(self) -> None:
        self._pipe = LinePipe(words_of(self.run), self.max_bytes, group=None)

    def identity(self) -> Identity:
        return Identity(
            "command", self.build, hashes_of(words_of(self.run)), {"run": self.run, "max_bytes": self.max_bytes}
        )

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        self._tools, self._system = list(tools), system
        return Declared()

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        request: dict[str, Any] = {"id": turn.id, "input": turn.input, "context": list(turn.context)}
        line = orjson.dumps(request | {"tools": self._tools, "system": self._system, "max_tokens": max_tokens})
        assert self._pipe is not None
        began = time.perf_counter()
        envelope = self._pipe.ask(line)
        return Answer(envelope, time.perf_counter() - began)

    def reset(self) -> None:
        """Nothing to forget: every line holds its whole turn."""

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
