"""Any engine as a driver: each request is a turn, its envelope's calls are what it does next.

The last message is the turn's input and those before it are its context, all of it new to the engine, which is reset
before every turn. A turn that fails ends the run, and the reason is kept; nothing is asked again. Engines see the
procedure of a task no more than a user would tell them: the question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from harness.engines.envelope import CompleteError, EnvelopeError, parse_completion
from harness.engines.process import EngineProcess
from harness.engines.spec import EngineSpec
from harness.engines.turn import EngineFailure, Identity, TurnInput
from harness.errors import HarnessError
from harness.loop.driver import SYSTEM, Brief, Move, Seen
from harness.loop.task import Step

MAX_TOKENS = 256
_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass
class EngineDriver:
    """An engine in a process of its own, started when it is first needed."""

    spec: EngineSpec
    turn_seconds: float = 60.0
    identity: Identity | None = field(default=None, init=False)
    _process: EngineProcess | None = field(default=None, init=False)

    temperament = ""

    @property
    def label(self) -> str:
        return self.spec.label

    def begin(self, brief: Brief) -> EngineSession:
        if self._process is None:
            self._process = EngineProcess(self.spec, self.turn_seconds)
            self._start(self._process)
        return EngineSession(self, self._process, brief)

    def ready(self, process: EngineProcess, brief: Brief) -> None:
        """The process running, with the tools of the task."""
        if not process.running:
            self._start(process)
        process.declare(list(brief.tools), SYSTEM)

    def _start(self, process: EngineProcess) -> None:
        try:
            self.identity = process.start().identity
        except EngineFailure as failure:
            raise HarnessError(f"engine {self.label} could not be started: {failure}") from failure

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


class EngineSession:
    """One run of an engine."""

    def __init__(self, driver: EngineDriver, process: EngineProcess, brief: Brief) -> None:
        self._driver, self._process, self._brief = driver, process, brief
        self._turn = 0

    def next(self, context: Sequence[Seen]) -> Move:
        self._turn += 1
        *before, last = [message(seen) for seen in context if seen.role != "system"]
        turn = TurnInput(f"{self._brief.id}/{self._turn}", str(last["content"]), before)
        try:
            if self._turn == 1:
                self._driver.ready(self._process, self._brief)
            self._process.reset()
            found = parse_completion(self._process.complete(turn, MAX_TOKENS).envelope)
        except EngineFailure as failure:
            return Move(failed=failure.kind)
        except EnvelopeError:
            return Move(failed="no envelope")
        except CompleteError as error:
            return Move(failed=reported(error))
        calls = tuple(
            Step(call.name, call.arguments if isinstance(call.arguments, dict) else {})
            for call in found.function_calls or ()
        )
        return Move(said(found.text), calls)


def reported(error: CompleteError) -> str:
    """Why an engine says that its turn failed: its code, if that is a plain name, since this goes into the results."""
    code = error.completion.error_code if error.completion else None
    return f"error: {code}" if code and _CODE.fullmatch(code) else "error reported"


def said(envelope: str) -> str:
    """The text of an answer: `response`, else the reason that the engine gives for not calling."""
    fields = orjson.loads(envelope)
    text = fields.get("response") or fields.get("reason") or ""
    return text if isinstance(text, str) else ""


def message(seen: Seen) -> Mapping[str, Any]:
    """A message as engines take it: calls as text behind what was said, since not every engine knows roles."""
    calls = [json.dumps({"name": c.name, "arguments": _json(c.arguments)}, ensure_ascii=False) for c in seen.calls]
    return {"role": seen.role, "content": "\n".join(filter(None, [seen.text, *calls]))}


def _json(arguments: str) -> Any:
    """What recorded arguments say; those that are no JSON stay as they are."""
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
