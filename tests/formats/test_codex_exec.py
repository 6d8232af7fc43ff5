"""The events that `codex exec --json` prints."""

from __future__ import annotations

import json

from harness.testing.formats import read
from harness.transcript import Usage


def item(state: str, own: str, kind: str, **fields: object) -> dict[str, object]:
    return {"type": f"item.{state}", "item": {"id": own, "type": kind, **fields}}


EVENTS = [
    {"type": "thread.started", "thread_id": "t1"},
    {"type": "turn.started"},
    item("completed", "i0", "reasoning", text="I look."),
    item("completed", "i1", "agent_message", text="I read both."),
    item(
        "started",
        "i2",
        "command_execution",
        command="cat a",
        aggregated_output="",
        exit_code=None,
        status="in_progress",
    ),
    item("started", "i3", "mcp_tool_call", server="db", tool="q", arguments={"sql": "select 1"}, status="in_progress"),
    item(
        "completed", "i2", "command_execution", command="cat a", aggregated_output="A\n", exit_code=1, status="failed"
    ),
    item(
        "completed",
        "i3",
        "mcp_tool_call",
        server="db",
        tool="q",
        arguments={"sql": "select 1"},
        status="completed",
        result={"content": [{"type": "text", "text": "1"}, {"type": "image", "data": "x"}]},
    ),
    item("completed", "i4", "todo_list", items=[]),
    item("completed", "i5", "file_change", changes=[{"path": "a", "kind": "update"}], status="completed"),
    item("completed", "i6", "agent_message", text="Done."),
    {"type": "turn.completed", "usage": {"input_tokens": 900, "cached_input_tokens": 500, "output_tokens": 40}},
    {"type": "turn.started"},
    item("completed", "i7", "agent_message", text="Hello."),
    {"type": "turn.completed", "usage": {"input_tokens": 300, "cached_input_tokens": 100, "output_tokens": 4}},
]
SAMPLES = {"run.jsonl": "\n".join(map(json.dumps, EVENTS))}


def test_calls_that_run_together_are_one_answer_and_what_follows_a_result_is_the_next() -> None:
    (transcript,), intake = read("run.jsonl", SAMPLES["run.jsonl"].encode())
    assert not intake.problems
    assert not transcript.problems
    roles = [m.role for m in transcript.messages]
    assert roles == ["assistant", "tool", "tool", "assistant", "assistant", "assistant"]
    first = transcript.messages[0]
    assert (first.text, first.reasoning) == ("I read both.", "I look.")
    assert [(c.name, c.arguments) for c in first.calls] == [
        ("shell", '{"command":"cat a"}'),
        ("mcp__db__q", '{"sql":"select 1"}'),
    ]
    results = [m.result for m in transcript.messages if m.result is not None]
    assert [(r.content, r.call, r.exit_code, r.is_error) for r in results] == [
        ("A\n", (0, 0), 1, True),
        ("1", (0, 1), None, False),
    ]
    assert transcript.messages[2].images == 1
    assert transcript.messages[3].calls[0].name == "apply_patch"


def test_usage_of_a_turn_is_given_to_a_turn_of_one_request_only() -> None:
    (transcript,), _ = read("run.jsonl", SAMPLES["run.jsonl"].encode())
    usages = [transcript.messages[i].usage for i in transcript.requests()]
    assert usages == [None, None, None, Usage(300, 100, None, 4)]
    assert "usage of single requests" in transcript.unknown
