"""One engine through all its starts: loaded, warmed up, its tools declared, started anew after it failed.

A failed turn is an outcome like any other. A process that did not survive one is started again before the next turn,
and warmed up again, since the first turns after a start are slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from harness.bench.outcome import Outcome
from harness.bench.task import Task
from harness.bench.warmup import MOST_TURNS, is_stable
from harness.engines.process import Started
from harness.engines.turn import Answer, Declared, EngineFailure, Tool, TurnInput
from harness.engines.usage import Usage
from harness.errors import HarnessError

FAILED_STARTS: Final = 3


class Handle(Protocol):
    """What the bench needs of an engine; `harness.engines.process.EngineProcess` is the real one."""

    label: str

    @property
    def running(self) -> bool: ...

    def start(self) -> Started: ...

    def declare(self, tools: Sequence[Tool], system: str) -> Declared: ...

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer: ...

    def reset(self) -> None: ...

    def pause(self) -> None: ...

    def go_on(self) -> None: ...

    def usage(self) -> Usage | None: ...

    def overhead(self) -> float: ...

    def close(self) -> None: ...


@dataclass
class Session:
    """starts: how often it was started, before a resumed run was interrupted too. warm_turns: at most so many turns
    are thrown away after a start."""

    handle: Handle
    max_tokens: int
    system: str = ""
    starts: int = 0
    warm_turns: int = MOST_TURNS
    baseline: Usage | None = None
    remote: bool = False
    _new_starts: list[dict[str, Any]] = field(default_factory=list)
    _declared: tuple[Sequence[Tool], str] | None = None
    _failed_starts: int = 0
    _why: str = ""

    def prepare(self, task: Task) -> None:
        """Start and warm up the engine before anything counts. Raises `HarnessError` where it cannot be started."""
        try:
            self._start(task)
        except EngineFailure as failure:
            raise HarnessError(f"engine {self.handle.label} could not be started: {failure}") from failure

    def run(self, task: Task) -> list[Outcome]:
        """Every turn of a task, in order, each from a fresh conversation: what came before stands in its context."""
        outcomes = []
        for number, turn in enumerate(task.turns, 1):
            declared = None
            try:
                self._started_again(task)
                if self._declared != self._declaration(task):
                    declared = self._declare(task)
                else:
                    self.handle.reset()
                asked = TurnInput(turn_id(task, number), turn.input, turn.context)
                answer = self.handle.complete(asked, self.max_tokens)
                outcomes.append(Outcome(answer.envelope, answer, declared=declared))
            except EngineFailure as failure:
                self._note(failure)
                outcomes.append(Outcome(failure.received, None, failure.kind, failure.detail, declared))
        return outcomes

    def new_starts(self) -> list[dict[str, Any]]:
        """The records of starts since this was last asked, for the journal."""
        found, self._new_starts = self._new_starts, []
        return found

    def peak_bytes(self, usage: Usage | None) -> int | None:
        """The peak memory of the running process, less its baseline; None where the engine runs elsewhere."""
        if usage is None or self.baseline is None or self.remote:
            return None
        return usage.peak_bytes - self.baseline.peak_bytes

    def overhead(self) -> float:
        """CPU seconds that the engine's process spent on carrying lines; those of one that ended cannot be known."""
        try:
            return self.handle.overhead() if self.handle.running else 0.0
        except EngineFailure as failure:
            self._note(failure)
            return 0.0

    def close(self) -> None:
        self.handle.close()

    def _declare(self, task: Task) -> Declared:
        self._declared = None
        tools, system = self._declaration(task)
        declared = self.handle.declare(tools, system)
        self._declared = tools, system
        return declared

    def _declaration(self, task: Task) -> tuple[Sequence[Tool], str]:
        return task.tools, self.system if task.system is None else task.system

    def _note(self, failure: EngineFailure) -> None:
        if not self.handle.running:
            self._declared = None
            self._why = str(failure)

    def _started_again(self, task: Task) -> None:
        if self.handle.running:
            return
        if self._failed_starts >= FAILED_STARTS:
            raise EngineFailure("crash", f"not running: {FAILED_STARTS} starts in a row failed")
        try:
            self._start(task)
        except HarnessError as error:
            self.handle.close()
            self._failed_starts += 1
            raise EngineFailure("crash", f"cannot be started again: {error}") from error
        except EngineFailure:
            self._failed_starts += 1
            raise

    def _start(self, task: Task) -> None:
        started = self.handle.start()
        self._failed_starts = 0
        self._declared = None
        self.baseline, self.remote = started.baseline, started.identity.remote
        loaded = self.handle.usage()
        self.starts += 1
        record = {
            "kind": "start",
            "engine": self.handle.label,
            "start": self.starts,
            "why": self._why,
            "identity": started.identity.to_record(),
            "load_seconds": started.load_seconds,
            "baseline_bytes": self.baseline.peak_bytes if self.baseline else None,
            "loaded_bytes": self.peak_bytes(loaded),
        }
        declared, times = self._warm_up(task) if started.identity.live else (Declared(), [])
        record |= {
            "init_seconds": declared.seconds,
            "prefix_tokens": declared.prefix_tokens,
            "warm_turns": len(times),
            "warm_seconds": "+".join(f"{t:.6g}" for t in times),
            "stable": is_stable(times) if times else None,
        }
        self._new_starts.append(record)

    def _warm_up(self, task: Task) -> tuple[Declared, list[float]]:
        """The first declaration, and the seconds of turns that do not count. A turn that fails ends it: the engine
        starts cold."""
        times: list[float] = []
        declared = Declared()
        turn = TurnInput(turn_id(task, 1), task.turns[0].input, task.turns[0].context)
        try:
            declared = self._declare(task)
            while len(times) < self.warm_turns and not is_stable(times):
                answer = self.handle.complete(turn, self.max_tokens)
                self.handle.reset()
                if answer.seconds is None:
                    break
                times.append(answer.seconds)
        except EngineFailure as failure:
            self._note(failure)
            if not self.handle.running:
                self.handle.start()
        return declared, times


def turn_id(task: Task, number: int) -> str:
    """`task/number`: the name of a turn, its number from 1."""
    return f"{task.id}/{number}"
