"""CAR run traces."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import ToolCall

TURNS: list[dict[str, Any]] = [
    {"prompt": "Count.", "tool": "shell", "parameters": {"command": "Ω"}, "output": "one…[truncated]"},
    {"prompt": "Count.", "tool": "http", "parameters": "{}", "output": {"rows": [1]}},
    {"tool": "rm", "parameters": {}, "output": "not allowed", "policy_rejected": True},
    {"tool": "sleep", "parameters": None},
    {"prompt": "And now?", "output": "Done."},
    {"index": 5, "verifier_verdict": "ok"},
]
TYPED = [
    {"type": "started", "agent_id": "a"},
    *({"type": "turn", "index": i, **t} for i, t in enumerate(TURNS)),
    {"type": "ended"},
]
NESTED: list[dict[str, Any]] = [{"started": {"agent_id": "a"}}, *({"turn": turn} for turn in TURNS), {"ended": {}}]


def lines(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


SAMPLES = {"run.jsonl": lines(TYPED), "nested.jsonl": lines(NESTED)}


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_run(sample: str) -> None:
    (run,), intake = read(f"runs/agent-7/{sample}", SAMPLES[sample])
    assert intake.problems == []
    assert run.problems == ()
    assert [m.role for m in run.messages] == [
        *("user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant", "user", "assistant")
    ]
    assert run.messages[1].calls == (ToolCall("shell", '{"command":"Ω"}'),)
    results = [m.result for m in run.messages if m.result]
    assert [(r.content, r.name, r.is_json, r.is_error, r.call) for r in results] == [
        ("one…[truncated]", "shell", False, None, (1, 0)),
        ('{"rows":[1]}', "http", True, None, (3, 0)),
        ("not allowed", "rm", False, True, (5, 0)),
    ]
    assert [r.clipped for r in results] == ["CAR: capped trace", None, None]
    assert (run.cluster, run.messages[-1].text) == ("agent-7", "Done.")
    assert "which turns were requests of their own" in run.unknown


def test_a_run_without_turns_is_skipped_with_a_sentence() -> None:
    assert read("run.jsonl", lines([*TYPED[:1], {"type": "turn", "tool": ""}]))[1].skipped == [
        ("run.jsonl", "a run without turns")
    ]


def test_broken_records_are_named_and_passed_over() -> None:
    wrong = [{"type": "turn", "tool": 7, "output": "said"}]
    data = lines(TYPED[:2]) + b"{\x00\n7\n" + lines(wrong) + b'{"type": "tu'
    (run,), intake = read("run.jsonl", data)
    assert [p.place for p in intake.problems] == [f"run.jsonl: line {n}" for n in (3, 4, 6)]
    assert [p.reason for p in run.problems] == ["tool is a number, not a string"]


@pytest.mark.parametrize("sample", SAMPLES)
def test_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("car-runs", sample, SAMPLES[sample], 200)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_many_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("car-runs", sample, SAMPLES[sample], 2000, seed=2)
