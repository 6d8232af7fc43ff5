"""Qwen Code's sessions."""

from __future__ import annotations

import json
from typing import Any

from harness.testing.formats import read
from harness.transcript import Usage


def line(own: str, parent: str | None, kind: str, *parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    role = {"assistant": "model"}.get(kind, "user")
    return {
        "uuid": own,
        "parentUuid": parent,
        "sessionId": "s1",
        "timestamp": "2026-05-01T10:00:00.000Z",
        "type": kind,
        "cwd": "/home/me/shop",
        "version": "0.21.13",
        "message": {"role": role, "parts": list(parts)},
        **fields,
    }


USAGE = {"promptTokenCount": 900, "cachedContentTokenCount": 100, "candidatesTokenCount": 20, "thoughtsTokenCount": 3}
LINES = [
    line("u1", None, "user", {"text": "Read it."}),
    line("u2", "u1", "assistant", {"text": "I read.", "thought": True}, model="qwen3-coder"),
    line(
        "u2",
        "u1",
        "assistant",
        {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "a"}}},
        usageMetadata=USAGE,
    ),
    line(
        "u3", "u2", "tool_result", {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "A"}}}
    ),
    {**line("u4", "u3", "system"), "subtype": "ui_telemetry", "systemPayload": {"uiEvent": {}}},
    line("u5", "u4", "assistant", {"text": "It says A."}),
    line("u6", "u5", "user", {"text": "Wrong, again."}),
    line("u7", "u4", "user", {"text": "And then?"}),
    line("u8", "u7", "assistant", {"text": "Nothing."}),
    {
        **line("u9", "u8", "system"),
        "subtype": "chat_compression",
        "systemPayload": {
            "compressedHistory": [
                {"role": "user", "parts": [{"text": "Summary."}]},
                {"role": "model", "parts": [{"text": "Got it."}]},
            ]
        },
    },
    line("u10", "u9", "user", {"text": "Go on."}),
    line("u11", "u10", "assistant", {"text": "Done."}),
]
SAMPLES = {"s1.jsonl": "\n".join(map(json.dumps, LINES))}


def test_pieces_of_a_message_are_one_and_usage_is_read() -> None:
    (transcript,), intake = read("s1.jsonl", SAMPLES["s1.jsonl"].encode())
    assert not intake.problems
    assert not transcript.problems
    assert transcript.cluster == "/home/me/shop"
    answer = transcript.messages[1]
    assert (answer.reasoning, answer.calls[0].name, answer.model) == ("I read.", "read_file", "qwen3-coder")
    assert answer.usage == Usage(900, 100, None, 23)
    result = transcript.messages[2].result
    assert result is not None
    assert (result.content, result.call, result.is_json) == ("A", (1, 0), False)


def test_who_goes_back_leaves_what_lay_between_and_a_summary_replaces_all() -> None:
    (transcript,), _ = read("s1.jsonl", SAMPLES["s1.jsonl"].encode())
    prompts = [[transcript.messages[i].text for i in shown] for _, shown in transcript.prompts()]
    assert prompts[2] == ["Read it.", "", "", "And then?"]
    assert prompts[3] == ["Summary.", "Got it.", "Go on."]
    assert len(transcript.requests()) == 4
