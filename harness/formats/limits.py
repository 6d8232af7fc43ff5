"""How much one source may take: what small files unpack to, one value, one line.

A file of 2.5 MB can unpack to gigabytes. Text as agents write it packs ten to sixty times, so what unpacks to far more
is refused by name; who trusts it unpacks it and names the folder.
"""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from lzma import LZMAError
from typing import BinaryIO, Final, Protocol, cast

from harness.formats.json_text import Unreadable

RATIO: Final = 250
FREE: Final = 256 << 20  # bytes that any file may unpack to
VALUE: Final = 1 << 30  # bytes of one JSON value, or of one file that is read as a whole
LINE: Final = 256 << 20
CHUNK: Final = 1 << 20
MEMBERS: Final = 100_000  # files in one archive, nested ones with it
DEPTH: Final = 3  # archives in archives

BROKEN_ARCHIVE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    LZMAError,
    NotImplementedError,
    EOFError,
    OSError,
)
ARCHIVE_FAULTS = (*BROKEN_ARCHIVE, RuntimeError, ValueError, KeyError, IndexError, struct.error, AttributeError)
"""What the standard library raises for damaged, encrypted or strange archives."""


class Stream(Protocol):
    """What a stream must have to be bounded."""

    def read(self, size: int, /) -> bytes: ...
    def seek(self, offset: int, whence: int, /) -> int: ...
    def tell(self) -> int: ...
    def seekable(self) -> bool: ...
    def close(self) -> None: ...


class Bounded(io.RawIOBase):
    """What a packed stream unpacks to, up to `RATIO` times its packed size. Raises `Unreadable` beyond that.

    owners: closed with it.
    """

    def __init__(self, stream: Stream, packed: int, owners: ExitStack | None = None) -> None:
        super().__init__()
        self._stream = stream
        self._most = max(FREE, RATIO * packed)
        self._owners = owners

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if whence == io.SEEK_END:  # the end is found by reading, and may be far
            while self.read(CHUNK):
                pass
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        if self._stream.tell() > self._most:
            raise Unreadable(
                f"unpacks to more than {self._most:,} bytes, over {RATIO} times its size: if you trust it, unpack it "
                "and name the folder"
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._stream.close()
            if self._owners is not None:
                self._owners.close()


def bounded(stream: Stream, packed: int, owners: ExitStack | None = None) -> BinaryIO:
    """`stream` with a limit, buffered. packed: bytes that it was before it was unpacked."""
    return cast(BinaryIO, io.BufferedReader(Bounded(stream, packed, owners), 1 << 16))


def read_whole(stream: BinaryIO) -> bytes:
    """All bytes of a stream. Raises `Unreadable` for more than one value may have."""
    parts, size = [], 0
    while part := stream.read(CHUNK):  # a larger read would take its buffer before there is anything to put in it
        parts.append(part)
        size += len(part)
        if size > VALUE:
            raise Unreadable(f"one value of over {VALUE:,} bytes: split it, or write it as JSONL")
    return b"".join(parts)


def read_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream, with their ends; `None` in place of one that is longer than a line may be."""
    for line in iter(partial(stream.readline, LINE + 1), b""):
        if len(line) <= LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(CHUNK)
        yield None
