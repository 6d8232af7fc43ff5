"""The journal: torn tails, a second writer, newer schemas."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from harness.errors import HarnessError
from harness.runs.journal import NAME, Journal, packed, parse_line, read_journal


def written(directory: Path, records: int = 3) -> bytes:
    with Journal.create(directory, {"command": "test"}) as journal:
        for n in range(records):
            journal.append({"kind": "work", "n": n, "text": "é\u2028x"})
    return (directory / NAME).read_bytes()


def test_records_come_back_in_order_with_the_header_first(tmp_path: Path) -> None:
    written(tmp_path / "run")
    records = [r for _, r in read_journal(tmp_path / "run")]
    assert records[0]["kind"] == "run"
    assert [r["n"] for r in records[1:]] == [0, 1, 2]
    assert records[1]["text"] == "é\u2028x"


def test_offsets_lead_to_the_records(tmp_path: Path) -> None:
    data = written(tmp_path / "run")
    for offset, record in read_journal(tmp_path / "run"):
        assert parse_line(data[offset:].split(b"\n", 1)[0], tmp_path) == record


def test_cut_at_any_byte_the_whole_records_before_it_are_kept(tmp_path: Path) -> None:
    data = written(tmp_path / "run")
    path = tmp_path / "run" / NAME
    for cut in range(data.index(b"\n") + 1, len(data)):
        path.write_bytes(data[:cut])
        whole = data[:cut].count(b"\n")
        assert len(list(read_journal(tmp_path / "run"))) == whole
        with Journal.reopen(tmp_path / "run") as journal:
            journal.append({"kind": "more"})
        records = [r["kind"] for _, r in read_journal(tmp_path / "run")]
        assert records == ["run"] + ["work"] * (whole - 1) + ["more"]


def test_a_second_writer_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with (
        Journal.create(tmp_path / "run", {}),
        pytest.raises(HarnessError, match="another process is writing this run"),
    ):
        Journal.reopen(tmp_path / "run")


def test_what_a_newer_schema_wrote_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b'{"kind":"run","schema":999}\n')
    with pytest.raises(HarnessError, match="use a newer harness"):
        list(read_journal(tmp_path))


def test_a_folder_without_a_journal_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="not a run that can be resumed"):
        Journal.reopen(tmp_path)


@pytest.mark.parametrize("text", [b"", b"garbage\n", b"[1]\n", b'{"event": "of another program"}\nline two\n'])
def test_a_file_that_is_no_journal_is_refused_and_left_as_it_is(tmp_path: Path, text: bytes) -> None:
    (tmp_path / NAME).write_bytes(text)
    with pytest.raises(HarnessError, match=r"journal\.jsonl: "):
        Journal.reopen(tmp_path)
    assert (tmp_path / NAME).read_bytes() == text


def test_what_is_packed_is_read_as_one_record(tmp_path: Path) -> None:
    body = {"rows": [["lib/ünï.py", n % 7, None] for n in range(5000)]}
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.append_line(packed({"kind": "transcript", "transcript": "a"}, orjson.dumps(body)))
    assert [record for _, record in read_journal(tmp_path / "run")][1] == {
        "kind": "transcript",
        "transcript": "a",
    } | body
    assert (tmp_path / "run" / "journal.jsonl").stat().st_size < len(orjson.dumps(body)) / 20


def test_one_changed_letter_in_what_is_packed_is_refused_by_name_or_changes_nothing(tmp_path: Path) -> None:
    whole = {"kind": "transcript", "rows": list(range(300))}
    line = packed({"kind": "transcript"}, orjson.dumps({"rows": whole["rows"]}))
    start, refused = line.index(b'"packed":"') + len(b'"packed":"'), []
    for at in range(start, len(line) - 2):
        changed = line[:at] + (b"A" if line[at : at + 1] != b"A" else b"B") + line[at + 1 :]
        try:
            assert parse_line(changed, tmp_path / "journal.jsonl") == whole
        except HarnessError as error:
            refused.append(str(error))
    assert len(refused) > 0.95 * (len(line) - 2 - start)
    assert all("journal.jsonl: a record in it is damaged" in said for said in refused)
