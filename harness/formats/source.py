"""Where recordings come from: files, directories and archives, seen in one way.

A format gets a `Source` to read and its `Head` to recognise it by. Nothing from an archive is ever written to disk.
"""

from __future__ import annotations

import gzip
import io
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal

from harness.errors import HarnessError
from harness.formats.json_text import Unreadable, glued_values, parse
from harness.formats.limits import ARCHIVE_FAULTS, LINE, bounded, read_lines, read_whole
from harness.transcript import Problem

Kind = Literal["empty", "directory", "zip", "sqlite", "object", "array", "jsonl", "text", "binary"]

HEAD_BYTES = 1 << 20
HEAD_RECORDS = 20
LISTED = 1000  # problems of one source that are listed one by one


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

    Problems met while reading are put into `problems`, with their place; reading goes on behind them. depth: how many
    archives it lies in.
    """

    name: str
    path: Path
    opener: Callable[[], BinaryIO] | None = None
    depth: int = 0
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
            return bounded(gzip.open(self.path, "rb"), self.path.stat().st_size)
        return self.path.open("rb")

    def content(self) -> bytes:
        """All bytes, decompressed."""
        with self.open() as stream:
            return read_whole(stream)

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
            for number, line in enumerate(read_lines(stream), 1):
                if line is None:
                    self.problem(f"line {number}", f"over {LINE:,} bytes long")
                    continue
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
                packed = io.BytesIO(self.content()) if self.opener else self.path
                return Head(self.base, "zip", start, members=tuple(_zip_names(packed)))
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
            for _, line in zip(range(HEAD_RECORDS), read_lines(stream), strict=False):
                yield from _objects([line or b""], True)


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
    claims itself (the caller hands those to `archives.members`). Hidden entries are passed over; a symbolic link that
    is not followed, a pipe and what else is no file are sources that say so and hold nothing. Raises `HarnessError` for
    a path that does not exist.
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
    try:
        mode = path.stat().st_mode
    except OSError as error:
        source.opener = says(f"cannot be looked at ({error.strerror})")
        yield source
        return
    if not stat.S_ISDIR(mode):
        if not stat.S_ISREG(mode):
            source.opener = says(f"{_what(mode)}: save what comes out of it to a file and name that")
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
        if child.is_symlink() and (why := _why_not_followed(child, root)):
            yield Source(child.relative_to(root).as_posix(), child, says(why))
            continue
        yield from _walk(child, root, claims_directory, entered)


def _why_not_followed(link: Path, root: Path) -> str:
    """Empty for a link to something below the folder."""
    try:
        target = link.resolve(strict=True)
    except FileNotFoundError:
        return "a link to nothing"
    except (OSError, RuntimeError):
        return "a link that leads back to itself"
    if not target.is_relative_to(root.resolve()):
        return "a link out of the folder: name what it leads to, to read it"
    return ""


def _what(mode: int) -> str:
    kinds = (
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a disk"),
    )
    return next((name for is_one, name in kinds if is_one(mode)), "no file")


def says(why: str) -> Callable[[], BinaryIO]:
    """An opener of a source that holds nothing, for this reason."""

    def opener() -> BinaryIO:
        raise HoldsNothing(why)

    return opener


def _zip_names(packed: Path | io.BytesIO) -> list[str]:
    try:
        with zipfile.ZipFile(packed) as archive:
            return archive.namelist()
    except ARCHIVE_FAULTS as error:
        raise Unreadable(f"not a whole zip file: {error}") from None
