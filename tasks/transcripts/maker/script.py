"""What a scripted run is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.loop.environment.service import Store, serve
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent
from tasks.transcripts.maker.dialects import Kind


@dataclass(frozen=True)
class Script:
    """One run to make. kinds: the tools it is offered. store: makes the records of its JSON service."""

    task: str
    name: str
    format: str
    kinds: Sequence[Kind]
    play: Callable[[Agent], None]
    store: Callable[[], Store] | None = None

    @property
    def run(self) -> str:
        return f"{self.task}/{self.name}"

    def make(self) -> Agent:
        """Play the script in a temporary folder that is gone afterwards."""
        with ExitStack() as stack:
            folder = stack.enter_context(TemporaryDirectory(prefix="sample-"))
            root = Path(folder).resolve() / self.task
            root.mkdir()
            service = stack.enter_context(serve(self.store())) if self.store else ""
            workspace = Workspace(root, f"/home/dev/{self.task}")
            agent = Agent(self.run, self.task, self.format, workspace, self.kinds, service)
            self.play(agent)
        return agent
