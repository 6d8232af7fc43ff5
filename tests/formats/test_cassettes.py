from __future__ import annotations

import gzip
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.formats.containers.event_streams import response_of
from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import broken_bytes, check_one, read, survive
from harness.transcript import ToolCall, Usage
from tests.formats.test_anthropic_messages import FIRST as ASKED
from tests.formats.test_anthropic_messages import SECOND as ASKED_AGAIN


def interaction(request: Any, response: Any, uri: str = "api.example.com/v1") -> dict[str, Any]:
    return {
        "request": {"method": "POST", "uri": uri, "headers": {}, **request},
        "response": {"status": {"code": 200}, "headers": {"date": ["Tue, 16 Sep 2025 07:00:00 GMT"]}, **response},
    }


def without_response(request: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in request.items() if key != "response"}


PARSED = [
    interaction({"parsed_body": without_response(ASKED)}, {"parsed_body": ASKED["response"]}),
    interaction({"body": None, "method": "GET"}, {"body": {"string": "<html>"}}),
    interaction({"parsed_body": without_response(ASKED_AGAIN)}, {"parsed_body": ASKED_AGAIN["response"]}),
]
CHAT_STREAM = "\n\n".join(
    "data: " + part
    for part in [
        json.dumps({"id": "c1", "model": "m", "choices": [{"delta": {"role": "assistant", "content": "Lo"}}]}),
        json.dumps({"id": "c1", "choices": [{"delta": {"content": "ok."}}]}),
        json.dumps({"choices": [{"delta": {"tool_calls": [
            {"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}]}}]}),
        json.dumps({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": '{"x":1}'}}]}}]}),
        json.dumps({"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 4}}),
        "[DONE]",
    ]
)  # fmt: skip
ANTHROPIC_STREAM = "\n\n".join(
    f"event: {event['type']}\ndata: {json.dumps(event)}"
    for event in [
        {"type": "message_start",
         "message": {"id": "msg_9", "model": "c", "usage": {"input_tokens": 9, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "lo"}},
        {"type": "content_block_start", "index": 1,
         "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"x":'}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "1}"}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 12}},
    ]
)  # fmt: skip
CHAT = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
STREAMED = [
    interaction({"body": json.dumps(CHAT)}, {"body": {"string": CHAT_STREAM}}),
    interaction(
        {
            "body": json.dumps(
                {
                    "messages": [
                        CHAT["messages"][0],
                        {"role": "assistant", "content": "Look.", "tool_calls": [
                            {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}]},
                        {"role": "tool", "tool_call_id": "a", "content": "2"},
                    ]
                }
            )
        },
        {"body": {"string":
            gzip.compress(b'{"choices": [{"message": {"role": "assistant", "content": "2."}}]}', mtime=0)}},
    ),
]  # fmt: skip


def cassette(interactions: list[dict[str, Any]]) -> bytes:
    return yaml.safe_dump({"interactions": interactions, "version": 1}).encode()


SAMPLES = {
    "parsed.yaml": cassette(PARSED),
    "streamed.yaml": cassette(STREAMED),
    "cassette.json": json.dumps({"interactions": PARSED}).encode(),
}


@pytest.mark.parametrize("name", ["parsed.yaml", "cassette.json"])
def test_the_requests_of_a_cassette_are_one_conversation(name: str) -> None:
    (run,), intake = read(name, SAMPLES[name])
    assert intake.problems == []
    assert run.problems == ()
    assert (run.format, run.id, len(run.messages)) == ("cassette", name, 8)
    assert run.notes == ("1 other requests left out",)
    assert {m.time for m in run.messages if m.role == "assistant"} == {1758006000.0}
    assert [m.usage for m in run.messages if m.usage] == [Usage(95, 80, 5, 7)] * 2


def test_streamed_and_compressed_bodies() -> None:
    (run,), intake = read("streamed.yaml", SAMPLES["streamed.yaml"])
    assert intake.problems == []
    assert [m.role for m in run.messages] == ["user", "assistant", "tool", "assistant"]
    answer = run.messages[1]
    assert (answer.text, answer.calls) == ("Look.", (ToolCall("f", '{"x":1}', "a"),))
    assert answer.usage == Usage(30, None, None, 4)
    assert run.messages[3].text == "2."


def test_a_stream_of_anthropic_events() -> None:
    found = response_of(ANTHROPIC_STREAM)
    assert found is not None
    assert found["content"] == [
        {"type": "text", "text": "Hello"},
        {"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}},
    ]
    assert found["usage"] == {"input_tokens": 9, "output_tokens": 12}


def test_a_stream_of_a_response_that_broke_off() -> None:
    item = {"type": "message", "role": "assistant", "content": []}
    events = [
        {"type": "response.created", "response": {"object": "response", "id": "r", "output": []}},
        {"type": "response.output_item.done", "item": item},
    ]
    found = response_of("\n".join(f"data: {json.dumps(e)}" for e in events))
    assert found == {"object": "response", "id": "r", "output": [item]}


def test_yaml_that_grows_through_its_aliases_is_refused() -> None:
    levels = ["a: &a0 [x, x, x, x, x, x, x, x]"] + [
        f"b{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 8)}]" for i in range(1, 12)
    ]
    data = "\n".join([*levels, "interactions:", "- request: {uri: x}"]).encode()
    runs, intake = read("bomb.yaml", data, "cassette")
    assert runs == []
    assert [p.reason for p in intake.problems] == ["YAML that grows through its aliases"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("interactions: [", "not YAML"), ("interactions: 5", "no cassette"), ("a: !!python/name:os.system x", "not YAML")],
)
def test_what_is_no_cassette_is_named(text: str, reason: str) -> None:
    runs, intake = read("x.yaml", text.encode(), "cassette")
    assert runs == []
    assert intake.problems[0].reason.startswith(reason)


def test_a_cassette_of_other_traffic_is_skipped_with_a_sentence() -> None:
    runs, intake = read("x.yaml", cassette(PARSED[1:2]))
    assert runs == []
    assert intake.skipped == [("x.yaml", "1 requests, none of them to an API of a model that is known")]


def test_the_recorded_cassette(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    (name,) = (n for n in expected if n.startswith("api-cassettes/"))
    (run,) = read_transcripts([corpora / name], Intake())
    results = [m.result for m in run.messages if m.result]
    assert len(run.requests()) == expected[name]["units"]
    assert sum(len(m.calls) for m in run.messages) == expected[name]["calls"]
    assert len(results) == expected[name]["results"]
    # The rough reader counts the encrypted pages of the search results; here they are counted as what they are.
    assert sum(len(r.content.encode()) for r in results) == 4095 < expected[name]["total"]
    assert sum(m.encrypted for m in run.messages if m.result) == 20


def test_mutants() -> None:
    dice = random.Random(5)
    for name in ("parsed.yaml", "streamed.yaml"):
        for _ in range(60):
            check_one("cassette", name, broken_bytes(SAMPLES[name], dice))
    survive("cassette", "cassette.json", SAMPLES["cassette.json"], 80)


@pytest.mark.slow
def test_many_mutants() -> None:
    survive("cassette", "cassette.json", SAMPLES["cassette.json"], 2000, seed=2)
