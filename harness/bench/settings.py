"""What a run of engines is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from harness.bench.task import Task
from harness.engines.spec import EngineSpec, read_specs
from harness.engines.turn import sha256_of
from harness.errors import HarnessError
from harness.runs import fields
from harness.settings import Settings, setting


@dataclass(frozen=True)
class BenchSettings(Settings):
    """Which engines are asked what, and how often."""

    engines: tuple[str, ...] = fields.engines()
    tasks: tuple[str, ...] = fields.tasks()
    repetitions: int = setting("--repetitions N", "How often every task is asked.", 5, least=1)
    max_tokens: int = fields.max_tokens("a turn")
    turn_seconds: float = fields.turn_seconds(60.0)
    stretch: int = setting("--stretch N", "Tasks that one engine does before the next one's turn.", 10, least=1)
    first: int = setting("--first N", "Only N tasks of each --tasks, spread over it.", 0, least=0)
    system: str = setting("--system TEXT", "The system prompt.", "")

    def specs(self) -> list[EngineSpec]:
        """The engines. Raises `HarnessError` for unknown ones."""
        if not self.engines:
            raise HarnessError("no engine to measure: name one with --engine")
        return read_specs(self.engines)

    def read(self) -> list[Task]:
        """The tasks of all files. Raises `HarnessError` for two of one id."""
        from harness.bench.tasks import read_tasks

        found: dict[str, Task] = {}
        for path in self.tasks:
            tasks = list(read_tasks(Path(path)))
            step = max(1.0, len(tasks) / self.first) if self.first else 1.0
            for number in range(min(len(tasks), self.first or len(tasks))):
                task = tasks[int(number * step)]
                if task.id in found:
                    raise HarnessError(f"{path}: a second task has the id {task.id!r}; name files with different ids")
                found[task.id] = task
        if not found:
            raise HarnessError("no tasks to measure on: name a task file with --tasks")
        return list(found.values())

    def digest(self) -> str:
        """SHA-256 over the task files and which of their tasks are asked."""
        whole = hashlib.sha256(str(self.first).encode("ascii"))
        for path in map(Path, self.tasks):
            for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
                whole.update(b"\n" + sha256_of(file).encode("ascii"))
        return whole.hexdigest()


@dataclass(frozen=True)
class BenchJudging(Settings):
    """How a night judges a bench: against one of its engines, or against earlier nights."""

    reference: str = setting("--reference E", "One of its engines, that the others are judged against.", "")
