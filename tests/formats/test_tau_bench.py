from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive


def turn(call_id: str, name: str, answer: str) -> list[dict[str, Any]]:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": '{"user_id":"u_1"}'}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "name": name, "content": answer},
    ]


def run(task: int, trial: int) -> dict[str, Any]:
    traj = [
        {"role": "system", "content": "# Policy"},
        {"role": "user", "content": "Cancel it."},
        *turn("same", "get_user", '{"name": "Ada"}'),
        *turn("same", "cancel", "Error: not found"),
        *turn("same", "think", ""),
        {"role": "assistant", "content": "I cannot."},
        {"role": "user", "content": "###STOP###"},
    ]
    return {"task_id": task, "trial": trial, "reward": 0.0, "info": {}, "traj": traj}


SAMPLE = json.dumps([run(0, 0), run(1, 0), run(0, 1)]).encode()
SAMPLES = {"runs.json": SAMPLE}


def test_one_run_by_itself_is_read() -> None:
    (one,), intake = read("run.json", json.dumps(run(3, 1)).encode())
    assert intake.problems == []
    assert (one.id, one.format, len(one.results())) == ("run.json#task-3-trial-1", "tau-bench", 3)


def test_the_trials_of_a_task_are_one_cluster() -> None:
    runs, intake = read("runs.json", SAMPLE)
    assert [(r.id, r.cluster) for r in runs] == [
        ("runs.json#task-0-trial-0", "task-0"),
        ("runs.json#task-1-trial-0", "task-1"),
        ("runs.json#task-0-trial-1", "task-0"),
    ]
    assert intake.problems == []
    assert {r.format for r in runs} == {"tau-bench"}
    assert runs[0].unknown == ("usage", "time", "tool definitions")


def test_a_repeated_id_answers_the_nearest_call() -> None:
    (first, *_), _ = read("runs.json", SAMPLE)
    results = [m.result for m in first.messages if m.result]
    assert [(r.name, r.call, r.content) for r in results] == [
        ("get_user", (2, 0), '{"name": "Ada"}'),
        ("cancel", (4, 0), "Error: not found"),
        ("think", (6, 0), ""),
    ]
    assert not any(r.is_json for r in results), "recorded as a string, so it is text"
    assert len(first.requests()) == 4


def test_a_run_without_messages_costs_itself_only() -> None:
    runs, intake = read("runs.json", json.dumps([run(0, 0), {"task_id": 1, "traj": None}, run(2, 0)]).encode())
    assert [r.cluster for r in runs] == ["task-0", "task-2"]
    assert [p.place for p in intake.problems] == ["runs.json: run 1"]


def test_the_recorded_runs(corpora: Path) -> None:
    intake = Intake()
    path = corpora / "tau-bench-split" / "gpt-4o-airline.tasks00-24.json"
    runs = list(read_transcripts([path], intake))
    raw = [m for r in json.loads(path.read_text(encoding="utf-8")) for m in r["traj"]]
    results = [m.result for r in runs for m in r.messages if m.result]
    assert len(runs) == 100
    assert len({r.cluster for r in runs}) == 25
    assert sum(len(r.requests()) for r in runs) == sum(m["role"] == "assistant" for m in raw) == 1381
    assert sum(len(m.calls) for r in runs for m in r.messages) == len(results) == 621
    assert sum(len(r.content.encode()) for r in results) == sum(
        len(m["content"].encode()) for m in raw if m["role"] == "tool"
    )
    assert all(r.call is not None for r in results)
    assert [p for r in runs for p in r.problems] == intake.problems == []


def test_mutants() -> None:
    survive("tau-bench", "runs.json", SAMPLE, 200)


@pytest.mark.slow
def test_many_mutants() -> None:
    survive("tau-bench", "runs.json", SAMPLE, 2000, seed=2)
