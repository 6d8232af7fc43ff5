"""Archives: asked by their own kind, nothing passed over, and no small file that fills the memory."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from harness.formats import limits
from harness.formats.archives import archive_kind, members
from harness.formats.corpus import Intake, find_sources, read_transcripts
from harness.formats.source import Source

TALK = json.dumps(
    {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "a word of my own"}]}
).encode()


def zipped(files: list[tuple[str, bytes]], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packing) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return held.getvalue()


def tarred(files: list[tuple[str, bytes]]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return held.getvalue()


def put(folder: Path, name: str, data: bytes) -> Source:
    (folder / name).write_bytes(data)
    return Source(name, folder / name)


def names(source: Source) -> list[str]:
    return [member.name.removeprefix(source.name) for member in members(source)]


def test_a_tar_with_a_zip_in_it_is_a_tar(tmp_path: Path) -> None:
    inner = zipped([("inner.json", TALK)], zipfile.ZIP_STORED)
    source = put(tmp_path, "a.tar", tarred([("first.json", TALK), ("last.zip", inner)]))
    assert archive_kind(source) == "tar"
    assert names(source) == ["!first.json", "!last.zip!inner.json"]


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_of_one_name_are_two(tmp_path: Path, pack: object) -> None:
    source = put(tmp_path, "a", pack([("x.json", b'{"n": 1}'), ("x.json", b'{"n": 2}')]))  # type: ignore[operator]
    assert {m.name: m.document()["n"] for m in members(source)} == {"a!x.json": 1, "a!x.json~2": 2}


def test_archives_in_archives_are_entered_to_a_depth(tmp_path: Path) -> None:
    data, name = TALK, "talk.json"
    for level in range(5):
        data, name = zipped([(name, data)]), f"level{level}.zip"
    intake = Intake()
    put(tmp_path, "deep.zip", data)
    assert not list(read_transcripts([tmp_path], intake))
    assert [why for _, why in intake.skipped] == ["an archive in 3 others: unpack it to read it"]
    put(tmp_path, "deep.zip", zipped([("b.tar.gz", gzip.compress(tarred([("talk.json", TALK)])))]))
    assert [t.id for t in read_transcripts([tmp_path], Intake())] == ["deep.zip!b.tar.gz!talk.json"]


def test_packed_files_in_an_archive_are_unpacked(tmp_path: Path) -> None:
    put(tmp_path, "z.zip", zipped([("talk.jsonl.gz", gzip.compress(TALK + b"\n"))]))
    assert len(list(read_transcripts([tmp_path], Intake()))) == 1


def test_what_is_no_file_in_a_tar_says_so(tmp_path: Path) -> None:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        for name, kind in (("link", tarfile.SYMTYPE), ("pipe", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    put(tmp_path, "a.tar", held.getvalue())
    intake = Intake()
    assert not list(read_transcripts([tmp_path], intake))
    assert dict(intake.skipped) == {
        "a.tar!link": "a link in an archive: nothing to read",
        "a.tar!pipe": "a pipe or device in an archive: nothing to read",
    }


def test_a_torn_tar_gives_what_it_has_and_says_that_it_is_torn(tmp_path: Path) -> None:
    whole = tarred([("a.json", TALK), ("b.json", TALK * 40)])
    put(tmp_path, "a.tar", whole[: len(whole) - 11_000])
    intake = Intake()
    list(read_transcripts([tmp_path], intake))
    assert any("a.tar" in problem.place for problem in intake.problems)


def test_more_members_than_an_archive_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.formats.archives.MEMBERS", 3)
    from harness.formats.archives import Room

    source = put(tmp_path, "a.zip", zipped([(f"{n}.json", TALK) for n in range(9)]))
    assert len(list(members(source, Room(3)))) == 3
    assert source.problems[0].reason == "more than 3 files in it: unpack it and name the folder"


BOMB = b"0" * (40 << 20)
PACKED = {
    "bomb.jsonl.gz": gzip.compress(BOMB),
    "bomb.json.gz": gzip.compress(b"[" + BOMB),
    "bomb.zip": zipped([("x.jsonl", BOMB)]),
    "bomb.eval": zipped([("header.json", TALK), ("samples/1.json", BOMB)]),
    "bomb.tar.xz": lzma.compress(tarred([("x.json", BOMB)])),
    "bomb.tar.bz2": bz2.compress(tarred([("x.json", BOMB)])),
    "nested.zip": zipped([("inner.zip", zipped([("x.json", b"[" + BOMB)]))]),
    "packed.zip": zipped([("x.json.gz", gzip.compress(b"[" + BOMB))]),
}


@pytest.mark.parametrize("name", PACKED)
def test_a_bomb_is_refused_by_name_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Forty megabytes out of forty kilobytes, under limits a hundred times smaller than usual."""
    monkeypatch.setattr(limits, "FREE", limits.FREE // 100)
    monkeypatch.setattr(limits, "RATIO", 3)
    put(tmp_path, name, PACKED[name])
    put(tmp_path, "talk.json", TALK)
    intake = Intake()
    tracemalloc.start()
    found = list(read_transcripts([tmp_path], intake))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [t.id for t in found] == ["talk.json"]
    assert any(name in problem.place and "unpacks to more than" in problem.reason for problem in intake.problems)
    assert peak < len(BOMB) / 2


def test_one_endless_line_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LINE", 5000)
    put(tmp_path, "a.jsonl", TALK + b"\n" + b"x" * 9000 + b"\n" + TALK.replace(b"own", b"mind") + b"\n")
    intake = Intake()
    assert len(list(read_transcripts([tmp_path], intake))) == 2
    assert [p.place for p in intake.problems] == ["a.jsonl: line 2"]


def test_damaged_archives_of_every_kind_end_nothing(tmp_path: Path) -> None:
    """Each tenth byte of each kind turned over: named, or read."""
    small = {
        "a.zip": zipped([("x.json", TALK), ("y.zip", zipped([("z.json", TALK)]))]),
        "a.tar.gz": gzip.compress(tarred([("x.json", TALK)])),
        "a.eval": zipped([("header.json", TALK), ("samples/1.json", TALK)]),
    }
    for name, data in small.items():
        for at in range(0, len(data), 10):
            broken = bytearray(data)
            broken[at] ^= 0xFF
            put(tmp_path, name, bytes(broken))
            intake = Intake()
            found = list(read_transcripts([tmp_path], intake))
            assert found or intake.problems or intake.skipped
            assert not any(problem.traceback for problem in intake.problems), (name, at, intake.problems)
        (tmp_path / name).unlink()


def test_names_of_any_bytes_in_an_archive(tmp_path: Path) -> None:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", errors="surrogateescape") as tar:
        info = tarfile.TarInfo("caf\udce9.json")
        info.size = len(TALK)
        tar.addfile(info, io.BytesIO(TALK))
    put(tmp_path, "a.tar", held.getvalue())
    (source,) = find_sources([tmp_path], Intake())
    assert source.name == "a.tar!caf\\xe9.json"
    assert source.document()
