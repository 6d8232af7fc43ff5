from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.formats.source import Source
from harness.transcript import Transcript
from tests.formats.mutants import source_of

CHAT = json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "\u2028 ok"}]).encode()


def read(folder: Path) -> tuple[list[Transcript], Intake]:
    intake = Intake()
    return list(read_transcripts([folder], intake)), intake


def zipped(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.json", b"", "empty"),
        ("a.json", b" \n\n", "empty"),
        ("a.json", b'{"a": 1}', "object"),
        ("a.json", b'\xef\xbb\xbf{"a": 1}', "object"),
        ("a.jsonl", b'{"a": 1}', "jsonl"),
        ("a.json", b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        ("a.json", b'{"a":\n1}', "object"),
        ("a.json", b"[1, 2]", "array"),
        ("a.md", b"# Title", "text"),
        ("a.bin", b"\x00\x01", "binary"),
        ("a.zip", zipped({"x": b"1"}), "zip"),
        ("a.db", b"SQLite format 3\x00" + bytes(100), "sqlite"),
    ],
)
def test_what_the_bytes_are(name: str, data: bytes, kind: str) -> None:
    assert source_of(name, data).head().kind == kind


def test_a_line_ends_at_a_newline_and_nothing_else() -> None:
    data = b'{"a": "\xe2\x80\xa8\\u2028"}\r\n\n{"a": 2}\n{"a": '
    source = source_of("a.jsonl", data)
    assert [(n, v["a"]) for n, v in source.lines()] == [(1, "\u2028\u2028"), (3, 2)]
    assert [p.place for p in source.problems] == ["a.jsonl: line 4"]
    assert source.problems[0].reason.endswith("(the file ends in the middle of this record)")


def test_archives_are_entered_and_gzipped_files_read(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"in/chat.json": CHAT, "note.txt": b"x"}))
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as tar:
        member = tarfile.TarInfo("chat.json")
        member.size = len(CHAT)
        tar.addfile(member, io.BytesIO(CHAT))
    (tmp_path / "c.json.gz").write_bytes(gzip.compress(CHAT))
    runs, intake = read(tmp_path)
    assert [r.id for r in runs] == ["a.zip!in/chat.json", "b.tar.gz!chat.json", "c.json.gz"]
    assert intake.skipped == [("a.zip!note.txt", "text, of no known format")]
    assert intake.problems == []


def test_broken_archives_are_named_and_passed_over(tmp_path: Path) -> None:
    whole = zipped({"chat.json": CHAT * 40, "other.json": CHAT}, zipfile.ZIP_STORED)
    (tmp_path / "cut.zip").write_bytes(whole[:200])
    (tmp_path / "directory.zip").write_bytes(whole.replace(b"PK\x01\x02", b"PK\x01\x09"))
    (tmp_path / "member.zip").write_bytes(whole.replace(b'"hi"', b'"ho"', 1))
    (tmp_path / "packing.zip").write_bytes(zipped({"chat.json": CHAT}).replace(b"\x08\x00", b"\x5d\x00"))
    (tmp_path / "whole.json").write_bytes(CHAT)
    (tmp_path / "z.json.gz").write_bytes(gzip.compress(CHAT)[:-9])
    runs, intake = read(tmp_path)
    assert [r.id for r in runs] == ["member.zip!other.json", "whole.json"]
    assert sorted(p.place for p in intake.problems) == [
        "cut.zip", "directory.zip", "member.zip!chat.json", "packing.zip!chat.json", "z.json.gz",
    ]  # fmt: skip


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_bytes(CHAT)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.json").symlink_to(tmp_path / "outside.json")
    (folder / ".hidden.json").write_bytes(CHAT)
    assert read(folder)[0] == []


def test_a_path_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="no such file or directory; name a recording"):
        read(tmp_path / "gone")


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_bytes(CHAT)
    runs = list(read_transcripts([tmp_path, tmp_path / "chat.json"], Intake()))
    assert [r.id for r in runs] == ["chat.json"]


def test_the_head_of_a_long_file_is_its_first_records() -> None:
    line = json.dumps({"messages": [{"role": "user", "content": "x" * 5000}]}).encode() + b"\n"
    head = source_of("long.jsonl", line * 400).head()
    assert (head.kind, len(head.records)) == ("jsonl", 20)
    huge = json.dumps({"messages": [{"role": "user", "content": "x" * 3_000_000}]}).encode() + b"\n"
    assert len(source_of("huge.jsonl", huge * 2).head().records) == 2


def test_a_source_keeps_its_document_until_it_is_released() -> None:
    source: Source = source_of("a.json", b'{"a": 1}')
    assert source.document() is source.document()
    source.release()
    assert source.document() == {"a": 1}
