"""An engine in a process of its own, with a real one: a program behind `command`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.bench.kind import BENCH
from harness.bench.record import read_envelopes
from harness.bench.settings import BenchSettings
from harness.bench.summary import BenchSummary
from harness.engines.process import EngineProcess
from harness.engines.spec import read_spec
from harness.engines.turn import EngineFailure, TurnInput
from harness.errors import HarnessError
from harness.runs import life
from harness.runs.run import Run
from tests.bench.fake import lines, task
from tests.engines.programs import obedient


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    found = EngineProcess(read_spec({"engine": "command", "run": obedient(), "max_bytes": 100_000}), turn_seconds=20.0)
    yield found
    found.close()


def test_it_answers_and_says_what_it_is(engine: EngineProcess) -> None:
    started = engine.start()
    assert started.identity.name == "command"
    assert list(started.identity.hashes) == ["program", "packages"]
    assert started.baseline is not None
    assert 5e6 < started.baseline.peak_bytes < 100e6
    engine.declare([{"name": "set_light", "description": "", "parameters": {}}], "")
    answer = engine.complete(TurnInput("t/1", "hello"), 10)
    assert json.loads(answer.envelope)["function_calls"] == [{"name": "set_light", "arguments": {}}]
    assert answer.seconds is not None
    assert answer.seconds > 0
    assert answer.output_tokens is None
    strange = engine.complete(TurnInput("t/2", "not utf-8"), 10)
    assert strange.envelope == b'{"type": "\xff"}'
    usage = engine.usage()
    assert usage is not None
    assert usage.peak_bytes > started.baseline.peak_bytes
    assert 0 < engine.overhead() < 5


def test_it_stands_still_while_paused(engine: EngineProcess) -> None:
    engine.start()
    engine.complete(TurnInput("t/1", "hello"), 10)
    engine.pause()
    time.sleep(0.05)
    before = engine.usage()
    time.sleep(0.1)
    assert engine.usage() == before
    engine.go_on()
    assert engine.complete(TurnInput("t/2", "hello"), 10).envelope


def test_after_a_failure_it_is_gone_and_can_be_started_again(engine: EngineProcess) -> None:
    engine.start()
    with pytest.raises(EngineFailure) as caught:
        engine.complete(TurnInput("t/1", "half"), 10)
    assert (caught.value.kind, caught.value.received) == ("half line", b'{"type": "ca')
    assert not engine.running
    with pytest.raises(EngineFailure, match="not running"):
        engine.complete(TurnInput("t/1", "hello"), 10)
    engine.start()
    assert engine.complete(TurnInput("t/2", "hello"), 10).envelope


def test_a_wrong_setup_is_said_in_one_sentence(tmp_path: Path) -> None:
    missing = EngineProcess(read_spec(f"recorded:path={tmp_path}/none.jsonl"))
    with pytest.raises(HarnessError, match=r"engine recorded:path=.*none\.jsonl: cannot be read"):
        missing.start()
    missing.close()


def test_it_ends_with_the_harness_even_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    code = (
        "import sys; from harness.engines.process import EngineProcess; from harness.engines.spec import read_spec\n"
        "from harness.engines.turn import TurnInput\n"
        f"engine = EngineProcess(read_spec({{'engine': 'command', 'run': {obedient()!r}}})); engine.start()\n"
        "print(engine._pipe.pid, flush=True); engine.complete(TurnInput('t/1', 'hang'), 10)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8") as harness:
        assert harness.stdout is not None
        child = Path(f"/proc/{int(harness.stdout.readline())}")
        assert child.exists()
        harness.kill()
    for _ in range(500):
        if not child.exists():
            return
        time.sleep(0.01)
    pytest.fail("the engine outlived the harness")


def test_the_rooms_of_engines_are_light() -> None:
    modules = "harness.engines.process, harness.bench.kind, harness.bench.runner, harness.show.kind"
    code = f"import sys, {modules}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8").stdout
    heavy = {"numpy", "pandas", "pyarrow", "scipy", "statsmodels", "matplotlib", "needle_rs", "tiktoken"}
    assert not heavy & set(loaded.split())


def test_a_bench_outlives_an_engine_that_fails_in_every_way(tmp_path: Path) -> None:
    inputs = ["one", "die", "2", "hang", "half", "three", "flood", "garbage", "not utf-8", "four", "error", "five"]
    path = tmp_path / "tasks.jsonl"
    path.write_text(lines([task(f"t{n:02}", text) for n, text in enumerate(inputs)]), encoding="utf-8")
    settings = BenchSettings(
        ("command:run=" + json.dumps(obedient()),), (str(path),), repetitions=1, turn_seconds=2.5, stretch=12
    )
    run = Run(life.run(BENCH, settings, tmp_path / "results"))
    found = dict(zip(inputs, run.engine["failure"].astype("str"), strict=True))
    assert found == {
        "one": "",
        "die": "crash",
        "2": "",
        "hang": "timeout",
        "half": "half line",
        "three": "",
        "flood": "flood",
        "garbage": "garbage",
        "not utf-8": "garbage",
        "four": "",
        "error": "error",
        "five": "",
    }
    rates = next(iter(BenchSummary(run).rates.values()))
    assert (rates.answered.count, rates.answered.total) == (5, 12)
    assert (rates.failed.count, rates.failed.total) == (7, 12)
    kept = {key[1]: envelope for key, envelope in read_envelopes(run.directory)}
    assert kept["t07"] == b"no envelope at all"
    assert kept["t08"] == b'{"type": "\xff"}'
    assert kept["t04"] == b'{"type": "ca'
