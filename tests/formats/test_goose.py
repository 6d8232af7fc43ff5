"""Goose sessions: the database, exports, and the files of earlier versions."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import broken_bytes, check_one, read, survive
from harness.transcript import ToolCall, Transcript


def message(role: str, *content: dict[str, Any], **metadata: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"role": role, "created": 1_750_000_000, "content": list(content)}
    return {**found, "metadata": metadata} if metadata else found


def text(said: str, *audience: str) -> dict[str, Any]:
    return {"type": "text", "text": said, **({"annotations": {"audience": list(audience)}} if audience else {})}


def request(name: str) -> dict[str, Any]:
    call = {"status": "success", "value": {"name": "shell", "arguments": {"command": "Ω"}}}
    return {"type": "toolRequest", "id": name, "toolCall": call}


def response(name: str, value: Any) -> dict[str, Any]:
    return {"type": "toolResponse", "id": name, "toolResult": {"status": "success", "value": value}}


FAILED = {"type": "toolResponse", "id": "c2", "toolResult": {"status": "error", "error": "no such file"}}
RESOURCE = {"type": "resource", "resource": {"uri": "x", "text": "of a file"}}
OLD = {"agentVisible": False, "userVisible": True}
MESSAGES = [
    message("user", text("Look."), {"type": "image", "data": "aa"}, **OLD),
    message("assistant", {"type": "thinking", "thinking": "Hm."}, text("I look."), request("c1"), request("c2"), **OLD),
    message(
        "user",
        response("c1", {"content": [text("for you", "user"), text("one", "assistant"), RESOURCE], "isError": False}),
        FAILED,
        **OLD,
    ),
    message("assistant", {"type": "redactedThinking", "data": "x"}, text("Done."), **OLD),
    message("user", text("It was so."), agentVisible=True, userVisible=False),
    message("assistant", request("c3"), agentVisible=True, userVisible=True),
    message("user", response("c3", [text("two"), {"type": "image", "data": "aa"}])),
    message("assistant", request("c4")),
    message("user", response("c4", {"content": [], "structuredContent": {"rows": [1]}})),
    message("assistant", {"type": "systemNotification", "msg": "hidden"}, text("Bye.")),
]
EXPORT = json.dumps({"id": "20260101_1", "working_dir": "/w", "conversation": MESSAGES}).encode()
LINES = b"".join(json.dumps(line).encode() + b"\n" for line in [{"working_dir": "/w", "description": "x"}, *MESSAGES])
SAMPLES = {"export.json": EXPORT, "20260101_1.jsonl": LINES}


def write_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, working_dir TEXT NOT NULL)")
        base.execute(
            "CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT,"
            " content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)"
        )
        base.execute("INSERT INTO sessions VALUES ('20260101_1', '/w'), ('20260101_2', '/empty')")
        for found in MESSAGES:
            metadata = json.dumps(found["metadata"]) if "metadata" in found else None
            row = (found["role"], json.dumps(found["content"]), found["created"], metadata)
            base.execute("INSERT INTO messages VALUES (NULL, NULL, '20260101_1', ?, ?, ?, ?)", row)


def shown(transcript: Transcript) -> list[list[str]]:
    said = [
        m.result.content if m.result else m.text or ",".join(c.call_id or "" for c in m.calls)
        for m in transcript.messages
    ]
    return [[said[i] for i in indices] for _, indices in transcript.prompts()]


def test_a_session() -> None:
    (transcript,), intake = read("export.json", EXPORT)
    assert intake.problems == []
    assert transcript.problems == ()
    assert [m.role for m in transcript.messages] == [
        *(
            "user",
            "assistant",
            "tool",
            "tool",
            "assistant",
            "user",
            "assistant",
            "tool",
            "assistant",
            "tool",
            "assistant",
        )
    ]
    assert (transcript.messages[0].text, transcript.messages[0].images) == ("Look.", 1)
    first = transcript.messages[1]
    assert (first.text, first.reasoning) == ("I look.", "Hm.")
    assert first.calls[0] == ToolCall("shell", '{"command":"Ω"}', "c1")
    assert transcript.messages[4].encrypted == 1
    results = [m.result for m in transcript.messages if m.result]
    assert [(r.content, r.is_json, r.is_error, r.call) for r in results] == [
        ("one\nof a file", False, False, (1, 0)),
        ("no such file", False, True, (1, 1)),
        ("two", False, None, (6, 0)),
        ('{"rows":[1]}', True, None, (8, 0)),
    ]
    assert transcript.messages[7].images == 1
    assert transcript.messages[-1].text == "Bye."
    assert transcript.cluster == "/w"
    assert "usage" in transcript.unknown


def test_after_a_compaction_the_prompt_holds_the_summary() -> None:
    (transcript,), _ = read("export.json", EXPORT)
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("compacted", 5, ())]
    assert shown(transcript)[1:3] == [["Look.", "I look.", "one\nof a file", "no such file"], ["It was so."]]


def test_all_layouts_are_read_alike(tmp_path: Path) -> None:
    write_database(tmp_path / "sessions.db")
    for name, data in SAMPLES.items():
        (tmp_path / name).write_bytes(data)
    intake = Intake()
    found = {t.id: t for place in sorted(tmp_path.iterdir()) for t in read_transcripts([place], intake)}
    assert intake.problems == []
    assert sorted(found) == ["20260101_1.jsonl", "export.json", "sessions.db#20260101_1"]
    assert len({repr((t.messages, t.cuts, t.cluster)) for t in found.values()}) == 1


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    data = json.dumps({"working_dir": "/w", "conversation": None}).encode()
    assert read("a.json", data)[1].skipped == [("a.json", "no session with messages")]


def test_broken_messages_are_named_and_passed_over() -> None:
    strange = [message("narrator"), message("user", {"type": "sound"})]
    lines = LINES.splitlines(keepends=True)
    data = b"".join([*lines[:2], b"{\x00\n", b"7\n", *(json.dumps(s).encode() + b"\n" for s in strange), b'{"role'])
    (transcript,), intake = read("a.jsonl", data)
    assert [p.place for p in intake.problems] == [f"a.jsonl: line {n}" for n in (3, 4, 7)]
    assert [p.reason for p in transcript.problems] == ["unknown role 'narrator'", "unknown kind of block 'sound'"]


@pytest.mark.parametrize("sample", SAMPLES)
def test_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("goose", sample, SAMPLES[sample], 200)


def broken_databases(folder: Path, count: int, seed: int) -> None:
    write_database(folder / "sessions.db")
    data = (folder / "sessions.db").read_bytes()
    dice = random.Random(seed)
    for _ in range(count):
        check_one("goose", "sessions.db", broken_bytes(data, dice))


def test_broken_databases_are_read_or_refused_by_name(tmp_path: Path) -> None:
    broken_databases(tmp_path, 100, 1)


@pytest.mark.slow
def test_many_mutants_are_read_or_refused_by_name(tmp_path: Path) -> None:
    for sample, data in SAMPLES.items():
        survive("goose", sample, data, 2000, seed=2)
    broken_databases(tmp_path, 2000, 2)
