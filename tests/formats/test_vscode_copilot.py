"""Chats of VS Code's Copilot: sessions, journals and exports."""

from __future__ import annotations

import json
from typing import Any

from harness.testing.formats import read
from harness.transcript import Usage


def call(own: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": own, "name": name, "arguments": json.dumps(arguments)}


TREE = {
    "node": {
        "type": 1,
        "children": [{"type": 2, "text": "line 1"}, {"children": [{"text": "line 2", "lineBreakBefore": True}]}],
    }
}
RESULT: dict[str, Any] = {
    "metadata": {
        "promptTokens": 12_000,
        "outputTokens": 300,
        "resolvedModel": "claude-sonnet-4-6",
        "toolCallRounds": [
            {
                "id": "r1",
                "response": "I look.",
                "thinking": {"text": "Where?"},
                "toolCalls": [call("t1", "read_file", filePath="a"), call("t2", "run_in_terminal", command="ls")],
            },
            {"id": "r2", "response": "Done.", "toolCalls": []},
        ],
        "toolCallResults": {"t1": {"content": [{"$mid": 21, "value": TREE}]}, "t2": {"content": [{"value": "a.txt"}]}},
    }
}
TURN: dict[str, Any] = {
    "requestId": "q1",
    "message": {"text": "Add it.", "parts": []},
    "timestamp": 1_790_000_000_000,
    "response": [{"value": "Done."}],
    "modelId": "copilot/auto",
    "result": RESULT,
}
SESSION = {"version": 3, "sessionId": "s1", "creationDate": 1, "requests": [TURN]}
PLAIN = {
    "message": {"text": "Hello"},
    "response": [{"value": "Hi, "}, {"kind": "undoStop", "id": 1}, {"value": "you."}],
}
EXPORT = {"requesterUsername": "me", "responderUsername": "GitHub Copilot", "requests": [PLAIN]}
JOURNAL = [
    {"kind": 0, "v": {"version": 3, "sessionId": "s1", "requests": []}},
    {"kind": 1, "k": ["customTitle"], "v": "Title"},
    {"kind": 2, "k": ["requests"], "v": [{**TURN, "result": {}}]},
    {"kind": 1, "k": ["requests", 0, "result"], "v": RESULT},
]
SAMPLES = {
    "s1.json": json.dumps(SESSION),
    "chat.json": json.dumps(EXPORT, indent=2),
    "s1.jsonl": "\n".join(map(json.dumps, JOURNAL)),
}


def test_each_round_is_a_request_with_its_results() -> None:
    for name in ("s1.json", "s1.jsonl"):
        (transcript,), intake = read(name, SAMPLES[name].encode())
        assert not intake.problems
        assert not transcript.problems
        assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "tool", "assistant"]
        first = transcript.messages[1]
        assert (first.text, first.reasoning, first.usage) == ("I look.", "Where?", None)
        assert first.calls[0].arguments == '{"filePath": "a"}'
        results = [m.result for m in transcript.messages if m.result is not None]
        assert [(r.content, r.name) for r in results] == [("line 1\nline 2", "read_file"), ("a.txt", "run_in_terminal")]
        assert transcript.messages[4].usage == Usage(12_000, None, None, 300)
        assert transcript.model == "claude-sonnet-4-6"


def test_without_rounds_the_text_of_the_response_is_the_answer() -> None:
    (transcript,), _ = read("chat.json", SAMPLES["chat.json"].encode())
    assert [(m.role, m.text) for m in transcript.messages] == [("user", "Hello"), ("assistant", "Hi, you.")]


def test_a_change_of_what_is_not_there_is_a_problem_and_no_end() -> None:
    lines = [JOURNAL[0], {"kind": 1, "k": ["requests", 7, "result"], "v": {}}, *JOURNAL[2:]]
    (transcript,), _ = read("s1.jsonl", "\n".join(map(json.dumps, lines)).encode())
    assert [p.reason for p in transcript.problems] == ["a change of what is not there"]
    assert len(transcript.requests()) == 2
