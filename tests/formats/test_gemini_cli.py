"""Gemini CLI sessions, as one object and as lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import Transcript, Usage

HEADER = {"sessionId": "abcdef0123", "projectHash": "p1", "startTime": "2026-01-01T00:00:00Z", "kind": "main"}
TOKENS = {"input": 500, "output": 20, "cached": 128, "thoughts": 30, "tool": 0, "total": 550}


def user(name: str, content: Any) -> dict[str, Any]:
    return {"id": name, "timestamp": "2026-01-01T00:00:01Z", "type": "user", "content": content}


def gemini(name: str, content: Any = "", *calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    message = {
        "id": name,
        "timestamp": "2026-01-01T00:00:02Z",
        "type": "gemini",
        "content": content,
        "model": "gemini-3",
    }
    return {**message, **({"toolCalls": list(calls)} if calls else {}), **more}


def call(name: str, result: Any, status: str = "success", tool: str = "read_file") -> dict[str, Any]:
    return {
        "id": name,
        "name": tool,
        "args": {"path": "Ω"},
        "status": status,
        "result": result,
        "resultDisplay": "copy",
    }


def response(name: str, **value: Any) -> dict[str, Any]:
    return {"functionResponse": {"id": name, "name": "read_file", "response": value}}


MESSAGES = [
    user("m1", [{"text": "Look"}, {"text": " here."}, {"inlineData": {"mimeType": "image/png", "data": "aa"}}]),
    gemini(
        "m2",
        "I look.",
        call("c1", [response("c1", output="one")]),
        call("c2", [response("c2", error="no such file")], "error"),
        call("c3", None, "cancelled"),
        call("c4", [response("c4", rows=[1, 2]), {"text": "and so on"}, {"inlineData": {}}]),
        call("c5", [response("c5", rows=[1, 2])]),
        tokens=TOKENS,
        thoughts=[{"subject": "Looking", "description": "I will look."}],
    ),
    {"id": "m3", "timestamp": "2026-01-01T00:00:03Z", "type": "info", "content": "Update available"},
    gemini("m4", [{"text": "hm", "thought": True}, {"text": "Done."}]),
]
OBJECT = json.dumps({**HEADER, "messages": MESSAGES}).encode()


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


LINES = lines(
    HEADER,
    MESSAGES[0],
    {"$set": {"lastUpdated": "2026-01-01T00:00:03Z"}},
    {**MESSAGES[1], "toolCalls": [], "tokens": None},
    *MESSAGES[1:],
    user("m5", "Left."),
    gemini("m6", "A wall."),
    {"$rewindTo": "m5"},
    user("m7", "Right."),
    gemini("m8", "A meadow.", call("c9", [response("c9", output="x" * 90)])),
    {"$set": {"messages": [user("s1", "Summary."), user("m7", "Right.")]}},
    gemini("m9", "Well."),
)
SAMPLES = {"session-a.json": OBJECT, "session-a.jsonl": LINES}


def only(data: bytes, name: str = "session-a.jsonl") -> Transcript:
    transcripts, intake = read(name, data)
    assert [t.format for t in transcripts] == ["gemini-cli"]
    assert intake.problems == []
    assert transcripts[0].problems == ()
    return transcripts[0]


def shown(transcript: Transcript) -> list[list[str]]:
    said = [m.result.content if m.result else m.text for m in transcript.messages]
    return [[said[i] for i in indices] for _, indices in transcript.prompts()]


def test_a_session_in_one_object() -> None:
    transcript = only(OBJECT, "session-a.json")
    assert [m.role for m in transcript.messages] == ["user", "assistant", *["tool"] * 4, "assistant"]
    assert (transcript.messages[0].text, transcript.messages[0].images) == ("Look here.", 1)
    answer = transcript.messages[1]
    assert (answer.text, answer.reasoning, answer.model) == ("I look.", "Looking\nI will look.", "gemini-3")
    assert answer.usage == Usage(500, 128, None, 50)
    assert [(c.name, c.arguments, c.call_id) for c in answer.calls[:2]] == [
        ("read_file", '{"path":"Ω"}', "c1"),
        ("read_file", '{"path":"Ω"}', "c2"),
    ]
    results = [m.result for m in transcript.messages if m.result]
    assert [(r.content, r.is_json, r.is_error, r.call) for r in results] == [
        ("one", False, False, (1, 0)),
        ("no such file", False, True, (1, 1)),
        ('{"rows":[1,2]}\nand so on', False, False, (1, 3)),
        ('{"rows":[1,2]}', True, False, (1, 4)),
    ]
    assert [m.images for m in transcript.messages if m.result] == [0, 0, 1, 0]
    assert transcript.messages[-1].text == "Done."
    assert (transcript.cluster, transcript.notes) == ("p1", ("1 notices of the client left out",))
    assert "thinking beyond its summaries" in transcript.unknown
    assert not transcript.resends_reasoning


def test_a_message_that_is_written_anew_counts_once() -> None:
    transcript = only(lines(HEADER, user("m1", "Go."), gemini("m2", "I"), gemini("m2", "I go.", tokens=TOKENS)))
    assert [m.text for m in transcript.messages] == ["Go.", "I go."]
    assert transcript.messages[1].usage == Usage(500, 128, None, 50)


def test_what_was_taken_back_is_in_no_later_prompt() -> None:
    transcript = only(LINES)
    assert [c.kind for c in transcript.cuts] == ["rewound", "compacted"]
    prompts = shown(transcript)
    assert prompts[-2][-2:] == ["Done.", "Right."]
    assert "Left." not in prompts[-2]


def test_a_rewind_to_an_unknown_message_takes_all_back() -> None:
    transcript = only(lines(HEADER, user("m1", "Go."), gemini("m2", "I go."), {"$rewindTo": "m9"}, gemini("m3", "On.")))
    assert shown(transcript) == [["Go."], []]


def test_a_history_that_the_client_rewrote_stands_in_the_prompts_after_it() -> None:
    transcript = only(LINES)
    assert shown(transcript)[-1] == ["Summary.", "Right."]
    assert [m.copied for m in transcript.messages][-3:] == [True, True, False]


def test_a_masked_result_replaces_the_first_from_there_on() -> None:
    call_1 = call("c1", [response("c1", output="long " * 50)])
    masked = call("c1", [response("c1", output="<tool_output_masked>")])
    parts = [{"text": "I look."}, {"functionCall": {"id": "c1", "name": "read_file", "args": {}}}]
    data = lines(
        HEADER,
        user("m1", "Go."),
        gemini("m2", "I look.", call_1),
        gemini("m3", "Well."),
        {"$set": {"messages": [user("m1", [{"text": "Go."}]), gemini("m2", parts, masked), gemini("m3", "Well.")]}},
        user("m4", "On."),
        gemini("m5", "Good."),
    )
    transcript = only(data)
    assert [(c.kind, c.keep) for c in transcript.cuts] == [("cleared", (0,))]
    assert shown(transcript)[-1] == ["Go.", "I look.", "<tool_output_masked>", "Well.", "On."]
    assert len(transcript.requests()) == 3


def test_a_history_that_says_the_same_in_other_words_is_no_change() -> None:
    data = lines(
        HEADER, user("m1", "Go."), {"$set": {"messages": [user("m1", [{"text": "Go."}])]}}, gemini("m2", "I go.")
    )
    assert only(data).cuts == ()


def test_responses_in_a_users_turn_answer_calls_that_have_none() -> None:
    asked = [
        {"functionCall": {"id": "c1", "name": "read_file", "args": {}}},
        {"functionCall": {"id": "c2", "name": "x"}},
    ]
    data = lines(HEADER, gemini("m1", asked), user("m2", [response("c1", output="one")]), gemini("m3", "Well."))
    transcript = only(data)
    assert [m.role for m in transcript.messages] == ["assistant", "tool", "assistant"]
    assert transcript.messages[1].result is not None
    assert transcript.messages[1].result.call == (0, 0)


def test_a_sub_agent_names_its_session(tmp_path: Path) -> None:
    chats = tmp_path / "chats"
    (chats / "abcdef0123").mkdir(parents=True)
    (chats / "session-2026-01-01T00-00-abcdef01.jsonl").write_bytes(LINES)
    agent = lines({**HEADER, "sessionId": "s2", "kind": "subagent"}, user("m1", "Go."))
    (chats / "abcdef0123" / "s2.jsonl").write_bytes(agent)
    found = {t.id: t.parent for t in read_transcripts([tmp_path], Intake())}
    main = "chats/session-2026-01-01T00-00-abcdef01.jsonl"
    assert found == {main: None, "chats/abcdef0123/s2.jsonl": main}


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    transcripts, intake = read("session-a.jsonl", lines(HEADER))
    assert (transcripts, intake.skipped) == ([], [("session-a.jsonl", "a session without messages")])


def test_broken_records_are_named_and_passed_over() -> None:
    data = LINES.splitlines(keepends=True)
    strange = lines({"id": "m0", "type": "narrator"}, {"id": "m0", "type": "user", "content": [5]}, {"x": 1})
    transcripts, intake = read(
        "session-a.jsonl", b"".join([data[0], b"{\x00\n", b"7\n", strange, *data[1:-1], data[-1][:9]])
    )
    places = [f"session-a.jsonl: line {n}" for n in (2, 3, len(data) + 5)]
    assert [p.place for p in intake.problems] == places
    assert [(p.place.partition(": ")[2], p.reason) for p in transcripts[0].problems] == [
        ("line 4", "unknown type of message 'narrator'"),
        ("line 6", "neither a message nor a change to the session"),
        ("line 5.content[0]", "a number where an object belongs"),
    ]
    assert len(transcripts[0].requests()) == 4


@pytest.mark.parametrize("sample", SAMPLES)
def test_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("gemini-cli", sample, SAMPLES[sample], 200)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_many_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("gemini-cli", sample, SAMPLES[sample], 2000, seed=2)
