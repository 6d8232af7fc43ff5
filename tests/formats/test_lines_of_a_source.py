"""Lines that a crash, a full disk or two writers left behind."""

from __future__ import annotations

import json

import pytest

from harness.testing.formats import read, source_of
from tests.formats.claude_session import Session, text, use


def session() -> list[bytes]:
    s = Session("s1")
    s.user("Go.")
    s.answer("msg_a", use("t1"))
    s.result("t1", "a.txt")
    s.answer("msg_b", text("One."))
    return s.data().splitlines()


def test_nuls_before_or_behind_a_record_do_not_cost_it() -> None:
    lines = session()
    lines[1] = b"\0" * 4096 + lines[1]
    lines[2] = lines[2] + b"\0" * 3
    (transcript,), intake = read("s1.jsonl", b"\n".join([*lines, b"\0" * 100]))
    assert len(transcript.messages) == 4
    assert [(p.place, p.lost) for p in intake.problems] == [
        ("s1.jsonl: line 2", 0),
        ("s1.jsonl: line 3", 0),
        ("s1.jsonl: line 5", 1),
    ]
    assert {p.reason for p in intake.problems} == {"NUL bytes around the record"}


def test_records_without_a_line_end_between_them_are_all_read() -> None:
    lines = session()
    (transcript,), intake = read("s1.jsonl", lines[0] + lines[1] + b" " + lines[2] + b"\n" + lines[3])
    assert len(transcript.messages) == 4
    assert [(p.reason, p.lost) for p in intake.problems] == [("3 records without a line end between them", 0)]


@pytest.mark.parametrize("line", [b'{"a": 1}{"b": ', b'{"a": 1}}', b'{"a": 1} x {"b": 2}', b"{}" * 3 + b"{"])
def test_what_is_not_whole_is_one_broken_line(line: bytes) -> None:
    source = source_of("x.jsonl", json.dumps({"x": 1}).encode() + b"\n" + line + b"\n")
    assert [value for _, value in source.lines()] == [{"x": 1}]
    assert [p.lost for p in source.problems] == [1]
