"""An engine of a bench or a re-drive whose turns are kept and paid for out of a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.engines.process import EngineProcess, Started
from harness.engines.spec import EngineSpec
from harness.engines.turn import Answer, Declared, Tool, TurnInput
from harness.engines.usage import Usage
from harness.live.turns import Turns


@dataclass
class PaidEngine:
    """Does what the engine's process does, but for `complete`, which takes a turn that is kept from the journal."""

    process: EngineProcess
    spec: EngineSpec
    turns: Turns
    label: str = field(default="", init=False)
    _tools: Sequence[Tool] = field(default=(), init=False)
    _system: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.label = self.process.label

    @property
    def running(self) -> bool:
        return self.process.running

    def start(self) -> Started:
        return self.process.start()

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        self._tools, self._system = tools, system
        return self.process.declare(tools, system)

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        """Raises `OutOfBudget` before a request that might cost more than is left."""

        def ask() -> Answer:
            return self.process.complete(turn, max_tokens)

        place = f"{self.label}/{turn.id}"
        return self.turns.ask(place, self.spec, turn, self._tools, self._system, max_tokens, ask)

    def reset(self) -> None:
        self.process.reset()

    def pause(self) -> None:
        self.process.pause()

    def go_on(self) -> None:
        self.process.go_on()

    def usage(self) -> Usage | None:
        return self.process.usage()

    def overhead(self) -> float:
        return self.process.overhead()

    def close(self) -> None:
        self.process.close()
