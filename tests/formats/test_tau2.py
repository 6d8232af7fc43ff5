from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Usage

TIME = "2026-05-31T20:31:47.5"


def call(call_id: str, name: str, who: str = "assistant") -> dict[str, Any]:
    return {"id": call_id, "name": name, "arguments": {"user_id": "u"}, "requestor": who}


def gave(call_id: str, text: str, who: str = "assistant", error: bool = False) -> dict[str, Any]:
    return {"role": "tool", "id": call_id, "content": text, "requestor": who, "error": error, "timestamp": TIME}


def answer(tokens: int, **more: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": tokens, "completion_tokens": 9}
    raw = {"id": f"c{tokens}", "model": "m-1", "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 64}}}
    return {"role": "assistant", "content": None, "usage": usage, "raw_data": raw, "timestamp": TIME,
            "generation_time_seconds": 1.5, **more}  # fmt: skip


MESSAGES = [
    {"role": "assistant", "content": "Hi! How can I help you?", "cost": 0.0, "usage": None, "raw_data": None},
    {"role": "user", "content": "Book it.", "usage": {"prompt_tokens": 500}},
    {"role": "user", "content": None, "tool_calls": [call("u1", "toggle", "user")]},
    gave("u1", "toggled", "user"),
    {"role": "user", "content": "I did."},
    answer(700, tool_calls=[call("a", "get_user"), call("b", "get_flight")]),
    {"role": "tool", "tool_messages": [gave("a", '{"name": "Ada"}'), gave("b", "no such flight", error=True)]},
    answer(900, content="Sorry."),
]
SIMULATION = {"id": "s", "task_id": "8", "trial": 0, "policy": "# Policy", "messages": MESSAGES}
RESULTS = {
    "info": {"environment_info": {"domain_name": "airline", "tool_defs": [{"name": "get_user"}]}},
    "tasks": [],
    "simulations": [SIMULATION, {**SIMULATION, "trial": 1}, {**SIMULATION, "messages": None, "ticks": [1]}],
}
SAMPLE = json.dumps(RESULTS).encode()
SAMPLES = {"results.json": SAMPLE}


def test_the_trials_of_a_task_are_one_cluster() -> None:
    runs, intake = read("results.json", SAMPLE)
    assert intake.problems == []
    assert [(r.id, r.cluster) for r in runs] == [
        ("results.json#task-8-trial-0", "airline 8"),
        ("results.json#task-8-trial-1", "airline 8"),
    ]


def test_what_the_simulated_user_does_with_tools_is_not_in_the_prompt() -> None:
    (run, _), _ = read("results.json", SAMPLE)
    assert run.problems == ()
    assert [(m.role, m.text) for m in run.messages] == [
        ("system", "# Policy"), ("assistant", "Hi! How can I help you?"), ("user", "Book it."), ("user", "I did."),
        ("assistant", ""), ("tool", ""), ("tool", ""), ("assistant", "Sorry."),
    ]  # fmt: skip
    assert run.messages[4].calls == (
        ToolCall("get_user", '{"user_id":"u"}', "a"),
        ToolCall("get_flight", '{"user_id":"u"}', "b"),
    )
    assert [(r.content, r.call, r.is_error, r.is_json) for m in run.messages if (r := m.result)] == [
        ('{"name": "Ada"}', (4, 0), False, False),
        ("no such flight", (4, 1), True, False),
    ]
    assert run.tools == ('{"name":"get_user"}',)


def test_the_greeting_was_asked_of_no_model() -> None:
    (run, _), _ = read("results.json", SAMPLE)
    assert run.messages[1].copied
    assert [run.messages[i].usage for i in run.requests()] == [Usage(700, 64, None, 9), Usage(900, 64, None, 9)]
    answer = run.messages[4]
    assert answer.time is not None
    assert answer.started == answer.time - 1.5


def test_voice_runs_hold_nothing() -> None:
    runs, intake = read("r.json", json.dumps({"simulations": [{"ticks": [1]}]}).encode())
    assert runs == []
    assert intake.skipped[0][1].startswith("1 simulations without messages")


def test_the_recorded_run(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    (name,) = (n for n in expected if n.startswith("tau2-bench/"))
    (run,) = read_transcripts([corpora / name], Intake())
    results = [m.result for m in run.messages if m.result]
    figures = expected[name]
    assert sum(len(m.calls) for m in run.messages) == figures["calls"]
    assert (len(results), sum(len(r.content.encode()) for r in results)) == (figures["results"], figures["total"])
    assert all(run.messages[i].usage for i in run.requests())
    assert run.problems == ()


def test_mutants() -> None:
    survive("tau2-bench", "results.json", SAMPLE, 200)


@pytest.mark.slow
def test_many_mutants() -> None:
    survive("tau2-bench", "results.json", SAMPLE, 2000, seed=2)
