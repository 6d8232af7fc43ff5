from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import Message, ToolCall, Usage


def dumped(name: str, **fields: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": fields}


USAGE = {"input_tokens": 60, "output_tokens": 15, "total_tokens": 75, "input_token_details": {"cache_read": 32}}
CALL = {"name": "search", "args": {"query": "x"}, "id": "c1", "type": "tool_call"}
DUMPED = [
    dumped("SystemMessage", content="You help."),
    dumped("HumanMessage", content=[{"type": "text", "text": "Go."}, {"type": "image_url", "image_url": {}}]),
    dumped(
        "AIMessage", content=[{"type": "text", "text": "Look."}, {"type": "tool_use", "id": "c1", "name": "search"}],
        tool_calls=[CALL], id="run-1", usage_metadata=USAGE, response_metadata={"model_name": "m-1"},
    ),
    dumped("ToolMessage", content="found", tool_call_id="c1", status="success"),
    dumped("AIMessageChunk", content="Done.", usage_metadata=None),
]  # fmt: skip
LEGACY = {"id": "c2", "function": {"name": "search", "arguments": '{"query":"y"}'}, "type": "function"}
PLAIN = [
    {"type": "human", "content": "Go.", "additional_kwargs": {}},
    {
        "type": "ai",
        "content": "",
        "additional_kwargs": {"tool_calls": [LEGACY]},
        "response_metadata": {"token_usage": {"prompt_tokens": 50, "completion_tokens": 5}},
    },
    {"type": "tool", "name": "search", "content": {"rows": 1}, "tool_call_id": "c2", "status": "error"},
    {"type": "ai", "content": "", "invalid_tool_calls": [{"name": "search", "args": "{bad", "id": "c3"}]},
]
DATA = [{"type": m["type"], "data": {k: v for k, v in m.items() if k != "type"}} for m in PLAIN]
SAMPLES = {
    "dumped.json": json.dumps(DUMPED).encode(),
    "state.json": json.dumps({"values": {"messages": PLAIN}, "next": []}).encode(),
    "runs.jsonl": json.dumps({"messages": PLAIN}).encode() + b"\n" + json.dumps({"messages": DATA}).encode() + b"\n",
}


def test_serialized_constructors() -> None:
    (run,), intake = read("dumped.json", SAMPLES["dumped.json"])
    assert intake.problems == []
    assert run.problems == ()
    assert (run.format, run.id, run.model) == ("langchain", "dumped.json", "m-1")
    assert [m.role for m in run.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert run.messages[1] == Message("user", "Go.", images=1)
    answer = run.messages[2]
    assert (answer.text, answer.images, answer.message_id) == ("Look.", 0, "run-1")
    assert answer.calls == (ToolCall("search", '{"query":"x"}', "c1"),)
    assert answer.usage == Usage(60, 32, None, 15)
    assert [(r.content, r.call, r.is_error) for m in run.messages if (r := m.result)] == [("found", (2, 0), False)]


def test_plain_dictionaries_and_those_with_data_are_the_same() -> None:
    (one,), _ = read("state.json", SAMPLES["state.json"])
    runs, intake = read("runs.jsonl", SAMPLES["runs.jsonl"])
    assert intake.problems == []
    assert [r.id for r in runs] == ["runs.jsonl#1", "runs.jsonl#2"]
    assert one.messages == runs[0].messages == runs[1].messages
    assert one.messages[1].calls == (ToolCall("search", '{"query":"y"}', "c2"),)
    assert one.messages[1].usage == Usage(50, None, None, 5)
    assert one.messages[3].calls == (ToolCall("search", "{bad", "c3"),)
    result = one.messages[2].result
    assert result is not None
    assert (result.content, result.is_json, result.is_error, result.call) == ('{"rows":1}', True, True, (1, 0))


def test_a_type_that_is_not_known_costs_the_message() -> None:
    (run,), _ = read("x.json", json.dumps([*PLAIN, {"type": "remove", "id": "1"}]).encode())
    assert len(run.messages) == 4
    assert [(p.place, p.reason) for p in run.problems] == [("x.json: messages[4]", "unknown type of message 'remove'")]


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("langchain", name, SAMPLES[name], 70)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("langchain", name, SAMPLES[name], 2000, seed=2)
