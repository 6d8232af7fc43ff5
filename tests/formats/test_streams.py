"""Streamed answers of the APIs, put together as their streams say."""

from __future__ import annotations

import json
from typing import Any

import yaml

from harness.formats.containers.aws_events import response_of_frames
from harness.formats.containers.event_streams import response_of
from harness.testing.formats import read
from harness.transcript import Usage

CALL = {"functionCall": {"name": "look_up", "args": {"lake": "A"}}}


def events(*values: dict[str, Any]) -> str:
    return "".join(f"data: {json.dumps(value)}\r\n\r\n" for value in values)


def chunk(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}}], **more}


def frame(kind: str, payload: dict[str, Any]) -> bytes:
    value = kind.encode()
    headers = bytes([11]) + b":event-type" + bytes([7]) + len(value).to_bytes(2, "big") + value
    body = json.dumps(payload).encode()
    total = 12 + len(headers) + len(body) + 4
    return total.to_bytes(4, "big") + len(headers).to_bytes(4, "big") + bytes(4) + headers + body + bytes(4)


def test_chunks_of_gemini_and_calls_without_ids_that_the_client_names_are_one_conversation() -> None:
    ask = {"role": "user", "parts": [{"text": "Size?"}]}
    named = {"functionCall": {**CALL["functionCall"], "id": "client-1"}}
    gave = {"functionResponse": {"id": "client-1", "name": "look_up", "response": {"output": "4711"}}}
    later = [ask, {"role": "model", "parts": [{"text": "I look."}, named]}, {"role": "user", "parts": [gave]}]
    usage = {"usageMetadata": {"promptTokenCount": 40, "candidatesTokenCount": 5}}
    bodies = [
        events(chunk({"text": "I "}), chunk({"text": "look."}), chunk(CALL, **usage)),
        events(chunk({"text": "4711"})),
    ]
    interactions = [
        {"request": {"method": "POST", "uri": "example.com", "body": json.dumps({"contents": contents})},
         "response": {"status": {"code": 200}, "headers": {}, "body": {"string": body}}}
        for contents, body in zip([[ask], later], bodies, strict=True)
    ]  # fmt: skip
    (run,), intake = read("x.yaml", yaml.safe_dump({"interactions": interactions}).encode())
    assert intake.problems == []
    assert [m.role for m in run.messages] == ["user", "assistant", "tool", "assistant"]
    assert (run.messages[1].text, run.messages[1].usage) == ("I look.", Usage(40, None, None, 5))
    assert [(m.result.content, m.result.call) for m in run.messages if m.result] == [("4711", (1, 0))]


def test_events_of_cohere() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": '{"lake":'}}
    found = response_of(
        events(
            {"type": "message-start", "id": "1"},
            {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "I look."}}},
            {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": call}}},
            {"type": "tool-call-delta", "index": 0,
             "delta": {"message": {"tool_calls": {"function": {"arguments": '"A"}'}}}}},
            {"type": "message-end", "delta": {"usage": {"tokens": {"input_tokens": 9, "output_tokens": 3}}}},
        )
    )  # fmt: skip
    assert found is not None
    assert found["message"]["tool_plan"] == "I look."
    assert found["message"]["tool_calls"][0]["function"] == {"name": "look_up", "arguments": '{"lake":"A"}'}
    assert found["usage"] == {"tokens": {"input_tokens": 9, "output_tokens": 3}}


def test_frames_of_bedrock() -> None:
    data = b"".join(
        frame(kind, payload)
        for kind, payload in [
            ("messageStart", {"role": "assistant"}),
            ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "I "}}),
            ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "look."}}),
            ("contentBlockStart", {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "t", "name": "f"}}}),
            ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"a":'}}}),
            ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "1}"}}}),
            ("metadata", {"usage": {"inputTokens": 9, "outputTokens": 3}}),
        ]
    )
    found = response_of_frames(data)
    assert found is not None
    assert found["output"]["message"]["content"] == [
        {"text": "I look."},
        {"toolUse": {"toolUseId": "t", "name": "f", "input": {"a": 1}}},
    ]
    assert found["usage"] == {"inputTokens": 9, "outputTokens": 3}


def test_a_stream_of_an_unknown_kind_is_a_problem_and_not_an_empty_answer() -> None:
    request = {"messages": [{"role": "user", "content": "Size?"}]}
    interaction = {
        "request": {"method": "POST", "uri": "example.com", "body": json.dumps(request)},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"string": events({"kind": "strange"})}},
    }
    (run,), intake = read("x.yaml", yaml.safe_dump({"interactions": [interaction]}).encode())
    assert len(run.requests()) == 0
    assert [p.reason for p in intake.problems] == ["a streamed answer of no known kind: not read"]
