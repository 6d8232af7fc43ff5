"""Small suites and nights for tests: a corpus of a few conversations, and engines with a clock set by hand."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

from harness.bench.runner import World
from harness.bench.session import Handle
from harness.bench.settings import BenchSettings
from harness.cli import main
from harness.engines.spec import EngineSpec
from harness.engines.turn import EngineFailure, TurnInput
from harness.nightly.carry_out import Options
from harness.nightly.night import nightly
from harness.nightly.read import Suite, read_suite
from harness.runs.journal import Journal
from tests.bench.fake import Clock, FakeEngine, lines, says_call, task, world

NEW, OLD = "command:run=new", "command:run=old"


def conversation(seed: int, turns: int = 4) -> dict[str, object]:
    """A conversation whose tool results are lists of words, of which later calls take one."""
    rng = random.Random(seed)
    messages: list[dict[str, object]] = [{"role": "user", "content": "go"}]
    last = "start"
    for n in range(turns):
        arguments = json.dumps({"path": last})
        call = {"id": f"c{n}", "type": "function", "function": {"name": "look", "arguments": arguments}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        words = [f"src/part_{rng.randrange(10**6)}.py" for _ in range(rng.randrange(20, 60))]
        last = rng.choice(words)
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": "\n".join(words)})
    messages.append({"role": "assistant", "content": f"done with {last}"})
    return {"messages": messages}


def add_transcript(folder: Path, seed: int) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"run-{seed}.json"
    path.write_text(json.dumps(conversation(seed)), encoding="utf-8")
    return path


def replay_suite(tmp: Path, more: str = "", transcripts: int = 3) -> Path:
    """A suite of one replay."""
    for seed in range(transcripts):
        add_transcript(tmp / "rec", seed)
    path = tmp / "small.toml"
    text = '[replay.rec]\npaths = ["rec"]\npolicies = ["head:bytes=300", "swe_agent", "car"]\n'
    path.write_text(f'name = "small"\nreport = []\n{text}{more}', encoding="utf-8")
    return path


def bench_suite(tmp: Path, reference: bool, tasks: int = 20, repetitions: int = 2) -> Suite:
    """A suite of one bench, of two engines if one is the reference of the other."""
    (tmp / "tasks.jsonl").write_text(
        lines([task(f"t{n:02}", f"hall light {n}") for n in range(tasks)]), encoding="utf-8"
    )
    engines = f'engines = ["{NEW}", "{OLD}"]\nreference = "{OLD}"' if reference else f'engines = ["{NEW}"]'
    table = f'[bench.turns]\n{engines}\ntasks = ["tasks.jsonl"]\nrepetitions = {repetitions}\nstretch = 4\n'
    path = tmp / "turns.toml"
    path.write_text(f'name = "turns"\nreport = []\n{table}', encoding="utf-8")
    return read_suite(path)


def engines(clock: Clock, slower: float = 1.0, noise: float = 0.02, seed: int = 0) -> World:
    """A world with the old engine and the new one, which takes `slower` times as long."""
    made = {
        NEW: FakeEngine(NEW, clock, 0.1 * slower, noise, random=random.Random(2 * seed + 1)),
        OLD: FakeEngine(OLD, clock, 0.1, noise, random=random.Random(2 * seed + 2)),
    }
    return world(clock, made)


def ticking(start: float, step: float) -> Callable[[], float]:
    """A clock that moves by `step` whenever it is read."""
    now = [start - step]

    def tick() -> float:
        now[0] += step
        return now[0]

    return tick


def killed_while_confirming(suite: str, results: str, turns: int) -> None:
    """A night with a slow engine that kills this process with SIGKILL in the second run, before the `turns`-th turn."""
    clock = Clock()
    slow = engines(clock, slower=1.2, seed=1)
    opened: list[str] = []
    left = [turns]

    def open_engine(spec: EngineSpec, settings: BenchSettings) -> Handle:
        opened.append(spec.label)
        engine = slow.open(spec, settings)
        assert isinstance(engine, FakeEngine)
        engine.behaviour = says_or_dies
        return engine

    def says_or_dies(turn: TurnInput, asked: int) -> bytes | EngineFailure:
        if len(opened) > 2:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return says_call(turn, asked)

    nightly(read_suite(Path(suite)), Path(results), Options(), world=World(open_engine, slow.look, slow.now))


def signalled(number: int, suite: str) -> None:
    """`harness nightly` in this process, which gets a signal when the second part has five lines in its journal."""
    lines: dict[Path, int] = {}
    append = Journal.append_line

    def counted(journal: Journal, line: bytes) -> None:
        append(journal, line)
        lines[journal.path] = lines.get(journal.path, 0) + 1
        if len(lines) == 2 and lines[journal.path] == 5:
            os.kill(os.getpid(), number)

    Journal.append_line = counted  # type: ignore[method-assign]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell started in the background
    main(["nightly", suite])
