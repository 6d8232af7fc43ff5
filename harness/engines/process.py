"""An engine in a process of its own, seen from the harness: starts it, talks to it, stops it, outlives it.

An engine that fails a turn otherwise than by refusing it is ended, so that the next turn gets one in a known state.
Only one engine is to run at a time: `pause` stops the process (threads that spin would slow the others), `go_on` lets
it run again.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from harness.engines.pipe import LinePipe
from harness.engines.raw import unpack
from harness.engines.spec import EngineSpec
from harness.engines.turn import GOES_ON, Answer, Declared, EngineFailure, Identity, Tool, TurnInput
from harness.engines.usage import Usage, usage
from harness.errors import HarnessError
from harness.json.value import well_formed

LONGEST_LINE: Final = 16 << 20
LOAD_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Started:
    """A start of an engine. baseline: what its process needed before anything was loaded. None: the system does not
    say."""

    load_seconds: float
    identity: Identity
    baseline: Usage | None


class EngineProcess:
    """turn_seconds: how long a turn may take. init_seconds: how long declaring tools may take."""

    def __init__(self, spec: EngineSpec, turn_seconds: float = 60.0, init_seconds: float = 300.0) -> None:
        self.label = spec.label
        self._spec = spec
        self._turn_seconds = turn_seconds
        self._init_seconds = init_seconds
        self._pipe: LinePipe | None = None
        self._to_reset = False

    @property
    def running(self) -> bool:
        return self._pipe is not None

    def start(self) -> Started:
        """Start the process and load the engine. Raises `HarnessError` where the engine cannot be set up."""
        command = [sys.executable, "-c", "from harness.engines.child import main; main()"]
        environment = dict(os.environ) | {"PYTHONSAFEPATH": "1", "PYTHONUTF8": "1"}
        self._pipe = LinePipe(command, LONGEST_LINE, environment=environment)
        spec = {"label": self._spec.label, "name": self._spec.name, "settings": dict(self._spec.settings)}
        self._ask(spec, LOAD_SECONDS)
        baseline = usage(self._pipe.pid)
        loaded = self._ask({"do": "load"}, LOAD_SECONDS)
        self._to_reset = False
        return Started(loaded["seconds"], Identity(**loaded["identity"]), baseline)

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        return Declared(**self._ask({"do": "declare", "tools": list(tools), "system": system}, self._init_seconds))

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        request: dict[str, Any] = {"do": "complete", "id": turn.id, "input": turn.input, "context": list(turn.context)}
        request |= {"chat": list(turn.chat)} if turn.chat else {}
        more = {"max_tokens": max_tokens, "reset": self._to_reset}
        self._to_reset = False
        answer = self._ask(request | more, self._turn_seconds)
        return Answer(unpack(answer.pop("envelope")), **answer)

    def reset(self) -> None:
        """Done with the next turn, before its clock starts, to spare a line there and back."""
        self._to_reset = True

    def overhead(self) -> float:
        """CPU seconds of the process that were spent outside of the engine, on carrying lines."""
        return float(self._ask({"do": "overhead"}, self._turn_seconds)["seconds"])

    def usage(self) -> Usage | None:
        return None if self._pipe is None else usage(self._pipe.pid)

    def pause(self) -> None:
        if self._pipe is not None:
            self._pipe.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        if self._pipe is not None:
            self._pipe.send_signal(signal.SIGCONT)

    def close(self) -> None:
        if self._pipe is not None:
            self.go_on()
            self._pipe.close()
            self._pipe = None

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        if self._pipe is None:
            raise EngineFailure("crash", "the engine is not running")
        try:
            answer: dict[str, Any] = orjson.loads(self._pipe.ask(_line(request), seconds))
        except EngineFailure:
            self._pipe = None
            raise
        match answer.get("failed"):
            case None:
                return answer
            case "setup":
                raise HarnessError(f"engine {self.label}: {answer['detail']}")
            case kind:
                if kind not in GOES_ON:
                    self.close()
                raise EngineFailure(kind, answer["detail"], unpack(answer["envelope"]))


def _line(request: dict[str, Any]) -> bytes:
    """A request as JSON; what no UTF-8 can hold (lone surrogates in a recorded text) becomes U+FFFD, as it does on its
    way to any model."""
    try:
        return orjson.dumps(request)
    except TypeError:
        return well_formed(json.dumps(request, ensure_ascii=False)).encode("utf-8")
