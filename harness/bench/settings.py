"""What a run of engines is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from harness.bench.task import Task
from harness.engines.spec import EngineSpec, read_specs
from harness.engines.turn import sha256_of
from harness.errors import HarnessError


@dataclass(frozen=True)
class BenchSettings:
    """engines: as written. tasks: task files, or folders of them. repetitions: how often every task is asked.
    max_tokens: budget of a turn. turn_seconds: after which a turn has failed. stretch: tasks that one engine does
    before the next one's turn. first: only so many tasks of each path, spread over it; 0 for all. system: the system
    prompt."""

    engines: tuple[str, ...]
    tasks: tuple[str, ...]
    repetitions: int = 5
    max_tokens: int = 256
    turn_seconds: float = 60.0
    stretch: int = 10
    first: int = 0
    system: str = ""

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

    def to_record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}
        return cls(**values)
