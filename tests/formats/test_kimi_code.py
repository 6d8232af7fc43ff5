"""Kimi Code sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Transcript, Usage


def record(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "time": 1_750_000_000_500, **fields}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return record("context.append_loop_event", event={"type": kind, "step": 1, **fields})


def said(role: str, text: str, **fields: Any) -> dict[str, Any]:
    message = {"role": role, "content": [{"type": "text", "text": text}], "toolCalls": [], **fields}
    return record("context.append_message", message=message)


def part(kind: str, text: str) -> dict[str, Any]:
    return event("content.part", part={"type": kind, kind: text})


def call(name: str) -> dict[str, Any]:
    return event("tool.call", toolCallId=name, name="Bash", args={"command": "Ω"})


def result(name: str, output: Any, **fields: Any) -> dict[str, Any]:
    return event("tool.result", toolCallId=name, result={"output": output, **fields})


USAGE = {"inputOther": 10, "output": 20, "inputCacheRead": 100, "inputCacheCreation": 5}
RECORDS = [
    {"type": "metadata", "protocol_version": "1.4", "created_at": 1_750_000_000_000},
    record("profile.bind", systemPrompt="You code.", modelAlias="a/kimi", environmentDisclosure={"cwd": "/w"}),
    record("config.update", systemPrompt="You code."),
    record("llm.tools_snapshot", tools=[{"name": "Bash"}]),
    record("turn.prompt", input=[{"type": "text", "text": "Look."}]),
    said("user", "Look."),
    event("step.begin"),
    record("llm.request", model="kimi-k2.7"),
    part("think", "Hm."),
    part("text", "I look."),
    call("c1"),
    call("c2"),
    result("c2", "no such file", isError=True, note="Try another."),
    result("c1", [{"type": "text", "text": "the start"}, {"type": "image_url"}], truncated=True),
    event("step.end", usage=USAGE, messageId="m1"),
    event("step.begin"),
    part("text", "Done."),
    event("step.end", usage=USAGE, messageId="m2"),
    said("user", "On."),
    record(
        "context.apply_compaction", summary="s", contextSummary="It was so.", compactedCount=6, keptUserMessageCount=1
    ),
    event("step.begin"),
    part("text", "Well."),
    event("step.end", usage=USAGE),
    record("context.undo", count=1),
    record("context.clear"),
    said("assistant", "Of another.", toolCalls=[{"id": "c9", "function": {"name": "Read", "arguments": "{}"}}]),
    said("tool", "its result", toolCallId="c9"),
    said("user", "Now?"),
    part("text", "Now."),
]
DATA = b"".join(json.dumps(r).encode() + b"\n" for r in RECORDS)
SAMPLES = {"wire.jsonl": DATA}


def shown(transcript: Transcript) -> list[list[str]]:
    texts = [m.result.content if m.result else m.text for m in transcript.messages]
    return [[texts[i] for i in indices] for _, indices in transcript.prompts()]


def test_a_session() -> None:
    (run,), intake = read("s/agents/main/wire.jsonl", DATA)
    assert intake.problems == []
    assert run.problems == ()
    assert run.format == "kimi-code"
    first = run.messages[2]
    assert (first.text, first.reasoning, first.model, first.message_id) == ("I look.", "Hm.", "kimi-k2.7", "m1")
    assert first.usage == Usage(115, 100, 5, 20)
    assert first.calls[0] == ToolCall("Bash", '{"command":"Ω"}', "c1")
    results = [m.result for m in run.messages if m.result]
    assert [(r.content, r.is_error, r.call, r.clipped) for r in results[:2]] == [
        ("no such file\nTry another.", True, (2, 1), None),
        ("the start", None, (2, 0), "Kimi Code: cut, says its record"),
    ]
    assert run.tools == ('{"name":"Bash"}',)
    assert (run.cluster, run.parent, len(run.requests())) == ("/w", None, 4)
    assert run.notes == ("1 changes of the prompt that are not followed (context.undo)",)


def test_prompts_after_a_compaction_and_a_clearing() -> None:
    (run,), _ = read("wire.jsonl", DATA)
    assert [c.kind for c in run.cuts] == ["compacted", "cleared"]
    assert shown(run)[1:] == [
        ["You code.", "Look.", "I look.", "no such file\nTry another.", "the start"],
        ["You code.", "On.", "It was so."],
        ["You code.", "Of another.", "its result", "Now?"],
    ]


def test_a_compaction_keeps_the_latest_of_what_the_user_said() -> None:
    compaction = record("context.apply_compaction", summary="Short.", compactedCount=4, keptUserMessageCount=1)
    records = [
        said("user", "One?"),
        part("text", "One."),
        said("user", "Two?"),
        part("text", "Two."),
        said("user", "Three?"),
    ]
    data = b"\n".join(json.dumps(r).encode() for r in [*records, compaction, part("text", "Three.")])
    (run,), _ = read("wire.jsonl", data)
    assert shown(run)[-1] == ["Two?", "Three?", "Short."]


def test_a_long_result_is_joined_and_a_sub_agent_names_its_session(tmp_path: Path) -> None:
    for agent in ("main", "agent-0"):
        folder = tmp_path / "s" / "agents" / agent
        (folder / "tool-results").mkdir(parents=True)
        (folder / "wire.jsonl").write_bytes(DATA.replace(b"1750000", b"1750000" if agent == "main" else b"1751000"))
        (folder / "tool-results" / "Bash-c1-0a.txt").write_text("the start and the end", encoding="utf-8")
    intake = Intake()
    found = {t.id: t for t in read_transcripts([tmp_path], intake)}
    main = found["s/agents/main/wire.jsonl"]
    assert [m.result.whole for m in main.messages if m.result] == [None, "the start and the end", None]
    assert found["s/agents/agent-0/wire.jsonl"].parent == main.id
    assert [name for name, _ in intake.skipped] == [
        f"s/agents/{a}/tool-results/Bash-c1-0a.txt" for a in ("agent-0", "main")
    ]


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    data = b"\n".join(json.dumps(r).encode() for r in RECORDS[:4])
    assert read("wire.jsonl", data)[1].skipped == [("wire.jsonl", "a session without messages")]


def test_broken_records_are_named_and_passed_over() -> None:
    lines = DATA.splitlines(keepends=True)
    wrong = json.dumps(said("narrator", "x")).encode() + b"\n"
    data = b"".join([*lines[:6], b"{\x00\n", b"7\n", wrong, *lines[6:-1], lines[-1][:20]])
    (run,), intake = read("wire.jsonl", data)
    assert [p.place for p in intake.problems] == [f"wire.jsonl: line {n}" for n in (7, 8, len(lines) + 3)]
    assert [p.reason for p in run.problems] == ["unknown role 'narrator'"]


def test_mutants_are_read_or_refused_by_name() -> None:
    survive("kimi-code", "wire.jsonl", DATA, 200)


@pytest.mark.slow
def test_many_mutants_are_read_or_refused_by_name() -> None:
    survive("kimi-code", "wire.jsonl", DATA, 2000, seed=2)
