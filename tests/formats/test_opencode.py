"""OpenCode sessions: exports, dumps, the database and the storage folder."""

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
from harness.transcript import Transcript, Usage

Part = dict[str, Any]


def tool(call: str, output: str | None = "out", name: str = "bash", **state: Any) -> Part:
    inner = {
        "status": "completed",
        "input": {"command": "Ω"},
        "output": output,
        "time": {"start": 1, "end": 2},
        **state,
    }
    return {"type": "tool", "tool": name, "callID": call, "state": inner}


def text(said: str, **more: Any) -> Part:
    return {"type": "text", "text": said, **more}


def finish(fresh: int, read: int, written: int, made: int) -> Part:
    return {
        "type": "step-finish",
        "tokens": {"input": fresh, "output": made, "cache": {"read": read, "write": written}},
    }


def user(created: int, *parts: Part) -> dict[str, Any]:
    return {"info": {"role": "user", "time": {"created": created}}, "parts": list(parts)}


def answer(created: int, *parts: Part, **more: Any) -> dict[str, Any]:
    info = {"role": "assistant", "modelID": "claude-opus-4.5", "path": {"root": "/w"}, **more}
    return {"info": {**info, "time": {"created": created, "completed": created + 1}}, "parts": list(parts)}


START = 1_750_000_000_000
FAILED = {"status": "error", "error": "no such file"}
MESSAGES = [
    user(START, text("Look."), text("hidden", ignored=True), {"type": "file", "mime": "image/png", "url": "data:"}),
    answer(
        START + 10,
        {"type": "step-start"},
        {"type": "reasoning", "text": "Hm."},
        text("I look."),
        tool("c1", "one", time={"start": START, "end": START + 20, "compacted": START + 60}, metadata={"exit": 3}),
        tool("c2", None, **FAILED),
        finish(5, 90, 10, 40),
        {"type": "step-start"},
        tool("c3", "100 hits", "grep", metadata={"truncated": True}),
        tool("c4", "a page", "read", input={"filePath": "a", "limit": 3}, metadata={"truncated": True}),
        tool("c5", None, status="running"),
        finish(7, 0, 0, 50),
    ),
    user(START + 30, text("Sum up."), {"type": "compaction", "auto": True}),
    answer(START + 40, text("It was so."), summary=True),
    user(START + 50, text("On.")),
    answer(START + 70, text("Well.")),
    answer(START + 80, error={"name": "MessageAbortedError"}),
]
INFO = {"id": "ses_1", "projectID": "p", "directory": "/w/shop", "version": "1.0", "time": {"created": START}}


def named(messages: list[dict[str, Any]], session: str = "ses_1") -> list[dict[str, Any]]:
    """The messages and their parts with ids that sort in their order."""
    found = []
    for number, message in enumerate(messages):
        name = f"msg_{session}_{number:03}"
        parts = [
            {**part, "id": f"prt_{session}_{number:03}_{i:03}", "messageID": name}
            for i, part in enumerate(message["parts"])
        ]
        found.append({"info": {**message["info"], "id": name, "sessionID": session}, "parts": parts})
    return found


def export(messages: list[dict[str, Any]], **info: Any) -> bytes:
    return json.dumps({"info": {**INFO, **info}, "messages": named(messages)}).encode()


def dump(messages: list[dict[str, Any]]) -> bytes:
    def row(value: dict[str, Any], **more: Any) -> dict[str, Any]:
        data = json.dumps({k: v for k, v in value.items() if k not in ("id", "messageID", "sessionID")})
        return {"id": value["id"], "session_id": "ses_1", "data": data, **more}

    found = named(messages)
    parts = [row(part, message_id=part["messageID"]) for message in found for part in message["parts"]]
    session = {"id": "ses_1", "directory": "/w/shop", "parent_id": None}
    return json.dumps({"session": session, "messages": [row(m["info"]) for m in found], "parts": parts}).encode()


def write_folder(root: Path, messages: list[dict[str, Any]]) -> None:
    def write(path: Path, value: dict[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")

    write(root / "session" / "p" / "ses_1.json", INFO)
    write(root / "session" / "p" / "ses_2.json", {**INFO, "id": "ses_2", "parentID": "ses_1"})
    for session, own in (("ses_1", messages), ("ses_2", [answer(START, text("Found."))])):
        for message in named(own, session):
            name = message["info"]["id"]
            write(root / "message" / session / f"{name}.json", message["info"])
            for part in message["parts"]:
                write(root / "part" / name / f"{part['id']}.json", part)


def write_database(path: Path, messages: list[dict[str, Any]]) -> None:
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_created INTEGER)")
        base.execute("CREATE TABLE `message` (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT)")
        base.execute(
            "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT)"
        )
        base.execute("INSERT INTO session VALUES ('ses_1', NULL, '/w/shop', 1), ('ses_2', 'ses_1', '/w/shop', 2)")
        for session, own in (("ses_1", messages), ("ses_2", [answer(START, text("Found."))])):
            for message in named(own, session):
                info = message["info"]
                base.execute("INSERT INTO message VALUES (?, ?, 1, ?)", (info["id"], session, json.dumps(info)))
                for part in message["parts"]:
                    row = (part["id"], info["id"], session, json.dumps(part))
                    base.execute("INSERT INTO part VALUES (?, ?, ?, 1, ?)", row)


SAMPLES = {"ses_1.json": export(MESSAGES), "dump.json": dump(MESSAGES)}


def only(data: bytes, name: str = "ses_1.json") -> Transcript:
    transcripts, intake = read(name, data)
    assert [t.format for t in transcripts] == ["opencode"]
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
    transcript = only(export(MESSAGES))
    assert [m.role for m in transcript.messages] == [
        *("user", "assistant", "tool", "tool", "assistant", "tool", "tool", "user", "assistant", "user", "assistant")
    ]
    assert (transcript.messages[0].text, transcript.messages[0].images) == ("Look.", 1)
    first, second = transcript.messages[1], transcript.messages[4]
    assert (first.text, first.reasoning, first.usage) == ("I look.", "Hm.", Usage(105, 90, 10, 40))
    assert [c.call_id for c in second.calls] == ["c3", "c4", "c5"]
    assert second.usage == Usage(7, 0, 0, 50)
    assert first.calls[0].arguments == '{"command":"Ω"}'
    results = [m.result for m in transcript.messages if m.result]
    assert [(r.content, r.name, r.call, r.is_error, r.exit_code) for r in results] == [
        ("one", "bash", (1, 0), False, 3),
        ("no such file", "bash", (1, 1), True, None),
        ("100 hits", "grep", (4, 0), False, None),
        ("a page", "read", (4, 1), False, None),
    ]
    assert [r.clipped for r in results] == [None, None, "OpenCode: cut, says its metadata", None]
    assert (transcript.cluster, transcript.model) == ("/w/shop", "claude-opus-4.5")
    assert transcript.notes == ("1 answers that failed, left out",)
    assert transcript.resends_reasoning


def test_after_a_compaction_the_prompt_holds_its_question_and_its_summary() -> None:
    transcript = only(export(MESSAGES))
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("compacted", 9, (7, 8))]
    prompts = shown(transcript)
    assert prompts[2][-1] == "Sum up."
    assert "one" in prompts[2]
    assert prompts[3] == ["Sum up.", "It was so.", "On."]


def test_results_that_the_client_took_out_are_in_no_later_prompt() -> None:
    gone = tool("c1", "one", time={"start": START, "end": START + 20, "compacted": START + 25})
    messages = [
        user(START, text("Go.")),
        answer(START + 10, gone, tool("c2", "two")),
        answer(START + 30, text("Well.")),
    ]
    transcript = only(export(messages))
    assert [c.kind for c in transcript.cuts] == ["cleared"]
    assert shown(transcript)[-1] == ["Go.", "c1,c2", "two"]


def test_all_four_layouts_are_read_alike(tmp_path: Path) -> None:
    write_folder(tmp_path / "storage", MESSAGES)
    write_database(tmp_path / "opencode.db", MESSAGES)
    (tmp_path / "export.json").write_bytes(export(MESSAGES))
    (tmp_path / "dump.json").write_bytes(dump(MESSAGES))
    intake = Intake()
    found = {t.id: t for place in sorted(tmp_path.iterdir()) for t in read_transcripts([place], intake)}
    assert intake.problems == []
    assert intake.skipped == []
    mains = ["dump.json", "export.json", "opencode.db#ses_1", "storage#ses_1"]
    assert sorted(found) == sorted([*mains, "opencode.db#ses_2", "storage#ses_2"])
    assert len({repr((found[name].messages, found[name].cuts, found[name].cluster)) for name in mains}) == 1
    assert found["storage#ses_2"].parent == "storage#ses_1"
    assert found["opencode.db#ses_2"].parent == "opencode.db#ses_1"


def test_an_export_of_a_sub_agent_names_its_session() -> None:
    (transcript,), _ = read("x/ses_2.json", export(MESSAGES, parentID="ses_1"))
    assert transcript.parent == "x/ses_1.json"


def test_reading_leaves_no_file_beside_the_database(tmp_path: Path) -> None:
    write_database(tmp_path / "opencode.db", MESSAGES)
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as base:
        base.execute("PRAGMA journal_mode = WAL")
    assert len(list(read_transcripts([tmp_path], Intake()))) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["opencode.db"]


def test_a_database_in_use_is_read_with_its_log(tmp_path: Path) -> None:
    write_database(tmp_path / "opencode.db", MESSAGES)
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("INSERT INTO session VALUES ('ses_3', NULL, '/w/new', 3)")
        row = json.dumps({"role": "user", "time": {"created": START}})
        base.execute("INSERT INTO message VALUES ('m', 'ses_3', 1, ?)", (row,))
        base.commit()
        assert "opencode.db#ses_3" in {t.id for t in read_transcripts([tmp_path], Intake())}


def test_a_saved_result_is_joined_and_a_path_is_never_opened(tmp_path: Path) -> None:
    said = "one\n\n...9 lines truncated...\n\nFull output saved to: {}\nUse Grep to search it"
    (tmp_path / "tool-output").mkdir()
    (tmp_path / "tool-output" / "tool_1").write_text("one two three", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    for path, whole in (("/other/tool-output/tool_1", "one two three"), ("secret.txt", None), ("../secret.txt", None)):
        messages = [answer(START, tool("c1", said.format(path)))]
        (tmp_path / "ses_1.json").write_bytes(export(messages))
        (transcript,) = read_transcripts([tmp_path / "ses_1.json"], Intake())
        result = transcript.messages[1].result
        assert result is not None
        assert (result.whole, result.clipped) == (whole, "OpenCode: first lines, and file")


def test_sessions_without_messages_are_skipped_with_a_sentence(tmp_path: Path) -> None:
    assert read("a.json", export([]))[1].skipped == [("a.json", "no session with messages")]
    write_database(tmp_path / "opencode.db", [])
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as base, base:
        base.execute("DELETE FROM session")
    intake = Intake()
    assert list(read_transcripts([tmp_path], intake)) == []
    assert intake.skipped == [("opencode.db", "no session with messages")]


def test_broken_records_are_named_and_passed_over(tmp_path: Path) -> None:
    write_folder(tmp_path / "storage", MESSAGES)
    (tmp_path / "storage" / "message" / "ses_1" / "msg_ses_1_000.json").write_bytes(b'{"role": "us')
    intake = Intake()
    found = {t.id: t for t in read_transcripts([tmp_path], intake)}
    assert [p.place for p in intake.problems] == ["storage: message/ses_1/msg_ses_1_000.json"]
    assert len(found["storage#ses_1"].requests()) == 4
    value = json.loads(dump(MESSAGES))
    value["messages"][0]["data"] = "{"
    value["parts"][3]["data"] = "[]"
    (transcript,), _ = read("dump.json", json.dumps(value).encode())
    assert [p.place for p in transcript.problems] == ["dump.json: parts[3]", "dump.json: messages[0]"]


def test_what_is_no_database_is_named(tmp_path: Path) -> None:
    write_database(tmp_path / "opencode.db", MESSAGES)
    data = (tmp_path / "opencode.db").read_bytes()
    (tmp_path / "opencode.db").write_bytes(data[:5000])
    intake = Intake()
    assert list(read_transcripts([tmp_path], intake)) == []
    assert [p.reason.partition(":")[0] for p in intake.problems] == ["not a SQLite database that can be read"]


@pytest.mark.parametrize("sample", SAMPLES)
def test_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("opencode", sample, SAMPLES[sample], 200)


def broken_databases(folder: Path, count: int, seed: int) -> None:
    write_database(folder / "opencode.db", MESSAGES)
    data = (folder / "opencode.db").read_bytes()
    dice = random.Random(seed)
    for _ in range(count):
        check_one("opencode", "opencode.db", broken_bytes(data, dice))


def test_broken_databases_are_read_or_refused_by_name(tmp_path: Path) -> None:
    broken_databases(tmp_path, 100, 1)


@pytest.mark.slow
def test_many_mutants_are_read_or_refused_by_name(tmp_path: Path) -> None:
    for sample, data in SAMPLES.items():
        survive("opencode", sample, data, 2000, seed=2)
    broken_databases(tmp_path, 2000, 2)
