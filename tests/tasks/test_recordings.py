"""The recorded envelopes: each answers a turn that exists, and they can be scored again without their engine."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from harness.bench.kind import BENCH
from harness.bench.settings import BenchSettings
from harness.bench.summary import BenchSummary
from harness.bench.tasks import read_tasks
from harness.engines.envelope import CompleteError, parse_completion
from harness.runs import life
from harness.runs.run import Run

ENGINE_TASKS = Path(__file__).resolve().parents[2] / "tasks" / "engine"
RECORDINGS = sorted((ENGINE_TASKS / "recordings").glob("*.jsonl"))


def lines(path: Path) -> list[dict[str, str]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_every_line_answers_a_turn_with_an_envelope(path: Path) -> None:
    turns = {f"{task.id}/{number}" for task in read_tasks(ENGINE_TASKS) for number in range(1, len(task.turns) + 1)}
    found = lines(path)
    assert len(found) >= 90
    assert len({line["id"] for line in found}) == len(found)
    assert {line["id"] for line in found} <= turns
    failures = 0
    for line in found:
        try:
            parse_completion(line["envelope"])
        except CompleteError:
            failures += 1
    assert failures < len(found) / 10


def test_they_are_scored_again(tmp_path: Path) -> None:
    (path,) = RECORDINGS
    recorded = {line["id"].partition("/")[0] for line in lines(path)}
    tasks = tmp_path / "home.jsonl"
    kept = [line for line in (ENGINE_TASKS / "home.jsonl").read_bytes().splitlines() if _wanted(line, recorded)]
    tasks.write_bytes(b"\n".join(kept))
    settings = BenchSettings((f"recorded:path={path}",), (str(tasks),), repetitions=1)
    summary = BenchSummary(Run(life.run(BENCH, settings, tmp_path / "results")))
    (rates,) = summary.rates.values()
    assert rates.turns >= 10
    assert rates.failed.count == 0
    assert rates.right.count > rates.turns / 4
    assert 0 < rates.grounded.count < rates.grounded.total
    assert summary.throughput.empty or set(summary.throughput["rate"]) <= {"claimed_prefill", "claimed_decode"}


def _wanted(line: bytes, recorded: set[str]) -> bool:
    record = orjson.loads(line)
    return "id" not in record or record["id"] in recorded
