"""Reading a corpus: what is read, what is skipped, and what is in quarantine."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.formats import corpus
from harness.formats.corpus import Intake, all_formats, format_named, read_transcripts
from harness.formats.source import Head, Source
from harness.transcript import Message, Transcript

CHAT = json.dumps(
    {"messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]}
).encode()


def read(*paths: Path, forced: str | None = None) -> tuple[list[Transcript], Intake]:
    intake = Intake()
    return list(read_transcripts(list(paths), intake, forced)), intake


def write(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)


def test_one_broken_file_does_not_end_the_reading(tmp_path: Path) -> None:
    write(
        tmp_path,
        a__json=CHAT,
        b__json=CHAT[:30],
        c__json=CHAT,
        d__md=b"# text",
        e__json=b'{"x": 1, "y": 2}',
        f__json=b"",
    )
    transcripts, intake = read(tmp_path)
    assert [t.id for t in transcripts] == ["a.json", "c.json"]
    assert [p.place for p in intake.problems] == ["b.json"]
    assert intake.skipped == [
        ("d.md", "text, of no known format"),
        ("e.json", "JSON of no known format (top-level keys: x, y)"),
        ("f.json", "empty file"),
    ]


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    write(tmp_path, a__json=CHAT)
    assert [t.format for t in read(tmp_path)[0]] == ["openai-chat"]
    transcripts, intake = read(tmp_path, forced="claude-code")
    assert transcripts == []
    assert intake.skipped == [("a.json", "a session without messages (only its title or settings)")]


def test_an_unknown_format_lists_what_exists(tmp_path: Path) -> None:
    write(tmp_path, a__json=CHAT)
    with pytest.raises(HarnessError, match=r"did you mean 'codex'.*claude-code"):
        read(tmp_path, forced="codx")


def test_archives_are_entered_and_their_faults_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as packed:
        packed.writestr("in/a.json", CHAT)
        packed.writestr("in/b.json", CHAT[:20])
    write(tmp_path, broken__zip=(tmp_path / "z.zip").read_bytes()[:-30], g__json__gz=gzip.compress(CHAT))
    write(tmp_path, torn__json__gz=gzip.compress(CHAT)[:-12], wrong__json__gz=b"no gzip")
    transcripts, intake = read(tmp_path)
    assert [t.id for t in transcripts] == ["g.json.gz", "z.zip!in/a.json"]
    assert [p.place for p in intake.problems] == ["broken.zip", "torn.json.gz", "wrong.json.gz", "z.zip!in/b.json"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_what_may_not_be_read_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path, a__json=CHAT, b__json=CHAT)
    (tmp_path / "closed").mkdir(mode=0)
    (tmp_path / "a.json").chmod(0)
    transcripts, intake = read(tmp_path)
    assert [t.id for t in transcripts] == ["b.json"]
    assert [p.place for p in intake.problems] == ["a.json", "closed"]


def test_the_problems_of_a_file_are_told_once(tmp_path: Path) -> None:
    line = {"type": "session_meta", "payload": {"id": "x"}, "timestamp": "2026-01-01T00:00:00Z"}
    data = json.dumps(line).encode() + b"\n{broken\n"
    write(tmp_path, a__jsonl=data)
    for _ in range(2):
        transcripts, intake = read(tmp_path)
        assert transcripts == []
        assert [p.place for p in intake.problems] == ["a.jsonl: line 2"]
        assert intake.skipped == [("a.jsonl", "a session without messages")]


def test_every_format_has_a_name_and_a_source() -> None:
    for found in all_formats():
        assert format_named(found.name) is found
        module = __import__(type(found).__module__, fromlist=["x"])
        assert len(module.__doc__ or "") > 60


class Twice:
    """A format that gives every transcript the same id."""

    name = "twice"

    def sniff(self, head: Head) -> bool:
        return head.name.endswith(".twice")

    def read(self, source: Source) -> Iterator[Transcript]:
        for text in ("a", "b"):
            yield Transcript(id="same", format=self.name, messages=(Message("user", text),))


def test_ids_that_a_format_gives_twice_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "all_formats", lambda: [Twice()])
    for name in ("one.twice", "two.twice"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    found = [t.id for t in read_transcripts([tmp_path], Intake())]
    assert found == ["one.twice#same", "one.twice#same.2", "two.twice#same", "two.twice#same.2"]


def test_a_file_named_like_a_transcript_of_another_file_is_told_apart(tmp_path: Path) -> None:
    chat = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
    (tmp_path / "runs.json").write_text(json.dumps([{"id": "x", **chat}, {"id": "x", **chat}]), encoding="utf-8")
    other = {"messages": [{"role": "user", "content": "c"}, {"role": "assistant", "content": "d"}]}
    (tmp_path / "runs.json#x").write_text(json.dumps(other), encoding="utf-8")
    for paths in ([tmp_path], [tmp_path / "runs.json#x", tmp_path / "runs.json"]):
        found = [t.id for t in read_transcripts(paths, Intake())]
        assert len(found) == len(set(found)) == 3


def test_a_file_named_like_a_member_of_an_archive_is_told_apart(tmp_path: Path) -> None:
    chat = json.dumps({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]})
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("a.json", chat)
    (tmp_path / "z.zip!a.json").write_text(chat.replace("b", "c"), encoding="utf-8")
    found = [t.id for t in read_transcripts([tmp_path], Intake())]
    assert sorted(found) == ["_/z.zip!a.json", "z.zip!a.json"]
