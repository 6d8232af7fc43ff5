"""What the harness itself costs while it measures an engine, and whether it finds a planted difference in real time.

python -m pytest -m benchmark -s tests/benchmarks/test_bench.py
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from harness.bench.interleave import time_ratio
from harness.bench.kind import BENCH
from harness.bench.settings import BenchSettings
from harness.bench.summary import BenchSummary
from harness.runs import life
from harness.runs.run import Run
from tests.bench.fake import lines, task

pytestmark = pytest.mark.benchmark

PROGRAM = """
import hashlib, json, sys
block = b"x" * 65536
for line in sys.stdin:
    turn = json.loads(line)
    for _ in range({rounds}):
        hashlib.sha256(block).digest()
    call = {{"name": "set_light", "arguments": {{"room": "hall"}}}}
    print(json.dumps({{"type": "call", "success": True, "function_calls": [call], "confidence": 0.9,
                      "validation": {{"ungrounded": [], "negation": False}}}}), flush=True)
"""
ROUNDS = 200
LONG = 500
"""As long as the bundled engine needs for a turn, 45 ms with its first token, on a machine that is not busy."""
FACTOR = 1.25
EXPERIMENTS = 20


def engine(rounds: int) -> str:
    """A program that works for `rounds` blocks a turn (some 0.1 ms each) and answers with a call."""
    return "command:run=" + json.dumps(shlex.join([sys.executable, "-S", "-c", PROGRAM.format(rounds=rounds)]))


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_text(lines([task(f"t{n}", f"light in the hall, {n}") for n in range(8)]), encoding="utf-8")
    return path


def test_the_harness_takes_less_than_two_percent_of_the_time(tasks: Path, tmp_path: Path) -> None:
    settings = BenchSettings((engine(LONG),), (str(tasks),), repetitions=25)
    summary = BenchSummary(Run(life.run(BENCH, settings, tmp_path / "results")))
    turn = float(summary.times.set_index("time")["median"]["turn"])
    share = summary.harness_share
    assert share is not None
    print(f"\nthe harness's own CPU time: {100 * share:.2f} % of the wall time, turns of {1000 * turn:.0f} ms")
    print(json.dumps({"harness_share": share, "turn_seconds": turn}))
    assert share < 0.02


@pytest.mark.parametrize("factor", [1.0, FACTOR])
def test_a_planted_factor_is_found(factor: float, tasks: Path, tmp_path: Path) -> None:
    held, widths = 0, []
    for number in range(EXPERIMENTS):
        settings = BenchSettings(
            (engine(ROUNDS), engine(round(ROUNDS * factor))), (str(tasks),), repetitions=4, stretch=2
        )
        run = Run(life.run(BENCH, settings, tmp_path / str(number)))
        reference, other = run.engines
        ratio = time_ratio(run.engine, other, reference)
        assert ratio is not None
        assert ratio.interval is not None
        held += ratio.interval[0] <= factor <= ratio.interval[1]
        widths.append(ratio.interval[1] / ratio.interval[0] - 1)
    widths.sort()
    print(f"\nfactor {factor}: held by {held} of {EXPERIMENTS} intervals, median width {100 * widths[10]:.1f} %")
    print(json.dumps({"factor": factor, "held": held, "experiments": EXPERIMENTS, "median_width": widths[10]}))
    assert held >= 17
