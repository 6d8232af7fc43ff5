"""Sessions of Grok's agent and of Antigravity."""

from __future__ import annotations

import json

from harness.testing.formats import read

GROK = [
    {"type": "system", "content": "You are Grok."},
    {"type": "user", "content": [{"type": "text", "text": "Read it."}]},
    {
        "type": "reasoning",
        "id": "r",
        "summary": [{"type": "summary_text", "text": "I read."}],
        "encrypted_content": "x",
    },
    {
        "type": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "name": "read_file", "arguments": '{"f":"a"}'}],
        "model_id": "grok-4.5",
    },
    {"type": "tool_result", "tool_call_id": "c1", "content": "A"},
    {"type": "backend_tool_call", "kind": {"tool_type": "web_search"}},
    {"type": "assistant", "content": "It says A.", "model_id": "grok-4.5"},
]


def step(number: int, source: str, kind: str, **fields: object) -> dict[str, object]:
    return {
        "step_index": number,
        "source": source,
        "type": kind,
        "status": "DONE",
        "created_at": "2026-06-26T21:16:16Z",
        **fields,
    }


ANTIGRAVITY = [
    step(0, "USER_EXPLICIT", "USER_INPUT", content="<USER_REQUEST>\nList.\n</USER_REQUEST>"),
    step(1, "SYSTEM", "CONVERSATION_HISTORY"),
    step(2, "MODEL", "PLANNER_RESPONSE", thinking="I list.", tool_calls=[{"name": "list_dir", "args": {"Dir": "/"}}]),
    step(3, "MODEL", "LIST_DIRECTORY", content='{"name":"a"}', truncated_fields=["content"]),
    step(4, "SYSTEM", "CHECKPOINT", content="# Resuming"),
    step(5, "MODEL", "PLANNER_RESPONSE", content="One file."),
]
SAMPLES = {
    "chat_history.jsonl": "\n".join(map(json.dumps, GROK)),
    "transcript.jsonl": "\n".join(map(json.dumps, ANTIGRAVITY)),
}


def test_grok() -> None:
    (transcript,), intake = read("chat_history.jsonl", SAMPLES["chat_history.jsonl"].encode())
    assert not intake.problems
    assert not transcript.problems
    assert [m.role for m in transcript.messages] == ["system", "user", "assistant", "tool", "assistant"]
    answer = transcript.messages[2]
    assert (answer.reasoning, answer.encrypted, answer.model) == ("I read.", 1, "grok-4.5")
    result = transcript.messages[3].result
    assert result is not None
    assert (result.content, result.call) == ("A", (2, 0))


def test_antigravity() -> None:
    (transcript,), intake = read("transcript.jsonl", SAMPLES["transcript.jsonl"].encode())
    assert not intake.problems
    assert not transcript.problems
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "user", "assistant"]
    result = transcript.messages[2].result
    assert result is not None
    assert (result.name, result.clipped, result.call) == ("list_dir", "Antigravity: cut, says its record", (1, 0))
    assert [len(shown) for _, shown in transcript.prompts()] == [1, 1]
