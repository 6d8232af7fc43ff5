"""Copilot CLI sessions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Transcript, Usage


class Events:
    """Events in their order, each with the one before as its parent unless `parent` is given."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.add("session.start", sessionId="s1", selectedModel="gpt-5", context={"cwd": "/w/x", "gitRoot": "/w"})

    def add(self, kind: str, parent: str | None = "latest", **data: Any) -> str:
        above = (self.lines[-1]["id"] if self.lines else None) if parent == "latest" else parent
        name = f"e{len(self.lines)}"
        line = {"type": kind, "data": data, "id": name, "timestamp": "2026-01-01T00:00:00Z", "parentId": above}
        self.lines.append(line)
        return name

    def answer(self, content: str, *calls: str, parent: str | None = "latest", **data: Any) -> str:
        requests = [{"toolCallId": c, "name": "bash", "arguments": {"command": "Ω"}, "type": "function"} for c in calls]
        return self.add("assistant.message", parent, messageId="m", content=content, toolRequests=requests, **data)

    def result(self, call: str, content: str | None, success: bool = True, **data: Any) -> str:
        found: dict[str, Any] = (
            {"result": {"content": content, "detailedContent": "copy"}} if content is not None else {}
        )
        return self.add("tool.execution_complete", toolCallId=call, success=success, **found, **data)

    def data(self) -> bytes:
        return b"".join(json.dumps(line).encode() + b"\n" for line in self.lines)


def everything() -> Events:
    e = Events()
    e.add("system.message", content="You code.", role="system")
    e.add("user.message", content="Look.", transformedContent="Look. (now)", attachments=[{"type": "image"}])
    e.add("assistant.turn_start", turnId="0")
    e.answer("I look.", "c1", "c2", reasoningText="Hm.", reasoningOpaque="zz", outputTokens=30)
    e.add("assistant.usage", model="gpt-5.1", inputTokens=500, outputTokens=40, cacheReadTokens=128)
    e.add("tool.execution_start", toolCallId="c1", toolName="bash", arguments={})
    e.result("c1", "one")
    e.result("c2", None, success=False, error={"message": "no such file"})
    e.add("subagent.started", toolCallId="c3", agentName="explore")
    e.add("user.message", content="Search.", parentToolCallId="c3")
    e.answer("Found.", parentToolCallId="c3")
    e.result("c9", "mine", isUserRequested=True)
    e.add("session.model_change", newModel="claude-sonnet-5")
    e.add("skill.invoked", name="x", path="/x", content="Do it so.")
    e.answer("Done.")
    e.add("session.compaction_complete", success=True, summaryContent="It was so.")
    e.add("user.message", content="On.")
    e.answer("Well.")
    return e


SAMPLES = {"events.jsonl": everything().data()}


def all_of(events: Events) -> list[Transcript]:
    transcripts, intake = read("s1/events.jsonl", events.data())
    assert intake.problems == []
    assert {t.format for t in transcripts} == {"copilot-cli"}
    return transcripts


def shown(transcript: Transcript) -> list[list[str]]:
    said = [m.result.content if m.result else m.text for m in transcript.messages]
    return [[said[i] for i in indices] for _, indices in transcript.prompts()]


def test_a_session() -> None:
    main, agent = all_of(everything())
    assert [m.role for m in main.messages] == [
        *("system", "user", "assistant", "tool", "tool", "user", "assistant", "user", "user", "assistant")
    ]
    assert (main.messages[1].text, main.messages[1].images) == ("Look. (now)", 1)
    first = main.messages[2]
    assert (first.text, first.reasoning, first.encrypted, first.model) == ("I look.", "Hm.", 1, "gpt-5.1")
    assert first.usage == Usage(500, 128, None, 40)
    assert first.calls[0] == ToolCall("bash", '{"command":"Ω"}', "c1")
    results = [m.result for m in main.messages if m.result]
    assert [(r.content, r.is_error, r.call) for r in results] == [
        ("one", False, (2, 0)),
        ("no such file", True, (2, 1)),
    ]
    assert main.messages[6].model == "claude-sonnet-5"
    assert (main.id, main.parent, main.cluster) == ("s1/events.jsonl", None, "/w")
    assert (agent.id, agent.parent, agent.cluster) == ("s1/events.jsonl#c3", "s1/events.jsonl", "/w")
    assert shown(agent) == [["Search."]]


def test_after_a_compaction_the_prompt_holds_the_summary() -> None:
    main, _ = all_of(everything())
    assert [(c.kind, c.keep) for c in main.cuts] == [("compacted", (0,))]
    assert shown(main)[-1] == ["You code.", "It was so.", "On."]


def test_messages_that_were_dropped_are_in_no_later_prompt() -> None:
    e = Events()
    e.add("system.message", content="You code.")
    for said in ("One", "Two"):
        e.add("user.message", content=f"{said}?")
        e.answer(f"{said}.")
    e.add("session.truncation", messagesRemovedDuringTruncation=3, performedBy="x")
    e.answer("Three.")
    assert shown(all_of(e)[0])[-1] == ["You code.", "Two."]


def test_a_user_who_goes_back_leaves_a_branch() -> None:
    e = Events()
    e.add("user.message", content="Go.")
    fork = e.answer("Where?")
    e.add("user.message", content="Left.")
    e.answer("A wall.")
    e.add("user.message", fork, content="Right.")
    e.answer("A meadow.")
    (main,) = all_of(e)
    assert [c.kind for c in main.cuts] == ["rewound"]
    assert shown(main)[-1] == ["Go.", "Where?", "Right."]


def test_a_notice_aside_is_no_going_back() -> None:
    e = Events()
    start = e.add("user.message", content="Go.")
    e.add("system.message", content="A notice.", role="system")
    e.answer("Well.", parent=start)
    assert all_of(e)[0].cuts == ()


def test_results_whose_content_is_not_recorded_are_no_empty_results() -> None:
    e = Events()
    e.answer("I look.", "c1")
    e.result("c1", None)
    (main,) = all_of(e)
    assert main.results() == []
    assert "contents of results" in main.unknown
    assert main.notes == ("1 results without content",)


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    transcripts, intake = read("events.jsonl", Events().data())
    assert (transcripts, intake.skipped) == ([], [("events.jsonl", "a session without messages")])


def test_broken_events_are_named_and_passed_over() -> None:
    lines = everything().data().splitlines(keepends=True)
    wrong = b'{"type":"user.message","data":{"content":7},"id":[],"timestamp":"x"}\n'
    data = b"".join([lines[0], b"{\x00\n", b"7\n", wrong, *lines[1:-1], lines[-1][:20]])
    transcripts, intake = read("events.jsonl", data)
    assert [p.place for p in intake.problems] == [f"events.jsonl: line {n}" for n in (2, 3, len(lines) + 3)]
    assert [p.reason for p in transcripts[0].problems] == [
        "id is an array, not a string",
        "timestamp is a string, not a time",
        "content is a number, not a string",
    ]


def test_mutants_are_read_or_refused_by_name() -> None:
    survive("copilot-cli", "events.jsonl", SAMPLES["events.jsonl"], 200)


@pytest.mark.slow
def test_many_mutants_are_read_or_refused_by_name() -> None:
    survive("copilot-cli", "events.jsonl", SAMPLES["events.jsonl"], 2000, seed=2)
