"""Kimi CLI sessions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import Transcript, Usage


def event(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": 1_750_000_000.5, "message": {"type": kind, "payload": payload}}


def within(agent: str, inner: dict[str, Any], key: str = "agent_id") -> dict[str, Any]:
    return event("SubagentEvent", **{key: agent, "event": inner["message"]})


def text(said: str) -> dict[str, Any]:
    return event("ContentPart", type="text", text=said)


def call(name: str, arguments: str) -> dict[str, Any]:
    return event("ToolCall", type="function", id=name, function={"name": "Shell", "arguments": arguments})


def result(name: str, output: Any, message: str = "", failed: bool = False) -> dict[str, Any]:
    return event(
        "ToolResult", tool_call_id=name, return_value={"is_error": failed, "output": output, "message": message}
    )


TOKENS = {"input_other": 10, "output": 20, "input_cache_read": 100, "input_cache_creation": 5}
EVENTS = [
    {"type": "metadata", "protocol_version": "1.1"},
    event("TurnBegin", user_input=[{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {}}]),
    event("StepBegin", n=1),
    event("ContentPart", type="think", think="Hm.", encrypted=None),
    text("I "),
    text("look."),
    call("c1", '{"command":'),
    event("ToolCallPart", arguments_part='"Ω"}'),
    call("c2", "{}"),
    event("StatusUpdate", context_usage=0.1, token_usage=TOKENS, message_id="m1"),
    event("ApprovalRequest", id="a", tool_call_id="c1"),
    result("c2", "", "Not found", failed=True),
    result("c1", [{"type": "text", "text": "one"}, {"type": "image_url"}], "1 line"),
    event("StepBegin", n=2),
    text("Then"),
    event("StepBegin", n=3),
    text("Done."),
    event("TurnEnd"),
    within("a1", event("TurnBegin", user_input="Search.")),
    within("a1", event("StepBegin", n=1)),
    within("a1", text("Found.")),
    within("c2", text("Old."), key="task_tool_call_id"),
    event("CompactionBegin"),
    event("CompactionEnd"),
    event("TurnBegin", user_input="On."),
    text("Well."),
]
DATA = b"".join(json.dumps(e).encode() + b"\n" for e in EVENTS)
SAMPLES = {"wire.jsonl": DATA}


def shown(transcript: Transcript) -> list[list[str]]:
    said = [m.result.content if m.result else m.text for m in transcript.messages]
    return [[said[i] for i in indices] for _, indices in transcript.prompts()]


def test_a_session() -> None:
    transcripts, intake = read("wire.jsonl", DATA)
    assert intake.problems == []
    assert [(t.id, t.parent) for t in transcripts] == [
        ("wire.jsonl", None),
        ("wire.jsonl#a1", "wire.jsonl"),
        ("wire.jsonl#c2", "wire.jsonl"),
    ]
    main = transcripts[0]
    assert main.problems == ()
    assert [m.role for m in main.messages] == [
        *("user", "assistant", "tool", "tool", "assistant", "assistant", "user", "assistant")
    ]
    assert (main.messages[0].text, main.messages[0].images) == ("Look.", 1)
    first = main.messages[1]
    assert (first.text, first.reasoning, first.message_id) == ("I look.", "Hm.", "m1")
    assert [(c.name, c.arguments) for c in first.calls] == [("Shell", '{"command":"Ω"}'), ("Shell", "{}")]
    assert first.usage == Usage(115, 100, 5, 20)
    results = [m.result for m in main.messages if m.result]
    assert [(r.content, r.is_error, r.call) for r in results] == [
        ("<system>ERROR: Not found</system>", True, (1, 1)),
        ("<system>1 line</system>\none", False, (1, 0)),
    ]
    assert "what a compaction kept" in main.unknown
    assert shown(main)[-1] == ["On."]
    assert shown(transcripts[1]) == [["Search."]]


@pytest.mark.parametrize(
    ("payload", "content"),
    [
        ({"return_value": {"is_error": False, "output": ""}}, "<system>Tool output is empty.</system>"),
        ({"result": {"output": "plain"}}, "plain"),
        ({"return_value": {"output": {"type": "text", "text": "a part"}}}, "a part"),
    ],
)
def test_results_of_other_shapes(payload: Any, content: str) -> None:
    lines = [call("c1", "{}"), event("ToolResult", tool_call_id="c1", **payload)]
    (transcript,), _ = read("wire.jsonl", b"\n".join(json.dumps(line).encode() for line in lines))
    assert transcript.messages[1].result is not None
    assert transcript.messages[1].result.content == content


def test_usage_that_comes_after_the_results_is_the_last_requests() -> None:
    lines = [call("c1", "{}"), result("c1", "x"), event("StatusUpdate", token_usage=TOKENS)]
    (transcript,), _ = read("wire.jsonl", b"\n".join(json.dumps(line).encode() for line in lines))
    assert transcript.messages[0].usage == Usage(115, 100, 5, 20)


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    data = b"\n".join(json.dumps(e).encode() for e in (EVENTS[0], event("TurnEnd")))
    assert read("wire.jsonl", data)[1].skipped == [("wire.jsonl", "a session without messages")]


def test_broken_events_are_named_and_passed_over() -> None:
    lines = DATA.splitlines(keepends=True)
    wrong = json.dumps(event("TurnBegin", user_input=7)).encode() + b"\n"
    data = b"".join([*lines[:2], b"{\x00\n", b"7\n", wrong, *lines[2:-1], lines[-1][:20]])
    transcripts, intake = read("wire.jsonl", data)
    assert [p.place for p in intake.problems] == [f"wire.jsonl: line {n}" for n in (3, 4, len(lines) + 3)]
    assert [p.reason for p in transcripts[0].problems] == ["user_input is a number, not an array"]


def test_mutants_are_read_or_refused_by_name() -> None:
    survive("kimi", "wire.jsonl", DATA, 200)


@pytest.mark.slow
def test_many_mutants_are_read_or_refused_by_name() -> None:
    survive("kimi", "wire.jsonl", DATA, 2000, seed=2)
