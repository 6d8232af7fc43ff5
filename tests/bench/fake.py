"""A clock that only moves when told, and engines that move it: a whole bench without waiting."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.bench.machine import Machine
from harness.bench.runner import World
from harness.bench.settings import BenchSettings
from harness.engines.process import Started
from harness.engines.spec import EngineSpec
from harness.engines.turn import Answer, Declared, EngineFailure, Identity, Tool, TurnInput
from harness.engines.usage import Usage

CALL = b'{"type": "call", "success": true, "function_calls": [{"name": "set_light", "arguments": {"room": "hall"}}], \
"validation": {"ungrounded": [], "negation": false}, "confidence": 0.9, "decode_tps": 100.0}'

Behaviour = Callable[[TurnInput, int], bytes | EngineFailure]
"""What an engine says to a turn, and to how many it was asked before."""


@dataclass
class Clock:
    now: float = 1_000_000.0
    log: list[str] = field(default_factory=list)


def says_call(turn: TurnInput, asked: int) -> bytes | EngineFailure:
    return CALL


@dataclass
class FakeEngine:
    """Takes `seconds` a turn, give or take `noise`, the first turn after a start ten times as long."""

    label: str
    clock: Clock
    seconds: float = 0.1
    noise: float = 0.0
    behaviour: Behaviour = says_call
    random: random.Random = field(default_factory=lambda: random.Random(1))
    running: bool = False
    paused: bool = False
    asked: int = 0
    cold: bool = True
    cpu: float = 0.0
    peak: int = 60_000_000
    load_seconds: float = 0.5

    def start(self) -> Started:
        assert not self.running
        self.running, self.paused, self.cold = True, False, True
        self._pass(self.load_seconds, "start")
        return Started(self.load_seconds, Identity("fake", "1", {"weights": "00"}), Usage(20_000_000, 0.0, 0))

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        self._pass(0.25, f"declare {len(tools)}")
        return Declared(0.25, 10 * len(tools))

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        seconds = self.seconds * self.random.lognormvariate(0, self.noise) * (10 if self.cold else 1)
        self.cold = False
        self._pass(seconds, f"complete {turn.id}")
        self.asked += 1
        said = self.behaviour(turn, self.asked)
        if isinstance(said, EngineFailure):
            self.running = said.kind == "refused"
            raise said
        return Answer(said, seconds, seconds / 4, 40, 16)

    def reset(self) -> None:
        self._pass(0.0, "reset")

    def pause(self) -> None:
        self.paused = True

    def go_on(self) -> None:
        self.paused = False

    def usage(self) -> Usage | None:
        return Usage(self.peak, self.cpu, 0) if self.running else None

    def overhead(self) -> float:
        return 0.001

    def close(self) -> None:
        self.running = False

    def _pass(self, seconds: float, what: str) -> None:
        assert self.running, "an engine that does not run was used"
        assert not self.paused, "an engine that stands still was used"
        self.clock.now += seconds
        self.cpu += seconds
        self.clock.log.append(f"{self.label} {what}")


def world(clock: Clock, engines: dict[str, FakeEngine], foreign: Callable[[], float] = lambda: 0.0) -> World:
    """A world in which nothing but these engines runs; `foreign`: CPU seconds that something else has used."""

    def open_engine(spec: EngineSpec, settings: BenchSettings) -> FakeEngine:
        return engines[spec.label]

    def look() -> Machine:
        busy = sum(engine.cpu for engine in engines.values()) + foreign()
        return Machine(clock.now, 0.5, 2, busy, 0.0, 0.0, 0.0)

    return World(open_engine, look, lambda: clock.now)


def task(name: str, *inputs: str, tools: int = 1, right: str = "hall") -> dict[str, Any]:
    """A task of one family with a turn an input; the right call is always the light in the hall."""
    tool = {"name": "set_light", "description": "", "parameters": {"properties": {"room": {"type": "string"}}}}
    others = [{"name": f"tool_{n}", "description": "", "parameters": {}} for n in range(1, tools)]
    calls = [{"name": "set_light", "arguments": {"room": right}}]
    return {
        "id": name,
        "family": "home",
        "tools": [tool, *others],
        "turns": [{"input": text, "calls": calls} for text in inputs],
    }


def lines(tasks: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\n" for one in tasks)
