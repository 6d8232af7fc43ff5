"""Sources: what files, directories and archives look like, and what is wrong with them."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.formats.archives import archive_kind, members
from harness.formats.json_text import DEEPEST, Unreadable, compact, parse
from harness.formats.source import LISTED, Head, HoldsNothing, Source, sources


def source_of(data: bytes, name: str = "a.json") -> Source:
    return Source(name, Path(name), opener=lambda: io.BytesIO(data))


def never(head: Head) -> bool:
    return False


def names_of(*paths: Path) -> list[str]:
    return [source.name for source in sources(list(paths), never)]


LONG = json.dumps({"a": "x" * (1 << 20)}).encode()


@pytest.mark.parametrize(
    ("name", "data", "kind", "records"),
    [
        ("a.json", b"", "empty", 0),
        ("a.json", b" \n\t", "empty", 0),
        ("a.json", b'{"a": 1}', "object", 1),
        ("a.json", b'{"a": 1}\n', "object", 1),
        ("a.jsonl", b'{"a": 1}\n', "jsonl", 1),
        ("a.jsonl.gz", b'{"a": 1}\n', "jsonl", 1),
        ("a.json", b'{\n  "a": 1\n}\n', "object", 1),
        ("a.json", b'[\n{"a": 1}\n]\n', "array", 1),
        ("a.json", b'[{"a": 1}, 2, {"b": 3}]', "array", 2),
        ("a.txt", b'{"a": 1}\n{"b": 2}\n', "jsonl", 2),
        ("a.txt", b'{"a": 1}\n{"b": 2', "jsonl", 1),
        ("a.txt", b'{"a": 1\n{"b": 2}\n', "jsonl", 1),
        ("a.jsonl", b'"cut": 1}\n{"b": 2}\n', "jsonl", 1),
        ("a.txt", b'"cut": 1}\n{"b": 2}\n', "text", 0),
        ("a.jsonl", b"\x00\x00\n{\"b\": 2}\n", "jsonl", 1),
        ("a.jsonl", b'{"a": 1', "jsonl", 0),
        ("a.jsonl", b"[1]\n[2]\n", "jsonl", 0),
        ("a.json", b'\xef\xbb\xbf{"a": 1}', "object", 1),
        ("a.jsonl", b'\xef\xbb\xbf{"a": 1}\n{"b": 1}\n', "jsonl", 2),
        ("a.md", b"# text", "text", 0),
        ("a.bin", b"\x00\x01", "binary", 0),
        ("a.db", b"SQLite format 3\x00and so on", "sqlite", 0),
        ("a.txt", LONG + b"\n" + LONG, "jsonl", 2),
        ("a.jsonl", LONG + b"\n" + LONG, "jsonl", 2),
        ("a.json", b'{"a": "x\xe2\x80\xa8y"}\n{"b": 1}', "jsonl", 2),
        ("a.jsonl", b"".join(b'{"a": %d}\n' % i for i in range(50)), "jsonl", 20),
    ],
)  # fmt: skip
def test_kinds_are_told_by_content(name: str, data: bytes, kind: str, records: int) -> None:
    head = source_of(data, name).head()
    assert (head.kind, len(head.records)) == (kind, records)
    assert head.name == name


@pytest.mark.parametrize("data", [b'{"a": 1', b'{"a": 1}}', b"[1, 2", b'{"a": "\xff"}', b"{nonsense}\nmore"])
def test_what_begins_as_json_and_is_none_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        source_of(data).head()


def test_lines_end_at_line_feeds_only() -> None:
    source = source_of('{"a": "x\u2028y\x85"}\r\n\n{"a": "\x0c"}\n'.encode(), "a.jsonl")
    assert list(source.lines()) == [(1, {"a": "x\u2028y\x85"})]
    assert [p.place for p in source.problems] == ["a.jsonl: line 3"]  # a bare form feed is no JSON


def test_broken_lines_are_named_and_passed_over() -> None:
    source = source_of(b'{"a": 1}\n{"a"\n{"a": "\xff"}\n[1]\n{"a": 2', "a.jsonl")
    assert list(source.lines()) == [(1, {"a": 1}), (4, [1])]
    assert [(p.place, p.reason.split(":")[0]) for p in source.problems] == [
        ("a.jsonl: line 2", "not JSON"),
        ("a.jsonl: line 3", "not UTF-8"),
        ("a.jsonl: line 5", "not JSON"),
    ]
    assert source.problems[-1].reason.endswith("(the file ends in the middle of this record)")


def test_of_very_many_problems_the_first_are_listed_and_all_are_counted() -> None:
    source = source_of(b"{\n" * 5000, "a.jsonl")
    assert list(source.lines()) == []
    assert len(source.problems) == LISTED + 1
    assert sum(p.lost for p in source.problems) == 5000
    assert source.problems[-1].place == "a.jsonl"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a": NaN}', float("nan")),
        (b'{"a": "\\ud800"}', "\ud800"),
        (b'{"a": "\xed\xa0\x80"}', "\ud800"),
        (b'{"a": 1, "a": 2}', 2),
    ],
)
def test_what_the_fast_parser_refuses_is_read_by_the_other(text: bytes, value: Any) -> None:
    found = parse(text)["a"]
    assert found == value or (found != found and value != value)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 1000, 1024, 5000, 200_000])
def test_what_is_nested_too_deeply_is_refused(depth: int) -> None:
    for text in (b"[" * depth + b"]" * depth, b'{"a":' * depth + b"NaN" + b"}" * depth):
        with pytest.raises(Unreadable, match="nested over"):
            parse(text)


def test_what_is_nested_as_deeply_as_allowed_is_read_and_written() -> None:
    text = "[" * DEEPEST + "]" * DEEPEST
    assert compact(parse(text)) == text
    wide = json.dumps([[]] * 5000, separators=(",", ":"))
    assert compact(parse(wide)) == wide
    strange = "[" * 200 + '"\\ud800"' + "]" * 200 + " " * 10
    assert parse(strange)


def test_gzipped_files_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"b": 2}\n'))
    source = Source("a.jsonl.gz", path)
    assert source.head().kind == "jsonl"
    assert [value for _, value in source.lines()] == [{"a": 1}, {"b": 2}]


def test_a_folder_is_walked_in_a_fixed_order_without_hidden_entries(tmp_path: Path) -> None:
    for name in ("b/z.json", "b/a.json", "a.json", ".hidden/x.json", "b/.y.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert names_of(tmp_path) == ["a.json", "b/a.json", "b/z.json"]
    assert names_of(tmp_path / "b" / "z.json", tmp_path / "b") == ["z.json", "a.json"]
    with pytest.raises(HarnessError, match="no such file"):
        names_of(tmp_path / "c")


def test_a_folder_that_a_format_claims_is_one_source(tmp_path: Path) -> None:
    (tmp_path / "one" / "parts").mkdir(parents=True)
    (tmp_path / "one" / "a.json").write_text("{}", encoding="utf-8")
    found = list(sources([tmp_path], lambda head: head.members == ("a.json", "parts/")))
    assert [s.name for s in found] == ["one"]
    assert found[0].head().kind == "directory"


def test_links_lead_neither_out_nor_in_circles(tmp_path: Path) -> None:
    inside = tmp_path / "corpus"
    (inside / "deep").mkdir(parents=True)
    (tmp_path / "outside.json").write_text("{}", encoding="utf-8")
    (inside / "deep" / "a.json").write_text("{}", encoding="utf-8")
    (inside / "out.json").symlink_to(tmp_path / "outside.json")
    (inside / "deep" / "up").symlink_to(inside)
    (inside / "deep" / "here").symlink_to(inside / "deep")
    (inside / "again.json").symlink_to(inside / "deep" / "a.json")
    (inside / "broken.json").symlink_to(inside / "nothing")
    found = list(sources([inside], lambda head: False))
    (inside / "loop").symlink_to(inside / "loop")
    found = list(sources([inside], lambda head: False))
    assert {s.name: why_nothing(s) for s in found} == {
        "again.json": "",
        "broken.json": "a link to nothing",
        "loop": "a link that leads back to itself",
        "out.json": "a link out of the folder: name what it leads to, to read it",
    }


def why_nothing(source: Source) -> str:
    try:
        source.head()
    except HoldsNothing as reason:
        return str(reason)
    return ""


def test_what_a_link_leads_to_is_read_where_it_is_named_itself(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    (tmp_path / "corpus" / "out.json").symlink_to(tmp_path / "other.json")
    found = list(sources([tmp_path / "corpus", tmp_path / "other.json"], lambda head: False))
    assert [(s.name, s.opener is None) for s in found] == [("out.json", False), ("other.json", True)]


def test_pipes_and_sockets_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    (tmp_path / "b.json").write_text("{}", encoding="utf-8")
    found = list(sources([tmp_path], never))
    said = "a pipe: save what comes out of it to a file and name that"
    assert {s.name: why_nothing(s) for s in found} == {"a.jsonl": said, "b.json": ""}
    (named,) = sources([tmp_path / "a.jsonl"], never)
    assert why_nothing(named) == said
    (device,) = sources([Path("/dev/null")], never)
    assert why_nothing(device).startswith("a device")


def test_the_members_of_archives_are_sources(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as packed:
        packed.writestr("b/x.json", '{"x": 1}')
        packed.writestr("a.json", '{"a": 1}')
    with tarfile.open(tmp_path / "t.tar.gz", "w:gz") as tar:
        info = tarfile.TarInfo("../../evil.json")
        info.size = 8
        tar.addfile(info, io.BytesIO(b'{"t": 1}'))
    found = {}
    for source in sources([tmp_path], never):
        assert archive_kind(source)
        found.update({member.name: (member.document(), member.base) for member in members(source)})
    assert found == {
        "t.tar.gz!../../evil.json": ({"t": 1}, "evil.json"),
        "z.zip!a.json": ({"a": 1}, "a.json"),
        "z.zip!b/x.json": ({"x": 1}, "x.json"),
    }
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.tar.gz", "z.zip"]


def test_siblings_are_files_beside_it_and_never_of_an_archives_member(tmp_path: Path) -> None:
    (tmp_path / "s1" / "kept").mkdir(parents=True)
    assert Source("s1.jsonl", tmp_path / "s1.jsonl").sibling("s1", "kept") == tmp_path / "s1" / "kept"
    assert Source("s1.jsonl", tmp_path / "s1.jsonl").sibling("s2") is None
    assert source_of(b"").sibling("s1") is None
