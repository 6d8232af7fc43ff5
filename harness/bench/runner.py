"""The work of a bench: every task so many times, one engine running at a time, every turn recorded as it is done."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from harness.bench.machine import UNKNOWN, Machine, contention, look
from harness.bench.schedule import Stretch, interleaved
from harness.bench.session import Handle, Session
from harness.bench.settings import BenchSettings
from harness.bench.task import Task
from harness.engines.process import EngineProcess
from harness.engines.spec import EngineSpec
from harness.engines.usage import Usage
from harness.runs.kind import Going, Record


@dataclass(frozen=True)
class World:
    """What a bench touches besides its files; a test puts a clock and engines of its own here."""

    open: Callable[[EngineSpec, BenchSettings], Handle]
    look: Callable[[], Machine]
    now: Callable[[], float]


def open_process(spec: EngineSpec, settings: BenchSettings) -> Handle:
    """The engine in a process of its own."""
    return EngineProcess(spec, settings.turn_seconds)


REAL = World(open_process, look, time.time)


def work(settings: BenchSettings, going: Going) -> Iterator[Record]:
    """The records of what is not asked yet. The world of `going`, where there is one, stands for `REAL`."""
    tasks = settings.read()
    bench = Bench(settings, going.world or REAL, Done.of(going.records()))
    turns = bench.done.turns
    total = settings.repetitions * len(bench.sessions) * sum(len(task.turns) for task in tasks)
    going.progress(turns, total)
    try:
        for record in bench.run(tasks):
            yield record
            if record["kind"] == "task":
                turns += len(record["outcomes"])
                going.progress(turns, total)
    finally:
        bench.close()


@dataclass
class Done:
    """What a journal holds already. tasks: ids by engine and repetition. starts: by engine."""

    tasks: dict[tuple[str, int], set[str]]
    starts: Counter[str]
    turns: int = 0
    stretches: int = 0
    started: float = 0.0

    @classmethod
    def of(cls, records: Iterable[Record]) -> Done:
        done = cls(defaultdict(set), Counter())
        for record in records:
            match record["kind"]:
                case "run":
                    done.started = record["started"]
                case "start":
                    done.starts[record["engine"]] += 1
                case "task":
                    done.tasks[record["engine"], record["repetition"]].add(record["task"])
                    done.turns += len(record["outcomes"])
                    done.stretches = max(done.stretches, record["stretch"])
        return done


class Bench:
    """The engines of a run and what they have done so far."""

    def __init__(self, settings: BenchSettings, world: World, done: Done) -> None:
        self.done = done
        self._settings = settings
        self._world = world
        self.sessions = {
            spec.label: Session(
                world.open(spec, settings), settings.max_tokens, settings.system, done.starts[spec.label]
            )
            for spec in settings.specs()
        }

    def run(self, tasks: list[Task]) -> Iterator[dict[str, Any]]:
        """The records of everything that is not done yet, as it is done."""
        began = self._world.look()
        plan = list(self._left(tasks))
        for session in (self.sessions[label] for label in dict.fromkeys(stretch.engine for stretch in plan)):
            session.prepare(plan[0].tasks[0])
            yield from session.new_starts()
            session.handle.pause()
        for stretch in plan:
            yield from self._stretch(stretch)
        yield self._account(began)

    def close(self) -> None:
        for session in self.sessions.values():
            session.close()

    def _left(self, tasks: list[Task]) -> Iterator[Stretch]:
        for stretch in interleaved(list(self.sessions), tasks, self._settings.repetitions, self._settings.stretch):
            done = self.done.tasks[stretch.engine, stretch.repetition]
            if left := tuple(task for task in stretch.tasks if task.id not in done):
                yield Stretch(stretch.engine, stretch.repetition, left)

    def _stretch(self, stretch: Stretch) -> Iterator[dict[str, Any]]:
        session = self.sessions[stretch.engine]
        self.done.stretches += 1
        name = {"engine": stretch.engine, "repetition": stretch.repetition, "stretch": self.done.stretches}
        session.handle.go_on()
        before, used = self._world.look(), session.handle.usage()
        for task in stretch.tasks:
            began = self._world.now() - self.done.started
            outcomes = session.run(task)
            yield from session.new_starts()
            kept = [outcome.to_record() for outcome in outcomes]
            yield {"kind": "task", "task": task.id, "started": began} | name | {"outcomes": kept}
        yield {"kind": "stretch"} | name | self._seen(session, stretch, before, used)
        session.handle.pause()

    def _seen(self, session: Session, stretch: Stretch, before: Machine, used: Usage | None) -> dict[str, Any]:
        """What the system says of a stretch. CPU time of a process that ended in it is that of an ended child."""
        after, now = self._world.look(), session.handle.usage()
        cpu = (now.cpu_seconds if now else 0.0) - (used.cpu_seconds if used else 0.0) + after.ended - before.ended
        switched = max(0, now.switched_out - used.switched_out) if now and used else None
        # A server's own work would look like somebody else's.
        found = UNKNOWN if session.remote else contention(before, after, cpu, switched or 0)
        return {
            "turns": sum(len(task.turns) for task in stretch.tasks),
            "seconds": after.clock - before.clock,
            "load_before": before.load,
            "load_after": after.load,
            "foreign_cores": found.foreign_cores,
            "steal": found.steal,
            "switched_out": switched,
            "cpu_seconds": None if before.busy is None or session.remote else cpu,
            "peak_bytes": session.peak_bytes(now),
            "peak_total": now.peak_bytes if now and not session.remote else None,
            "contended": found.contended,
            "because": "; ".join(found.because),
        }

    def _account(self, began: Machine) -> dict[str, Any]:
        """How long it all took, and how much CPU time of it was the harness's own, in this process and the engines'."""
        own = 0.0
        for session in self.sessions.values():
            session.handle.go_on()
            own += session.overhead()
        ended = self._world.look()
        return {
            "kind": "account",
            "wall_seconds": ended.clock - began.clock,
            "harness_cpu_seconds": own + ended.own - began.own,
        }
