"""pi sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import Transcript, Usage

HEADER = {"type": "session", "id": "s1", "timestamp": "2026-01-01T00:00:10Z", "cwd": "/home/me/shop", "modelId": "m"}


def entry(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "timestamp": "2026-01-01T00:00:20Z", **fields}


def message(role: str, content: Any = None, *, fields: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return entry("message", message={"role": role, "content": content, "timestamp": 1, **more}, **(fields or {}))


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def answer(
    *blocks: dict[str, Any], stop: str = "toolUse", model: str = "claude-opus-4-5", **more: Any
) -> dict[str, Any]:
    usage = {"input": 3, "output": 40, "cacheRead": 100, "cacheWrite": 20}
    return message("assistant", list(blocks), model=model, usage=usage, stopReason=stop, **more)


def call(name: str) -> dict[str, Any]:
    return {"type": "toolCall", "id": name, "name": "bash", "arguments": {"command": "Ω"}}


def result(name: str, said: str, failed: bool = False) -> dict[str, Any]:
    return message("toolResult", [text(said)], toolCallId=name, toolName="bash", isError=failed)


ENTRIES = [
    HEADER,
    message("user", [text("Look"), text("here."), {"type": "image", "data": "aa"}]),
    entry("model_change", modelId="claude-opus-4-5"),
    answer({"type": "thinking", "thinking": "Hm."}, {"type": "thinking", "thinking": ""}, text("I look."), call("c1")),
    result("c1", "one\n\nCommand exited with code 7", failed=True),
    message("bashExecution", command="ls", output="a.py", exitCode=0),
    message("bashExecution", command="pwd", output="/", excludeFromContext=True),
    entry("thinking_level_change", thinkingLevel="high"),
    answer(stop="aborted"),
    message("user", "On."),
    answer(text("Done."), stop="stop"),
]


def lines(*entries: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(e).encode() + b"\n" for e in entries)


def tree(*entries: tuple[str, str | None, dict[str, Any]]) -> bytes:
    return lines(HEADER, *({**e, "id": name, "parentId": parent} for name, parent, e in entries))


TREE = tree(
    ("a", None, message("user", "Go.")),
    ("b", "a", answer(text("Where?"))),
    ("c", "b", message("user", "Left.")),
    ("d", "c", answer(call("c1"))),
    ("e", "d", result("c1", "a wall")),
    ("f", "b", entry("branch_summary", fromId="e", summary="Left is a wall.")),
    ("g", "f", message("user", "Right.")),
    ("h", "g", answer(text("A meadow."))),
    ("i", "e", message("user", "Over it.")),
    ("j", "i", answer(text("A sea."))),
    ("k", "j", entry("compaction", summary="Went far.", firstKeptEntryId="i", tokensBefore=9)),
    ("l", "k", entry("custom_message", customType="note", content="Mind the tide.")),
    ("m", "l", answer(text("Swim."))),
)
SAMPLES = {"a.jsonl": lines(*ENTRIES), "tree.jsonl": TREE}


def only(data: bytes) -> Transcript:
    transcripts, intake = read("a.jsonl", data)
    assert [t.format for t in transcripts] == ["pi"]
    assert intake.problems == []
    assert transcripts[0].problems == ()
    return transcripts[0]


def shown(transcript: Transcript) -> list[list[str]]:
    said = [
        m.result.content if m.result else m.text or ",".join(c.call_id or "" for c in m.calls)
        for m in transcript.messages
    ]
    return [[said[i] for i in indices] for _, indices in transcript.prompts()]


def test_a_session() -> None:
    transcript = only(lines(*ENTRIES))
    assert [m.role for m in transcript.messages] == [
        "user",
        "assistant",
        "tool",
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert (transcript.messages[0].text, transcript.messages[0].images) == ("Look\nhere.", 1)
    first = transcript.messages[1]
    assert (first.text, first.reasoning, first.encrypted) == ("I look.", "Hm.", 1)
    assert first.usage == Usage(123, 100, 20, 40)
    assert [(c.name, c.arguments, c.call_id) for c in first.calls] == [("bash", '{"command":"Ω"}', "c1")]
    found = transcript.messages[2].result
    assert found is not None
    assert (found.name, found.call, found.is_error, found.exit_code) == ("bash", (1, 0), True, 7)
    assert transcript.messages[3].text == "Ran `ls`\n```\na.py\n```"
    assert transcript.messages[4].usage == Usage(123, 100, 20, 40)
    assert (transcript.cluster, transcript.model) == ("/home/me/shop", "claude-opus-4-5")
    assert transcript.notes == ("1 answers that were broken off",)
    assert transcript.resends_reasoning


@pytest.mark.parametrize(("model", "resends"), [("anthropic/claude-sonnet-4.5", False), ("gpt-5.1-codex", False)])
def test_thinking_that_is_not_sent_again(model: str, resends: bool) -> None:
    transcript = only(lines(HEADER, answer({"type": "thinking", "thinking": "Hm."}, model=model)))
    assert transcript.resends_reasoning is resends
    assert "thinking that later prompts of the same turn hold" in transcript.unknown


def test_a_tree_is_walked_to_where_the_user_went() -> None:
    transcript = only(TREE)
    assert [c.kind for c in transcript.cuts] == ["rewound", "rewound", "compacted"]
    assert shown(transcript)[2:] == [
        ["Go.", "Where?", "Left is a wall.", "Right."],
        ["Go.", "Where?", "Left.", "c1", "a wall", "Over it."],
        ["Over it.", "A sea.", "Went far.", "Mind the tide."],
    ]


def test_a_compaction_that_counts_entries() -> None:
    compaction = entry("compaction", summary="Short.", firstKeptEntryIndex=3, tokensBefore=9)
    entries = [message("user", "Go."), answer(text("Well.")), message("user", "On."), answer(text("Good."))]
    transcript = only(lines(HEADER, *entries, compaction, answer(text("Bye."))))
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("compacted", 4, (2, 3))]
    assert shown(transcript)[-1] == ["On.", "Good.", "Short."]


def test_a_branch_counts_what_it_copied_only_if_the_original_is_not_there(tmp_path: Path) -> None:
    old = {"timestamp": "2026-01-01T00:00:05Z"}
    entries = [{**message("user", "Go."), **old}, {**answer(text("Well.")), **old}]
    own = [message("user", "On."), answer(text("Good."))]
    branch = lines({**HEADER, "id": "s2", "parentSession": "/x/20260101_s1.jsonl"}, *entries, *own)
    transcript = only(branch)
    assert len(transcript.requests()) == 2
    assert shown(transcript) == [["Go."], ["Go.", "Well.", "On."]]
    (tmp_path / "20260101_s1.jsonl").write_bytes(lines(HEADER, *entries))
    (tmp_path / "20260102_s2.jsonl").write_bytes(branch)
    intake = Intake()
    found = {t.id: t for t in read_transcripts([tmp_path], intake)}
    assert {name: len(t.requests()) for name, t in found.items()} == {"20260101_s1.jsonl": 1, "20260102_s2.jsonl": 1}
    assert shown(found["20260102_s2.jsonl"]) == [["Go.", "Well.", "On."]]
    assert [(p.copy, p.original, p.kind) for p in intake.copies] == [("20260102_s2.jsonl", "20260101_s1.jsonl", "fork")]


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    transcripts, intake = read("a.jsonl", lines(HEADER, entry("model_change", modelId="x")))
    assert (transcripts, intake.skipped) == ([], [("a.jsonl", "a session without messages")])


def test_sessions_of_an_agent_with_lines_alike_are_another_formats() -> None:
    data = lines({"type": "session_start", "id": "s", "cwd": "/w"}, message("user", [text("Go.")]))
    assert read("s.jsonl", data)[0][0].format == "droid"


def test_broken_entries_are_named_and_passed_over() -> None:
    strange = [message("narrator", "x"), answer({"type": "sound"}), message("user", 5)]
    data = [*lines(*ENTRIES[:2]).splitlines(keepends=True), b"{\x00\n", b"7\n", lines(*strange), b'{"type":"mess']
    transcripts, intake = read("a.jsonl", b"".join(data))
    assert [p.place for p in intake.problems] == [f"a.jsonl: line {n}" for n in (3, 4, 8)]
    assert [(p.place.partition(": ")[2], p.reason) for p in transcripts[0].problems] == [
        ("line 5.message", "unknown role 'narrator'"),
        ("line 6.message.content[0]", "unknown kind of block 'sound'"),
        ("line 7.message", "content is a number, not an array"),
    ]


@pytest.mark.parametrize("sample", SAMPLES)
def test_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("pi", sample, SAMPLES[sample], 200)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_many_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("pi", sample, SAMPLES[sample], 2000, seed=2)
