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
from harness.engines.turn import Answer, EngineFailure, Identity, TurnInput
from harness.errors import HarnessError
from harness.live.spend import is_remote
from harness.live.turns import Turns
from harness.loop.driver import SYSTEM, Brief, Move, Seen
from harness.loop.task import Step
from harness.transcript import Usage

MAX_TOKENS = 256
SERVER_TOKENS = 2048
"""An answer of a server, whose models may think before they call."""
_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass
class EngineDriver:
    """An engine in a process of its own, started when it is first needed. turns: of a server, those that are kept."""

    spec: EngineSpec
    turn_seconds: float = 60.0
    turns: Turns | None = None
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
        self._ready = False
        self._most = SERVER_TOKENS if is_remote(driver.spec) else MAX_TOKENS

    def next(self, context: Sequence[Seen]) -> Move:
        self._turn += 1
        *before, last = [message(seen) for seen in context if seen.role != "system"]
        chat = [chat_message(seen) for seen in context if seen.role != "system"] if is_remote(self._driver.spec) else ()
        turn = TurnInput(f"{self._brief.id}/{self._turn}", str(last["content"]), before, chat)
        try:
            answer = self._answer(turn)
        except EngineFailure as failure:
            return Move(failed=failure.kind)
        usage, retries = usage_of(answer), answer.retries
        try:
            found = parse_completion(answer.envelope)
        except EnvelopeError:
            return Move(failed="no envelope", usage=usage, retries=retries)
        except CompleteError as error:
            return Move(failed=reported(error), usage=usage, retries=retries)
        calls = tuple(
            Step(call.name, call.arguments if isinstance(call.arguments, dict) else {})
            for call in found.function_calls or ()
        )
        return Move(said(found.text), calls, usage=usage, retries=retries)

    def _answer(self, turn: TurnInput) -> Answer:
        """From the turns that are kept, or from the engine."""
        if self._driver.turns is None:
            return self._asked(turn)
        place = f"{self._brief.run}/{self._turn}"
        spec, tools = self._driver.spec, self._brief.tools
        return self._driver.turns.ask(place, spec, turn, tools, SYSTEM, self._most, lambda: self._asked(turn))

    def _asked(self, turn: TurnInput) -> Answer:
        if not self._ready:
            self._driver.ready(self._process, self._brief)
            self._ready = True
        self._process.reset()
        return self._process.complete(turn, self._most)


def reported(error: CompleteError) -> str:
    """Why an engine says that its turn failed: its code, if that is a plain name, since this goes into the results."""
    code = error.completion.error_code if error.completion else None
    return f"error: {code}" if code and _CODE.fullmatch(code) else "error reported"


def said(envelope: str) -> str:
    """The text of an answer: `response`, else the reason that the engine gives for not calling."""
    fields = orjson.loads(envelope)
    text = fields.get("response") or fields.get("reason") or ""
    return text if isinstance(text, str) else ""


def usage_of(answer: Answer) -> Usage | None:
    """The usage that a server reported; `None` where it reported none."""
    if answer.prompt_tokens is None or answer.output_tokens is None:
        return None
    cached = answer.cached_tokens
    return Usage(answer.prompt_tokens + (cached or 0), cached, None, answer.output_tokens)


def chat_message(seen: Seen) -> Mapping[str, Any]:
    """A message in the shape of chat completions, calls and results as such."""
    if seen.role == "tool":
        return {"role": "tool", "tool_call_id": seen.call_id, "content": seen.text}
    found: dict[str, Any] = {"role": seen.role, "content": seen.text}
    if seen.calls:
        found["content"] = seen.text or None
        found["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in seen.calls
        ]
    return found


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
