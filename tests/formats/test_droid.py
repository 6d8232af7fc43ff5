"""Droid's sessions and the lines that it streams."""

from __future__ import annotations

import json

from harness.testing.formats import read


def message(own: str, role: str, *blocks: dict[str, object]) -> dict[str, object]:
    held = {"role": role, "content": list(blocks)}
    return {"type": "message", "id": own, "timestamp": "2026-05-01T10:00:00.000Z", "message": held}


STORED = [
    {"type": "session_start", "id": "d1", "title": "t", "cwd": "/home/me/shop", "version": "0.81.0"},
    message("m1", "user", {"type": "text", "text": "Run it."}),
    message("m2", "assistant", {"type": "tool_use", "id": "tu1", "name": "Execute", "input": {"command": "make"}}),
    message("m3", "user", {"type": "tool_result", "tool_use_id": "tu1", "content": "ok\n"}),
    message("m4", "assistant", {"type": "text", "text": "Built."}),
    {"type": "todo_state", "id": "x"},
]
STREAMED = [
    {"type": "system", "subtype": "init", "session_id": "d2", "model": "glm-5", "cwd": "/home/me/shop"},
    {"type": "message", "session_id": "d2", "role": "user", "text": "List.", "id": "a"},
    {"type": "message", "session_id": "d2", "role": "assistant", "text": "I list.", "id": "b"},
    {"type": "tool_call", "session_id": "d2", "id": "c1", "toolName": "Execute", "parameters": {"command": "ls"}},
    {"type": "tool_call", "session_id": "d2", "id": "c2", "toolName": "Read", "parameters": {"path": "a"}},
    {"type": "tool_result", "session_id": "d2", "id": "c1", "isError": False, "value": "a\n"},
    {"type": "tool_result", "session_id": "d2", "id": "c2", "value": {"stdout": "A", "exitCode": 0}},
    {"type": "completion", "session_id": "d2", "finalText": "One file.", "usage": {"input_tokens": 9}},
]
SAMPLES = {"d1.jsonl": "\n".join(map(json.dumps, STORED)), "out.jsonl": "\n".join(map(json.dumps, STREAMED))}


def test_a_session_has_messages_with_blocks() -> None:
    (transcript,), intake = read("d1.jsonl", SAMPLES["d1.jsonl"].encode())
    assert not intake.problems
    assert not transcript.problems
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "assistant"]
    assert transcript.cluster == "/home/me/shop"
    assert transcript.messages[1].message_id == "m2"
    result = transcript.messages[2].result
    assert result is not None
    assert (result.content, result.name, result.call) == ("ok\n", "Execute", (1, 0))
    assert transcript.notes == ("1 lines of type todo_state, not shown to the model",)


def test_streamed_calls_up_to_a_result_are_one_answer() -> None:
    (transcript,), _ = read("out.jsonl", SAMPLES["out.jsonl"].encode())
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "tool", "assistant"]
    answer = transcript.messages[1]
    assert (answer.text, [c.name for c in answer.calls], answer.model) == ("I list.", ["Execute", "Read"], "glm-5")
    results = [m.result for m in transcript.messages if m.result is not None]
    assert [(r.content, r.is_json, r.call) for r in results] == [
        ("a\n", False, (1, 0)),
        ('{"stdout":"A","exitCode":0}', True, (1, 1)),
    ]
    assert transcript.messages[4].text == "One file."
