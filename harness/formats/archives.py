"""Zip and tar archives, each asked by its own kind first; their members are sources like files.

Nothing is written to disk, and nothing in an archive is passed over in silence: members of one name are two sources,
archives in archives are entered, and what is no file (a link, a pipe) is a source that says so.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Literal

from harness.formats.json_text import Unreadable
from harness.formats.limits import ARCHIVE_FAULTS, DEPTH, MEMBERS, Stream, bounded, read_whole
from harness.formats.source import Source, says

Opener = Callable[[], BinaryIO]
PACKERS: tuple[tuple[bytes, Callable[..., Stream]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\x00", lzma.open),
)


@dataclass
class Room:
    """What is left of an archive's limits, shared by those that are nested in it."""

    members: int = MEMBERS


def archive_kind(source: Source) -> Literal["zip", "tar"] | None:
    """What `members` can look into. A tar with a zip in it ends as a zip does, so the start decides first."""
    if source.opener is None and source.path.is_dir():
        return None
    with source.open() as stream:
        start = stream.read(6)
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if _is_tar(source):
        return "tar"
    with source.open() as stream:
        return "zip" if stream.seekable() and source.opener is None and zipfile.is_zipfile(stream) else None


def _is_tar(source: Source) -> bool:
    try:
        with _plain(source) as stream, tarfile.open(fileobj=stream, mode="r:"):
            return True
    except (Unreadable, *ARCHIVE_FAULTS):
        return False


def members(source: Source, room: Room | None = None) -> Iterator[Source]:
    """The files in an archive, sorted by name. What cannot be unpacked goes to the source's problems."""
    room = room or Room()
    taken: dict[str, int] = {}
    listed = []
    try:
        for name, opener in _zip_members(source) if archive_kind(source) == "zip" else _tar_members(source):
            if not room.members:
                source.problem("", f"more than {MEMBERS:,} files in it: unpack it and name the folder")
                break
            room.members -= 1
            taken[name] = taken.get(name, 0) + 1
            again = f"~{taken[name]}" if taken[name] > 1 else ""
            listed.append(Source(f"{source.name}!{name}{again}", source.path, opener, depth=source.depth + 1))
    except Unreadable as error:
        source.problem("", str(error))
    except ARCHIVE_FAULTS as error:
        source.problem("", f"cannot be unpacked: {error}")
    for member in sorted(listed, key=lambda member: member.name):
        if not is_named_so(member):
            yield member
        elif member.depth < DEPTH:
            yield from members(member, room)
            source.problems += member.problems
        else:
            yield Source(member.name, member.path, says(f"an archive in {DEPTH} others: unpack it to read it"))


def is_named_so(source: Source) -> bool:
    """Whether the name says that it is an archive."""
    return source.base.endswith((".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"))


def _zip_members(source: Source) -> Iterator[tuple[str, Opener]]:
    with opened_zip(source) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, _zip_opener(source, info)


def _zip_opener(source: Source, info: zipfile.ZipInfo) -> Opener:
    def opener() -> BinaryIO:
        with ExitStack() as owners:
            archive = owners.enter_context(opened_zip(source))
            try:
                member = owners.enter_context(archive.open(info))
            except ARCHIVE_FAULTS as error:
                raise Unreadable(f"cannot be unpacked: {error}") from None
            return bounded(member, info.compress_size, owners.pop_all())
        raise AssertionError

    return _gunzipped(opener, info.file_size) if info.filename.endswith(".gz") else opener


@contextmanager
def opened_zip(source: Source) -> Iterator[zipfile.ZipFile]:
    """A zip file for as long as it is read. Raises `Unreadable` for one that is not whole."""
    with source.open() as stream:
        try:
            archive = zipfile.ZipFile(stream)
        except ARCHIVE_FAULTS as error:
            raise Unreadable(f"not a whole zip file: {error}") from None
        with archive:
            yield archive


def _tar_members(source: Source) -> Iterator[tuple[str, Opener]]:
    with _plain(source) as stream, tarfile.open(fileobj=stream, mode="r:", errors="surrogateescape") as tar:
        for info in tar:
            if info.isfile():
                yield info.name, _tar_opener(source, info)
            elif not info.isdir():
                kind = "a link" if info.islnk() or info.issym() else "a pipe or device"
                yield info.name, says(f"{kind} in an archive: nothing to read")


def _tar_opener(source: Source, info: tarfile.TarInfo) -> Opener:
    def opener() -> BinaryIO:
        with ExitStack() as owners:
            stream = owners.enter_context(_plain(source))
            try:
                tar = owners.enter_context(tarfile.open(fileobj=stream, mode="r:"))
                member = tar.extractfile(info)
            except ARCHIVE_FAULTS as error:
                raise Unreadable(f"cannot be unpacked: {error}") from None
            assert member is not None
            return bounded(member, info.size, owners.pop_all())
        raise AssertionError

    return _gunzipped(opener, info.size) if info.name.endswith(".gz") else opener


def _gunzipped(opener: Opener, packed: int) -> Opener:
    return lambda: bounded(gzip.open(opener(), "rb"), packed)


@contextmanager
def _plain(source: Source) -> Iterator[BinaryIO]:
    """The bytes of a tar file, unpacked."""
    with source.open() as stream:
        start = stream.read(6)
        stream.seek(0)
        for magic, unpack in PACKERS:
            if start.startswith(magic):
                size = source.path.stat().st_size
                with bounded(unpack(stream, "rb"), size) as plain:
                    yield plain
                return
        yield stream


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a zip file's member. Raises `Unreadable` if it is broken, encrypted, packed in a way that Python
    does not know, or too large."""
    try:
        info = archive.getinfo(name)
        with bounded(archive.open(info), info.compress_size) as stream:
            return read_whole(stream)
    except ARCHIVE_FAULTS as error:
        raise Unreadable(f"cannot be unpacked: {error}") from None
