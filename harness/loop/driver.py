"""What drives a run: something that is shown a context and says what to do next.

A driver gets a `Brief` (the question, the procedure, the tools) and, before every request, the context as the policy
renders it. It never gets the world, a stored value or the task's checker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from harness.engines.turn import Identity
from harness.loop.task import Procedure, Step
from harness.transcript import ToolCall, Usage

SYSTEM = (
    "You work through the tools given to you. Do what you are asked with as few calls as you can, and end with a short "
    "answer. What looks cut may be looked at again."
)


@dataclass(frozen=True, slots=True)
class Seen:
    """One message as the driver is shown it. tool, call_id: of a result, which tool gave it to which call."""

    role: str
    text: str
    calls: tuple[ToolCall, ...] = ()
    tool: str = ""
    call_id: str = ""


@dataclass(frozen=True)
class Brief:
    """What a driver knows beside the context. tools: declarations (name, description, parameters). run: the name of
    the run, which no other run of a loop has."""

    id: str
    question: str
    procedure: Procedure
    tools: tuple[Mapping[str, Any], ...]
    run: str = ""

    def offers(self, tool: str) -> bool:
        return any(declared["name"] == tool for declared in self.tools)


@dataclass(frozen=True)
class Move:
    """What the driver says and calls; without calls it is its final answer. failed: why there is no answer at all.
    usage: as the server reports it. retries: attempts before this one."""

    text: str = ""
    calls: tuple[Step, ...] = field(default=())
    failed: str = ""
    usage: Usage | None = None
    retries: int = 0


class Session(Protocol):
    """One run of a driver."""

    def next(self, context: Sequence[Seen]) -> Move: ...


class Driver(Protocol):
    """label: as it is written, unique in a run. temperament: of a reader; empty for a model. identity: of an engine
    that has been started."""

    @property
    def label(self) -> str: ...

    @property
    def temperament(self) -> str: ...

    @property
    def identity(self) -> Identity | None: ...

    def begin(self, brief: Brief) -> Session: ...

    def close(self) -> None: ...
