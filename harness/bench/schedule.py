"""Who runs when: every engine does a stretch of tasks, in turn, so that what drifts on the machine drifts for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.bench.task import Task


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some tasks that one engine does while all others stand still. repetition: from 1."""

    engine: str
    repetition: int
    tasks: tuple[Task, ...]


def interleaved(engines: Sequence[str], tasks: Sequence[Task], repetitions: int, length: int) -> Iterator[Stretch]:
    """A B A B over stretches of `length` tasks, all tasks once before the next repetition begins."""
    for repetition in range(1, repetitions + 1):
        for start in range(0, len(tasks), length):
            for engine in engines:
                yield Stretch(engine, repetition, tuple(tasks[start : start + length]))
