from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Usage

TOOL = {"type": "function", "function": {"name": "lookup", "parameters": {"type": "object"}}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


CONVERSATION: dict[str, Any] = {
    "id": "order-7",
    "model": "small-1",
    "metadata": {"task": "orders"},
    "tools": [TOOL],
    "messages": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user",
         "content": [{"type": "text", "text": "Where is "}, {"type": "text", "text": "it?"}, IMAGE]},
        {"role": "assistant", "content": None,
         "tool_calls": [call("c1", "lookup", '{"id":7}'), call("c2", "lookup", "{}")]},
        {"role": "tool", "tool_call_id": "c2", "content": "none"},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": '{"state": "sent"}'}]},
        {"role": "assistant", "content": None, "function_call": {"name": "close", "arguments": "{}"}},
        {"role": "function", "name": "close", "content": "done"},
    ],
    "response": {
        "choices": [{"message": {"role": "assistant", "content": "Sent.", "reasoning_content": "I saw it."}}],
        "usage": {"completion_tokens": 4, "prompt_tokens": 90,
                  "prompt_tokens_details": {"cached_tokens": 64}},
    },
}  # fmt: skip
OBJECT = json.dumps(CONVERSATION).encode()
LIST = json.dumps(CONVERSATION["messages"]).encode()
LINES = OBJECT + b"\n" + LIST + b"\n" + json.dumps({"messages": [{"role": "user", "content": "hi"}]}).encode() + b"\n"
SAMPLES = {"order.json": OBJECT, "list.json": LIST, "orders.jsonl": LINES}


def test_a_conversation_with_the_response_of_its_last_request() -> None:
    (run,), intake = read("order.json", OBJECT)
    assert intake.problems == []
    assert run.problems == ()
    assert (run.id, run.format, run.model, run.cluster) == ("order.json", "openai-chat", "small-1", "orders")
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert run.messages[1].text == "Where is it?"
    assert run.messages[1].images == 1
    assert run.messages[2].calls == (ToolCall("lookup", '{"id":7}', "c1"), ToolCall("lookup", "{}", "c2"))
    last = run.messages[-1]
    assert (last.text, last.reasoning, last.usage) == ("Sent.", "I saw it.", Usage(90, 64, None, 4))
    assert run.tools == (json.dumps(TOOL, separators=(",", ":")),)
    assert run.unknown == ("time",)


def test_results_find_their_calls_whatever_their_order() -> None:
    (run,), _ = read("order.json", OBJECT)
    found = [(r.content, r.name, r.call, r.is_json) for m in run.messages if (r := m.result)]
    assert found == [
        ("none", "lookup", (2, 1), False),
        ('{"state": "sent"}', "lookup", (2, 0), False),
        ("done", "close", (5, 0), False),
    ]


def test_a_bare_list_is_one_conversation_and_a_line_each_is_one_of_many() -> None:
    (run,), _ = read("list.json", LIST)
    assert len(run.messages) == 7
    runs, intake = read("orders.jsonl", LINES)
    assert {r.id: len(r.messages) for r in runs} == {
        "orders.jsonl#order-7": 8,
        "orders.jsonl#2": 7,
        "orders.jsonl#3": 1,
    }
    assert intake.problems == []


def test_an_array_of_conversations() -> None:
    runs, _ = read("many.json", json.dumps([CONVERSATION, CONVERSATION]).encode())
    assert [r.id for r in runs] == ["many.json#order-7", "many.json#order-7.2"]


def test_content_that_is_neither_text_nor_parts_is_json() -> None:
    messages = [
        {"role": "assistant", "tool_calls": [call("a", "f", "{}")]},
        {"role": "tool", "tool_call_id": "a", "content": {"rows": [1, 2]}},
    ]
    (run,), _ = read("x.json", json.dumps(messages).encode())
    result = run.messages[1].result
    assert result is not None
    assert (result.content, result.is_json) == ('{"rows":[1,2]}', True)


@pytest.mark.parametrize("usage", [{"prompt_tokens": 0, "completion_tokens": 0}, {}, None])
def test_zero_usage_is_not_reported(usage: object) -> None:
    (run,), _ = read("x.json", json.dumps({**CONVERSATION, "response": None, "usage": usage}).encode())
    assert "usage" in run.unknown
    assert all(m.usage is None for m in run.messages)


def test_wrong_fields_are_problems_with_their_place_and_reading_goes_on() -> None:
    messages = [
        {"role": "user", "content": 5},
        {"role": "wizard", "content": "?"},
        "no message",
        {"role": "assistant", "content": "ok", "tool_calls": {"id": "a"}},
        {"role": "tool", "tool_call_id": "nobody", "content": "lost"},
    ]
    (run,), _ = read("x.json", json.dumps({"messages": messages}).encode(), "openai-chat")
    assert [m.role for m in run.messages] == ["user", "assistant", "tool"]
    assert sorted((p.place.removeprefix("x.json"), p.lost) for p in run.problems) == [
        (": messages[0]", 0),
        (": messages[1]", 1),
        (": messages[2]", 0),
        (": messages[2]", 1),
        (": messages[3]", 0),
    ]


def test_a_broken_line_costs_itself_only() -> None:
    runs, intake = read("orders.jsonl", LINES + b'{"messages": [{"role": "user", "con')
    assert len(runs) == 3
    assert [p.place for p in intake.problems] == ["orders.jsonl: line 4"]


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("openai-chat", name, SAMPLES[name], 70)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("openai-chat", name, SAMPLES[name], 2000, seed=2)
