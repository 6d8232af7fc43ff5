"""Cursor's chats: of its agent, of the editor, and an agent's transcript."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read
from harness.transcript import Usage

LINES = [
    {"role": "user", "message": {"content": [{"type": "text", "text": "Run ls."}]}},
    {
        "role": "assistant",
        "message": {
            "content": [
                {"type": "text", "text": "I run."},
                {"type": "tool_call", "name": "Shell", "input": {"command": "ls"}},
            ]
        },
    },
    {
        "role": "user",
        "message": {"content": [{"type": "tool-result", "name": "Shell", "content": [{"type": "text", "text": "a"}]}]},
    },
    {"role": "assistant", "message": {"content": [{"type": "text", "text": "One."}]}},
    {"type": "turn_ended", "status": "success"},
]
SAMPLES = {"agent-1.jsonl": "\n".join(map(json.dumps, LINES))}
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Run ls."}]},
    {
        "role": "assistant",
        "id": "1",
        "content": [
            {"type": "redacted-reasoning", "data": "x"},
            {"type": "tool-call", "toolCallId": "t1", "toolName": "Shell", "args": {"command": "ls"}},
            {"type": "tool-call", "toolCallId": "t2", "toolName": "Read", "args": {"path": "a"}},
        ],
    },
    {
        "role": "tool",
        "content": [
            {"type": "tool-result", "toolCallId": "t2", "toolName": "Read", "result": "A"},
            {
                "type": "tool-result",
                "toolCallId": "t1",
                "toolName": "Shell",
                "output": {"type": "json", "value": {"files": ["a"]}},
            },
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "One."}]},
]


def store(path: Path, messages: list[dict[str, Any]], ordered: bool = True) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)")
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
    raw = [json.dumps(message).encode() for message in messages]
    ids = [hashlib.sha256(one).hexdigest() for one in raw]
    for own, one in sorted(zip(ids, raw, strict=True)):
        connection.execute("INSERT INTO blobs VALUES (?, ?)", (own, one))
    root = b"".join(b"\x0a\x20" + bytes.fromhex(own) for own in ids) + b"\x4a\x03/ws\x10\x96\x01"
    connection.execute("INSERT INTO blobs VALUES (?, ?)", ("ff" * 32, root))
    meta = {"agentId": "a", "latestRootBlobId": "ff" * 32 if ordered else "", "lastUsedModel": "composer-2"}
    connection.execute("INSERT INTO meta VALUES ('0', ?)", (json.dumps(meta).encode().hex(),))
    connection.commit()
    connection.close()
    return path


def test_a_chat_of_the_agent_has_its_messages_in_the_order_of_its_root(tmp_path: Path) -> None:
    intake = Intake()
    (transcript,) = read_transcripts([store(tmp_path / "store.db", MESSAGES)], intake)
    assert not intake.problems
    assert not transcript.problems
    assert [m.role for m in transcript.messages] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert transcript.model == "composer-2"
    assert transcript.messages[2].encrypted == 1
    results = [m.result for m in transcript.messages if m.result is not None]
    assert [(r.content, r.name, r.call, r.is_json) for r in results] == [
        ("A", "Read", (2, 1), False),
        ('{"files":["a"]}', "Shell", (2, 0), True),
    ]


def test_a_chat_without_a_root_says_that_its_order_is_not_known(tmp_path: Path) -> None:
    intake = Intake()
    (transcript,) = read_transcripts([store(tmp_path / "store.db", MESSAGES, ordered=False)], intake)
    assert len(transcript.messages) == 6
    assert "order" in intake.problems[0].reason


def test_chats_of_the_editor_are_read_from_its_bubbles(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "state.vscdb")
    connection.execute("CREATE TABLE ItemTable (key TEXT, value BLOB)")
    connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
    tool = {
        "name": "read_file",
        "toolCallId": "t1",
        "rawArgs": '{"path":"a"}',
        "result": '{"contents":"A"}',
        "status": "completed",
    }
    rows = {
        "composerData:c1": {
            "modelConfig": {"modelName": "claude-sonnet-4-5"},
            "fullConversationHeadersOnly": [{"bubbleId": b, "type": 1} for b in ("b1", "b2", "b3", "gone")],
        },
        "composerData:c2": {"fullConversationHeadersOnly": []},
        "bubbleId:c1:b1": {"type": 1, "text": "Read it.", "createdAt": "2026-05-01T10:00:00.000Z"},
        "bubbleId:c1:b2": {"type": 2, "toolFormerData": tool, "tokenCount": {"inputTokens": 900, "outputTokens": 20}},
        "bubbleId:c1:b3": {"type": 2, "text": "It says A.", "tokenCount": {"inputTokens": 0, "outputTokens": 0}},
    }
    for key, value in rows.items():
        connection.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (key, json.dumps(value)))
    connection.commit()
    connection.close()
    (transcript,) = read_transcripts([tmp_path / "state.vscdb"], Intake())
    assert transcript.id == "state.vscdb#c1"
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "assistant"]
    assert transcript.messages[1].usage == Usage(900, None, None, 20)
    assert transcript.messages[3].usage is None
    result = transcript.messages[2].result
    assert result is not None
    assert (result.content, result.call) == ('{"contents":"A"}', (1, 0))
    assert [p.reason for p in transcript.problems] == ["bubble 'gone' is not there"]


def test_a_transcript_of_an_agent_has_calls_and_the_results_that_stand_in_it() -> None:
    (transcript,), intake = read("agent-1.jsonl", SAMPLES["agent-1.jsonl"].encode())
    assert not intake.problems
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "assistant"]
    result = transcript.messages[2].result
    assert result is not None
    assert (result.content, result.call) == ("a", (1, 0))
