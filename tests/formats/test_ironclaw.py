from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import Usage


def call(call_id: str, name: str, url: str) -> dict[str, Any]:
    return {"id": call_id, "name": name, "arguments": {"method": "GET", "url": url}}


def exchange(url: str, status: int, body: str) -> dict[str, Any]:
    return {"request": {"method": "GET", "url": url}, "response": {"status": status, "body": body}}


CALLS = [call("a", "http", "one"), call("b", "memory", "x"), call("c", "http", "two"), call("d", "http", "three")]
TRACE = {
    "model_name": "recorded",
    "steps": [
        {"response": {"type": "user_input", "content": "Look."}},
        {"response": {"type": "tool_calls", "tool_calls": CALLS, "input_tokens": 900, "output_tokens": 40}},
        {"response": {"type": "text", "content": "Done.", "input_tokens": 990, "output_tokens": 4}},
        {"response": {"type": "song"}},
    ],
    "http_exchanges": [exchange("two", 404, "gone"), exchange("one", 200, '{"a": 1}')],
}
SAMPLE = json.dumps(TRACE).encode()
SAMPLES = {"recorded.json": SAMPLE}


def test_a_body_answers_the_call_of_its_address() -> None:
    (run,), intake = read("recorded.json", SAMPLE)
    assert intake.problems == []
    assert (run.format, run.model) == ("ironclaw", "recorded")
    assert [m.role for m in run.messages] == ["user", "assistant", "tool", "tool", "assistant"]
    assert [(r.content, r.name, r.call, r.is_error) for m in run.messages if (r := m.result)] == [
        ('{"a": 1}', "http", (1, 0), False),
        ("gone", "http", (1, 2), True),
    ]
    assert [m.usage for m in run.messages if m.usage] == [Usage(900, None, None, 40), Usage(990, None, None, 4)]
    assert "results that are not recorded" in run.unknown
    assert [p.place for p in run.problems] == ["recorded.json: steps[3].response"]


def test_the_recorded_trace(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    (name,) = (n for n in expected if n.startswith("ironclaw-trace/"))
    (run,) = read_transcripts([corpora / name], Intake())
    results = [m.result for m in run.messages if m.result]
    figures = expected[name]
    assert (sum(len(m.calls) for m in run.messages), len(results)) == (figures["calls"], figures["results"])
    assert sum(len(r.content.encode()) for r in results) == figures["total"]
    assert run.problems == ()


def step(count: int, says: str, response: dict[str, Any], *results: tuple[str, str]) -> dict[str, Any]:
    return {
        "request_hint": {"last_user_message_contains": says, "min_message_count": count},
        "response": response,
        "expected_tool_results": [{"tool_call_id": i, "name": "look_up", "content": text} for i, text in results],
    }


def looks(*ids: str) -> dict[str, Any]:
    return {"type": "tool_calls", "tool_calls": [call(i, "look_up", "x") for i in ids]}


def test_results_stand_in_the_prompt_that_they_came_into_and_threads_stay_apart() -> None:
    done = {"type": "text", "content": "Done."}
    reference = '{"detail":{"kind":"result_reference","byte_len":900,"preview":"abc","result_ref":"result:1"}}'
    trace = {
        "model_name": "m",
        "steps": [
            {"response": {"type": "user_input", "content": "Size of A and B?"}},
            step(2, "Size of", looks("a")),
            step(4, "Size of", looks("b"), ("a", "4711")),
            step(2, "# Routine", done),
            step(6, "Size of", looks("c"), ("a", "4711"), ("b", reference)),
            step(4, "# Routine", done),
            step(8, "Size of", done, ("b", reference), ("c", "12")),
        ],
    }
    (chat, routine), intake = read("trace.json", json.dumps(trace).encode())
    assert intake.problems == []
    assert (chat.problems, routine.problems) == ((), ())
    assert [m.role for m in chat.messages] == ["user", *(["assistant", "tool"] * 3), "assistant"]
    assert [(r.content, r.call) for m in chat.messages if (r := m.result)] == [
        ("4711", (1, 0)), (reference, (3, 0)), ("12", (5, 0)),
    ]  # fmt: skip
    assert [(m.role, m.text) for m in routine.messages] == [
        ("user", "# Routine"), ("assistant", "Done."), ("assistant", "Done."),
    ]  # fmt: skip


def test_mutants() -> None:
    survive("ironclaw", "recorded.json", SAMPLE, 200)


@pytest.mark.slow
def test_many_mutants() -> None:
    survive("ironclaw", "recorded.json", SAMPLE, 2000, seed=2)
