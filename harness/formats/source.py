"""Where recordings come from: files, directories and archives, seen in one way.

A format gets a `Source` to read and its `Head` to recognise it by. Nothing from an archive is ever written to disk.
"""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal

from harness.errors import HarnessError
from harness.formats.json_text import Unreadable, glued_values, parse
from harness.transcript import Problem

Kind = Literal["empty", "directory", "zip", "sqlite", "object", "array", "jsonl", "text", "binary"]

HEAD_BYTES = 1 << 20
HEAD_RECORDS = 20
LARGEST_MEMBER = 4 << 30
LISTED = 1000  # problems of one source that are listed one by one
BROKEN_ARCHIVE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    EOFError,
    OSError,
)


class HoldsNothing(Exception):
    """Raised by a format that knows a source and finds nothing to replay in it; `str()` says why. The source is
    listed as skipped with that sentence, and is neither a problem nor a zero."""


@dataclass(frozen=True)
class Head:
    """What a format may look at to claim a source.

    name: the file's base name, for what content cannot tell. kind: what the bytes are; a file of one JSON line is
    `jsonl` if it is named so, else `object`. start: its first MiB. records: the JSON objects at its start: the object
    itself, the first elements of an array, or the first lines of a JSONL file. members: names in a directory (`/` after
    directories) or a zip file.
    """

    name: str
    kind: Kind
    start: bytes = b""
    records: tuple[dict[str, Any], ...] = ()
    members: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """The top-level keys, where the source is one JSON object."""
        return frozenset(self.records[0]) if self.kind == "object" and self.records else frozenset()


@dataclass
class Source:
    """One thing to read. `name` is its path below the corpus, stable and with `/` in it, what is not UTF-8 in it
    escaped; `path` is where it lies on disk.

    Problems met while reading are put into `problems`, with their place; reading goes on behind them.
    """

    name: str
    path: Path
    opener: Callable[[], BinaryIO] | None = None
    problems: list[Problem] = field(default_factory=list)
    _document: Any = None

    def __post_init__(self) -> None:
        self.name = self.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

    @property
    def base(self) -> str:
        return PurePosixPath(self.name.replace("!", "/")).name

    def open(self) -> BinaryIO:
        """The bytes, decompressed if the file is gzipped."""
        if self.opener is not None:
            return self.opener()
        if self.path.suffix == ".gz":
            return gzip.open(self.path, "rb")  # type: ignore[return-value]
        return self.path.open("rb")

    def content(self) -> bytes:
        """All bytes, decompressed."""
        with self.open() as stream:
            return stream.read()

    def sibling(self, *parts: str) -> Path | None:
        """A file of the recorder's beside this one, by names that the program knows (never out of a transcript)."""
        if self.opener is not None:
            return None
        found = self.path.parent.joinpath(*parts)
        return found if found.exists() else None

    def document(self) -> Any:
        """The file as one JSON value, parsed once. Raises `Unreadable`."""
        if self._document is None:
            self._document = parse(self.content())
        return self._document

    def lines(self) -> Iterator[tuple[int, Any]]:
        """The records of a JSONL file with line numbers from 1, split at `\\n` only. Bad lines go to `problems`.

        NUL bytes around a record (a file that was grown and never written) are a problem that costs nothing; so are
        records without a line end between them.
        """
        with self.open() as stream:
            for number, line in enumerate(stream, 1):
                if not line.strip():
                    continue
                bare = line.strip(b"\0 \t\r\n")
                try:
                    values = [parse(bare)] if bare else []
                    if bare != line.strip():
                        self.problem(f"line {number}", "NUL bytes around the record", lost=0 if bare else 1)
                    yield from ((number, value) for value in values)
                except Unreadable as error:
                    glued = glued_values(bare)
                    if glued:
                        self.problem(f"line {number}", f"{len(glued)} records without a line end between them", lost=0)
                        yield from ((number, value) for value in glued)
                        continue
                    cut = "" if line.endswith(b"\n") else " (the file ends in the middle of this record)"
                    self.problem(f"line {number}", f"{error}{cut}")

    def problem(self, place: str, reason: str, lost: int = 1) -> None:
        """Note a problem. Of a file with very many, the first are listed and the rest counted."""
        if len(self.problems) < LISTED:
            self.problems.append(Problem(f"{self.name}: {place}" if place else self.name, reason, lost))
            return
        further = self.problems.pop().lost if len(self.problems) > LISTED else 0
        self.problems.append(Problem(self.name, "further problems, not listed", further + lost))

    def release(self) -> None:
        """Forget the parsed document."""
        self._document = None

    def head(self) -> Head:
        """What the source looks like. Raises `Unreadable` for a file that begins as JSON and is none."""
        if self.opener is None and self.path.is_dir():
            names = sorted(p.name + "/" if p.is_dir() else p.name for p in self.path.iterdir())
            return Head(self.base, "directory", members=tuple(names))
        with self.open() as stream:
            start = stream.read(HEAD_BYTES)
            whole = len(start) < HEAD_BYTES
            if not start.strip():
                return Head(self.base, "empty", start)
            if start.startswith(b"PK\x03\x04"):
                packed = io.BytesIO(start + stream.read()) if self.opener else self.path
                return Head(self.base, "zip", start, members=tuple(_names(packed)))
        if start.startswith(b"SQLite format 3\x00"):
            return Head(self.base, "sqlite", start)
        first = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        if first not in (b"{", b"["):
            records = tuple(self._first_records()) if self._named_as_lines else ()
            kind: Kind = "jsonl" if records else "binary" if b"\0" in start[:4096] else "text"
            return Head(self.base, kind, start, records)
        return self._json_head(start, whole)

    @property
    def _named_as_lines(self) -> bool:
        return self.base.removesuffix(".gz").endswith((".jsonl", ".ndjson"))

    def _json_head(self, start: bytes, whole: bool) -> Head:
        lines = [line for line in start.split(b"\n") if line.strip()]
        named_so = self._named_as_lines
        if named_so or len(lines) > 1:
            records = list(_objects(lines[: HEAD_RECORDS + 1], whole or len(lines) > 1))
            single = len(lines) > 1 and _starts_records(lines)
            if records and (named_so or single):
                return Head(self.base, "jsonl", start, tuple(records[:HEAD_RECORDS]))
            if named_so and not records and not whole:
                return Head(self.base, "jsonl", start, tuple(self._first_records()))
            if named_so and not _parses(self):
                return Head(self.base, "jsonl", start)
        try:
            document = self.document()
        except Unreadable:
            if records := list(self._first_records()):
                return Head(self.base, "jsonl", start, tuple(records))
            raise
        if isinstance(document, dict):
            return Head(self.base, "object", start, (document,))
        elements = [e for e in document[:HEAD_RECORDS] if isinstance(e, dict)] if isinstance(document, list) else []
        return Head(self.base, "array", start, tuple(elements))

    def _first_records(self) -> Iterator[dict[str, Any]]:
        with self.open() as stream:
            for _, line in zip(range(HEAD_RECORDS), stream, strict=False):
                yield from _objects([line], True)


def _parses(source: Source) -> bool:
    try:
        source.document()
    except Unreadable:
        return False
    return True


def _starts_records(lines: list[bytes]) -> bool:
    """Whether the first or second line is a JSON value of its own, as in JSONL even where one line is broken."""
    if lines[0].strip() in (b"{", b"["):
        return False
    return any(True for _ in _objects(lines[:2], True))


def _objects(lines: list[bytes], last_is_whole: bool) -> Iterator[dict[str, Any]]:
    for i, line in enumerate(lines):
        if i == len(lines) - 1 and not last_is_whole:
            return
        bare = line.strip(b"\0 \t\r\n")
        try:
            values = [parse(bare)]
        except Unreadable:
            values = glued_values(bare)
        yield from (value for value in values if isinstance(value, dict))


def check_paths(paths: Iterable[Path]) -> None:
    """Raises `HarnessError` for a path that does not exist."""
    for path in paths:
        if not path.exists():
            raise HarnessError(f"{path}: no such file or directory; name a recording or a folder of recordings")


def sources(paths: list[Path], claims_directory: Callable[[Head], bool]) -> Iterator[Source]:
    """All sources at or below `paths`, in a fixed order.

    A directory that a format claims is one source; others are entered, and so are zip and tar archives that no format
    claims itself (the caller hands those to `members`). Hidden entries are passed over; a symbolic link out of the tree
    is a source that says so and holds nothing. Raises `HarnessError` for a path that does not exist.
    """
    check_paths(paths)
    names: set[str] = set()
    places: set[Path] = set()
    for path in paths:
        root = path if path.is_dir() else path.parent
        for source in _walk(path, root, claims_directory, set()):
            place = source.path.absolute() if source.opener else source.path.resolve()
            if place in places:
                continue
            places.add(place)
            if source.name in names:
                source.name = f"{root.resolve().name}/{source.name}"
            while source.name in names:
                source.name = f"_/{source.name}"
            names.add(source.name)
            yield source


def _walk(path: Path, root: Path, claims_directory: Callable[[Head], bool], entered: set[Path]) -> Iterator[Source]:
    name = path.relative_to(root).as_posix()
    source = Source(root.name if name == "." else name, path)
    if not path.is_dir():
        if path.is_file():  # not a pipe, a socket or a link to nothing
            yield source
        return
    if path.resolve() in entered:
        return
    entered.add(path.resolve())
    try:
        claimed = claims_directory(source.head())
        children = sorted(path.iterdir(), key=lambda p: p.name)
    except OSError:
        yield source  # whoever reads it names the fault
        return
    if claimed:
        yield source
        return
    for child in children:
        if child.name.startswith("."):
            continue
        if child.is_symlink() and not child.resolve().is_relative_to(root.resolve()):
            if child.exists():
                yield Source(child.relative_to(root).as_posix(), child, _leads_out)
            continue
        yield from _walk(child, root, claims_directory, entered)


def _leads_out() -> BinaryIO:
    raise HoldsNothing("a link out of the folder: name what it leads to, to read it")


def members(source: Source) -> Iterator[Source]:
    """The files in a zip or tar archive, each read into memory when it is opened."""
    if source.opener is not None:
        return
    try:
        if zipfile.is_zipfile(source.path):
            with zipfile.ZipFile(source.path) as archive:
                sizes = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
            opener = _zip_opener
        else:
            with tarfile.open(source.path) as tar:
                sizes = {member.name: member.size for member in tar if member.isfile()}
            opener = _tar_opener
    except BROKEN_ARCHIVE as error:
        source.problem("", f"cannot be unpacked: {error}")
        return
    for name, size in sorted(sizes.items()):
        if size > LARGEST_MEMBER:
            source.problem(name, f"unpacks to {size:,} bytes, over the limit of {LARGEST_MEMBER:,}")
        else:
            yield Source(f"{source.name}!{name}", source.path, opener(source.path, name))


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a zip file's member. Raises `Unreadable` if it is broken, encrypted, packed in a way that Python
    does not know, or too large."""
    try:
        size = archive.getinfo(name).file_size
        if size > LARGEST_MEMBER:
            raise Unreadable(f"unpacks to {size:,} bytes, over the limit of {LARGEST_MEMBER:,}")
        return archive.read(name)
    except (*BROKEN_ARCHIVE, RuntimeError, KeyError) as error:
        raise Unreadable(f"cannot be unpacked: {error}") from None


def _names(packed: Path | io.BytesIO) -> list[str]:
    try:
        with zipfile.ZipFile(packed) as archive:
            return archive.namelist()
    except BROKEN_ARCHIVE as error:
        raise Unreadable(f"not a whole zip file: {error}") from None


def is_archive(source: Source) -> bool:
    """Whether `members` can look into it."""
    if source.opener is not None or source.path.is_dir():
        return False
    return zipfile.is_zipfile(source.path) or tarfile.is_tarfile(source.path)


def _zip_opener(path: Path, member: str) -> Callable[[], BinaryIO]:
    def opener() -> BinaryIO:
        with zipfile.ZipFile(path) as archive:
            return io.BytesIO(read_member(archive, member))

    return opener


def _tar_opener(path: Path, member: str) -> Callable[[], BinaryIO]:
    def opener() -> BinaryIO:
        try:
            with tarfile.open(path) as tar:
                stream = tar.extractfile(member)
                return io.BytesIO(stream.read() if stream else b"")
        except (*BROKEN_ARCHIVE, KeyError) as error:
            raise Unreadable(f"cannot be unpacked: {error}") from None

    return opener
