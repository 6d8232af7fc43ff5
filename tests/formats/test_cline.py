"""Cline sessions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import Usage

METRICS = {"inputTokens": 300, "outputTokens": 20, "cacheReadTokens": 200, "cacheWriteTokens": 0, "cost": 0.1}


def answer(*blocks: dict[str, Any], model: str = "anthropic/claude-opus-4.8") -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": list(blocks),
        "ts": 1_750_000_001_000,
        "modelInfo": {"id": model},
        "metrics": METRICS,
    }


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks), "ts": 1_750_000_000_000}


def result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "name": "read_files", "content": content, **more}


def use(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "read_files", "input": {"files": [{"path": "Ω"}]}}


ROWS = [{"query": "a.py", "result": "1 | x", "success": True}]
SESSION = {
    "version": 1,
    "sessionId": "1_a",
    "system_prompt": "You code.",
    "cwd": "/w",
    "messages": [
        user({"type": "text", "text": "Look."}, {"type": "file", "path": "a.py", "content": "x = 1\n"}),
        answer({"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "I look."}, use("c1"), use("c2")),
        user(result("c2", ROWS), result("c1", "y" * 9000, is_error=True), {"type": "image", "source": {}}),
        answer({"type": "text", "text": "Done."}),
    ],
}
SURROUNDINGS = {"type": "text", "text": "<environment_details>\n# Open tabs\n</environment_details>"}
TASK = [
    user({"type": "text", "text": "<task>\nCount the orders.\n</task>"}, SURROUNDINGS),
    {
        "role": "assistant",
        "content": [{"type": "text", "text": "I look.\n\n<list_files>\n<path>Ω</path>\n</list_files>"}],
    },
    user(
        {"type": "text", "text": "[list_files for 'Ω'] Result:"}, {"type": "text", "text": "orders.csv"}, SURROUNDINGS
    ),
    {"role": "assistant", "content": [{"type": "text", "text": "<read_file>\n<path>orders.csv</path>\n</read_file>"}]},
    user({"type": "text", "text": "[read_file for 'orders.csv'] Result:\n\n1 | id"}),
    {"role": "assistant", "content": [{"type": "text", "text": "Now with a call."}, use("c9")]},
    user(result("c9", "two")),
    {"role": "assistant", "content": "There is <b>one</b>."},
]
TASK_FILE = "tasks/17/api_conversation_history.json"
SAMPLES = {"1_a.messages.json": json.dumps(SESSION).encode(), TASK_FILE: json.dumps(TASK).encode()}


def test_a_session() -> None:
    (transcript,), intake = read("1_a.messages.json", SAMPLES["1_a.messages.json"])
    assert intake.problems == []
    assert transcript.problems == ()
    assert transcript.format == "cline"
    assert [m.role for m in transcript.messages] == ["system", "user", "assistant", "tool", "tool", "user", "assistant"]
    assert transcript.messages[1].text == "Look.a.py\nx = 1\n"
    first = transcript.messages[2]
    assert (first.text, first.reasoning, first.model) == ("I look.", "Hm.", "anthropic/claude-opus-4.8")
    assert first.usage == Usage(300, 200, 0, 20)
    assert first.time == 1_750_000_001
    assert first.calls[0].arguments == '{"files":[{"path":"Ω"}]}'
    results = [m.result for m in transcript.messages if m.result]
    assert [(r.content[:20], r.is_json, r.is_error, r.call) for r in results] == [
        ('[{"query":"a.py","re', True, None, (2, 1)),
        ("y" * 20, False, True, (2, 0)),
    ]
    assert transcript.messages[5].images == 1
    assert transcript.cluster == "/w"
    assert "what was sent of results over 8,000 characters" in transcript.unknown
    assert transcript.resends_reasoning


def test_a_task_of_the_extension() -> None:
    (transcript,), intake = read(TASK_FILE, SAMPLES[TASK_FILE])
    assert intake.problems == []
    assert transcript.problems == ()
    assert transcript.format == "cline"
    assert [m.role for m in transcript.messages] == [
        *("user", "assistant", "tool", "user", "assistant", "tool", "assistant", "tool", "assistant")
    ]
    assert [m.text for m in transcript.messages if m.role == "assistant"] == [
        *("I look.", "", "Now with a call.", "There is <b>one</b>.")
    ]
    calls = [c for m in transcript.messages for c in m.calls]
    assert [(c.name, c.arguments) for c in calls] == [
        ("list_files", "<path>Ω</path>"),
        ("read_file", "<path>orders.csv</path>"),
        ("read_files", '{"files":[{"path":"Ω"}]}'),
    ]
    results = [m.result for m in transcript.messages if m.result]
    assert [(r.content, r.name, r.call) for r in results] == [
        ("orders.csv", "list_files", (1, 0)),
        ("1 | id", "read_file", (4, 0)),
        ("two", "read_files", (6, 0)),
    ]
    assert transcript.messages[3].text == SURROUNDINGS["text"]
    assert "usage" in transcript.unknown


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    transcripts, intake = read("a.json", json.dumps({**SESSION, "messages": []}).encode())
    assert (transcripts, intake.skipped) == ([], [("a.json", "a session without messages")])


def test_broken_messages_are_named_and_passed_over() -> None:
    messages: list[Any] = [*SESSION["messages"], 7, user({"type": "sound"}), {**answer(), "role": "narrator"}]  # type: ignore[misc]
    (transcript,), _ = read("a.json", json.dumps({**SESSION, "messages": messages}).encode())
    assert [(p.place, p.reason) for p in transcript.problems] == [
        ("a.json: messages[4]", "a number where an object belongs"),
        ("a.json: messages[5].content[0]", "unknown kind of block 'sound'"),
        ("a.json: messages[6]", "unknown role 'narrator'"),
    ]
    assert len(transcript.requests()) == 2


@pytest.mark.parametrize("sample", SAMPLES)
def test_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("cline", sample, SAMPLES[sample], 200)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_many_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("cline", sample, SAMPLES[sample], 2000, seed=2)
