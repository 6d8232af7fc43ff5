"""How much of a source reached its transcripts."""

from __future__ import annotations

import json

import pytest

from harness.formats.reading import Reached, Reading, lines_of
from harness.formats.skeleton import skeleton, vocabulary
from harness.testing.formats import read, source_of

LONG = "the harbour has seven cranes"


def reading(name: str, data: bytes) -> Reading:
    transcripts, _ = read(name, data)
    reached = Reached()
    for transcript in transcripts:
        reached.add(transcript)
    return reached.accounts(source_of(name, data), frozenset({"summary"}))


def line(kind: str, **fields: object) -> bytes:
    common = {"type": kind, "sessionId": "s1", "timestamp": "2026-05-01T10:00:00Z"}
    return json.dumps(common | fields).encode() + b"\n"


CHAT = {"messages": [{"role": "user", "content": LONG}, {"role": "assistant", "content": "hi there"}]}
SAID = line("user", message={"role": "user", "content": LONG})


def test_all_of_a_chat_is_read_and_half_of_one_with_a_field_that_nobody_knows() -> None:
    assert reading("a.json", json.dumps(CHAT).encode()).share == 1
    other = LONG.replace("cranes", "gulls!")
    assert reading("a.json", json.dumps(CHAT | {"scratchpad": other}).encode()).share == pytest.approx(0.5)
    assert reading("a.json", json.dumps(CHAT | {"again": LONG}).encode()).share == 1, "a text counts once"


def test_json_in_a_string_is_taken_apart_and_what_has_no_words_is_left_out() -> None:
    assert list(lines_of({"a": json.dumps({"b": f"{LONG}\n{'x' * 90}"}), "c": "short one"})) == [LONG]


def test_every_record_has_one_end_and_the_sums_close() -> None:
    data = (
        SAID
        + line("summary", summary=f"{LONG} and more")
        + b'{"type": "us\n'
        + line("mode")
        + line("dream", text=LONG[::-1])
    )
    found = reading("s.jsonl", data)
    assert dict(found.records) == {
        "transcript": 1, "known noise": 1, "quarantine": 1, "no text": 1, "not read": 1
    }  # fmt: skip
    assert (found.lost, dict(found.unread)) == (0, {"dream": 1})


def test_what_is_no_json_is_not_identified() -> None:
    assert reading("x.bin", b"\x00\x01").share is None


def test_a_skeleton_shows_what_readers_know_and_no_text() -> None:
    secret = {"messages": [{"role": "user", "content": LONG, "password_of_anna": "hunter2 hunter2"}], "Anna-77": 1.5}
    found = skeleton(source_of("a.json", json.dumps(secret).encode()))
    (record,) = found["records"]
    assert record["shape"] == {
        "messages": ["1 elements", {"role": "user", "content": f"text of {len(LONG)}", "?a_a_a": "text of 15"}],
        "?a-9": "number",
    }
    assert not any(word in json.dumps(found) for word in ("harbour", "hunter2", "nna"))


def test_records_that_look_alike_are_shown_once() -> None:
    found = skeleton(source_of("s.jsonl", SAID + SAID.replace(b"seven", b"nine") + line("summary", summary=LONG)))
    assert [r["number"] for r in found["records"]] == [2, 1]


def test_the_vocabulary_is_what_readers_look_for() -> None:
    assert {"role", "tool_calls", "parentUuid"} <= vocabulary()
    assert "password_of_anna" not in vocabulary()
