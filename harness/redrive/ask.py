"""An engine that is asked: started once, started again after it failed, its tools declared when they change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from harness.bench.outcome import Outcome
from harness.bench.session import Handle, Session
from harness.bench.task import Task, Turn
from harness.engines.turn import EngineFailure
from harness.errors import HarnessError
from harness.redrive.prompt import RecordedPrompt


@dataclass(frozen=True)
class Asked:
    """A running engine. identity: as its adapter reports it. window: tokens of its context; told: by whom."""

    session: Session
    identity: dict[str, Any]
    window: int
    told: str

    def ask(self, name: str, prompt: RecordedPrompt) -> Outcome:
        """What becomes of one prompt. A turn that fails is an outcome too."""
        (outcome,) = self.session.run(_task(name, prompt))
        self.session.new_starts()
        return outcome


@contextmanager
def started(handle: Handle, given: int, max_tokens: int) -> Iterator[Asked]:
    """The engine, running; ended at the end of the block.

    given: a window in tokens, 0 for none. Raises `HarnessError` where the window is not known or the engine cannot be
    started.
    """
    session = Session(handle, max_tokens, warm_turns=0)
    try:
        try:
            identity = handle.start().identity
        except EngineFailure as failure:
            raise HarnessError(f"engine {handle.label} could not be started: {failure}") from failure
        if not given and identity.window is None:
            raise HarnessError(
                f"engine {handle.label} does not say how many tokens its window holds, so that it cannot be known "
                "which requests fit: give --window"
            )
        stated = identity.window or given
        window = min(given, stated) if given else stated
        yield Asked(session, identity.to_record(), window, "engine" if window == identity.window else "given")
    finally:
        session.close()


def turn_name(name: str) -> str:
    """The id of the turn that `Asked.ask` asks under this name."""
    return f"{name}/1"


def _task(name: str, prompt: RecordedPrompt) -> Task:
    turn = Turn(prompt.input, context=prompt.context)
    return Task(name, "recorded", prompt.tools, (turn,), system=prompt.system)
