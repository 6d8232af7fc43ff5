from __future__ import annotations

import json
from typing import Any

import pytest

from harness.formats.dialects.anthropic_messages import without_secrets
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Usage

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA"}}


def use(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def gave(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


TASK = {"role": "user", "content": "Go."}
FIRST_ANSWER = [
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "redacted_thinking", "data": "x"},
    text("Two."),
    use("a", "read", path="x"),
    use("b", "shot"),
]
RESULTS = {
    "role": "user",
    "content": [
        gave("b", [text("seen"), IMAGE]),
        gave("a", "no such file", is_error=True),
        text("And hurry."),
    ],
}
SEARCHED = [
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "weather"}},
    {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [
        {"type": "web_search_result", "title": "Sun", "url": "example.com", "encrypted_content": "Et0"},
        {"type": "web_search_result", "title": "Rain", "url": "example.org", "encrypted_content": "Et1"}]},
    {"type": "text", "text": "Sunny.", "citations": [{"title": "Sun", "encrypted_index": "Eo8"}]},
]  # fmt: skip
USAGE = {"input_tokens": 10, "cache_read_input_tokens": 80, "cache_creation_input_tokens": 5, "output_tokens": 7}


def response(number: int, content: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "c-1",
        "content": content,
        "usage": USAGE,
    }


PROMPT = {"system": [text("You help."), text(" Well.")], "tools": [{"name": "read", "input_schema": {}}]}
FIRST = {**PROMPT, "messages": [TASK], "response": response(1, FIRST_ANSWER)}
SECOND = {
    **PROMPT,
    "messages": [TASK, {"role": "assistant", "content": FIRST_ANSWER}, RESULTS],
    "response": response(2, SEARCHED),
}
OTHER = {"system": "Title?", "messages": [TASK], "response": response(3, [text("A title")])}
SAMPLES = {
    "requests.jsonl": b"\n".join(json.dumps(r).encode() for r in (FIRST, OTHER, SECOND)) + b"\n",
    "request.json": json.dumps(SECOND).encode(),
    "messages.json": json.dumps(SECOND["messages"]).encode(),
}


def test_requests_that_go_on_are_one_conversation() -> None:
    runs, intake = read("requests.jsonl", SAMPLES["requests.jsonl"])
    assert intake.problems == []
    assert [(r.id, len(r.messages)) for r in runs] == [("requests.jsonl#1", 8), ("requests.jsonl#2", 3)]
    run = runs[0]
    assert run.problems == ()
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "tool", "user", "assistant", "tool",
    ]  # fmt: skip
    assert run.messages[0].text == "You help. Well."
    assert run.tools == ('{"name":"read","input_schema":{}}',)
    assert run.unknown == ("time",)


def test_blocks_of_an_answer() -> None:
    runs, _ = read("requests.jsonl", SAMPLES["requests.jsonl"])
    answer = runs[0].messages[2]
    assert answer.calls == (ToolCall("read", '{"path":"x"}', "a"), ToolCall("shot", "{}", "b"))
    assert (answer.text, answer.reasoning, answer.encrypted) == ("Two.", "hm", 1)
    assert (answer.message_id, answer.model, answer.usage) == ("msg_1", "c-1", Usage(95, 80, 5, 7))


def test_results_in_any_order_and_text_behind_them() -> None:
    runs, _ = read("requests.jsonl", SAMPLES["requests.jsonl"])
    run = runs[0]
    assert [(r.content, r.name, r.call, r.is_error) for m in run.messages[:6] if (r := m.result)] == [
        ("seen", "shot", (2, 1), None),
        ("no such file", "read", (2, 0), True),
    ]
    assert run.messages[3].images == 1
    assert run.messages[5].text == "And hurry."


def test_a_result_that_the_server_put_into_its_answer() -> None:
    runs, _ = read("requests.jsonl", SAMPLES["requests.jsonl"])
    answer, found = runs[0].messages[6:]
    assert answer.text == "Sunny."
    assert answer.calls == (ToolCall("web_search", '{"query":"weather"}', "s1"),)
    assert found.result is not None
    assert (found.result.call, found.result.is_json, found.encrypted) == ((6, 0), True, 2)
    assert json.loads(found.result.content)[0] == {"type": "web_search_result", "title": "Sun", "url": "example.com"}


def test_one_request_and_a_bare_list() -> None:
    for name, messages in [("request.json", 8), ("messages.json", 5)]:
        (run,), intake = read(name, SAMPLES[name])
        assert (run.format, run.id, len(run.messages)) == ("anthropic-messages", name, messages)
        assert intake.problems == []


def test_encrypted_fields_are_counted_and_left_out() -> None:
    value = {"a": [{"encrypted_content": "x", "b": 1}], "encrypted_content": None}
    assert without_secrets(value) == ({"a": [{"b": 1}]}, 1)


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("anthropic-messages", name, SAMPLES[name], 70)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("anthropic-messages", name, SAMPLES[name], 2000, seed=2)
