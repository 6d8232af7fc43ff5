"""The journal of a run: one JSON line a finished piece of work, written as it finishes.

The first line is the header with all settings. A process may be killed at any moment: what was being written then is a
torn tail, which opening drops, and everything before it counts. What a line holds much of stands in it packed.
"""

from __future__ import annotations

import base64
import lzma
import os
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Self

import orjson

from harness.errors import HarnessError
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.seal import FIRST_SEALED

NAME = "journal.jsonl"
PACKED = "packed"
CHECK = b',"check":"'
XZ = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 20}]
"""A twelfth of what the rows of a transcript take, by a compressor of some 12 MB."""


class Journal:
    """Append-only; one process writes to it, which `lock` makes sure of."""

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path = path
        self._stream = stream
        self._alone = threading.Lock()

    @classmethod
    def create(cls, directory: Path, header: dict[str, Any]) -> Self:
        """A new run directory with its journal."""
        directory.mkdir(parents=True, exist_ok=False)
        journal = cls(directory / NAME, (directory / NAME).open("ab"))
        try:
            journal.lock()
            journal.append({"kind": "run", "schema": SCHEMA_VERSION} | header)
        except OSError:
            journal.close()
            raise
        return journal

    @classmethod
    def reopen(cls, directory: Path) -> Self:
        """An unfinished run's journal, its torn tail dropped."""
        path = directory / NAME
        if not path.exists():
            raise HarnessError(f"{directory}: no {NAME} in it, so it is not a run that can be resumed")
        if next(read_journal(directory), None) is None:  # nothing is cut off a file that is not ours
            raise HarnessError(f"{path}: it does not begin with the header of a run; start a new run")
        journal = cls(path, path.open("r+b"))
        journal.lock()
        end = _end_of_whole_lines(path)
        journal._stream.truncate(end)
        journal._stream.seek(end)
        return journal

    def lock(self) -> None:
        """Hold the journal against a second process; the operating system lets go of it when this one ends."""
        import fcntl

        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._stream.close()
            raise HarnessError(
                f"{self.path.parent}: another process is writing this run; wait for it or start a new one"
            ) from None

    def append(self, record: dict[str, Any]) -> None:
        self.append_line(orjson.dumps(record))

    def append_line(self, line: bytes) -> None:
        """line: a JSON object that is not empty."""
        with self._alone:
            self._stream.write(_checked(line) + b"\n")
            self._stream.flush()

    def close(self) -> None:
        if not self._stream.closed:
            try:
                self._stream.flush()
                os.fsync(self._stream.fileno())
            finally:
                self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _checked(line: bytes) -> bytes:
    """The object with its CRC-32 as its last key."""
    return line[:-1] + b'%s%08x"}' % (CHECK, zlib.crc32(line))


def _is_right(line: bytes) -> bool | None:
    """Whether a record is what was written; `None` for one without a check."""
    line = line.rstrip(b"\n")
    at = len(line) - len(CHECK) - 10
    if line[at : at + len(CHECK)] != CHECK:
        return None
    return line[-10:] == b'%08x"}' % zlib.crc32(line[:at] + b"}")


def packed(head: dict[str, Any], body: bytes) -> bytes:
    """A line with `head` as it is and the JSON object `body` packed; reading gives one record of both."""
    pressed = lzma.compress(body, check=lzma.CHECK_CRC32, filters=XZ)
    return orjson.dumps(head | {PACKED: base64.b64encode(pressed).decode("ascii")})


def parse_line(line: bytes, place: Path) -> Any:
    """The record of a whole line. Raises `HarnessError` where it was changed after it was written."""
    if _is_right(line) is False:
        raise HarnessError(f"{place}: a record in it is damaged (its check does not fit); start a new run")
    record = orjson.loads(line)
    if isinstance(record, dict):
        record.pop("check", None)
    if isinstance(record, dict) and PACKED in record:
        try:
            record |= orjson.loads(lzma.decompress(base64.b64decode(record.pop(PACKED), validate=True)))
        except (lzma.LZMAError, ValueError, TypeError, EOFError) as error:
            raise HarnessError(f"{place}: a record in it is damaged ({error}); start a new run") from error
    return record


def _end_of_whole_lines(path: Path) -> int:
    end = 0
    with path.open("rb") as stream:
        for line in stream:
            try:
                whole = line.endswith(b"\n") and bool(orjson.loads(line))
            except orjson.JSONDecodeError:
                whole = False
            if not whole:
                break
            end += len(line)
    return end


def read_journal(directory: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The whole records with the offset of each, the header first. Refuses what a newer schema wrote."""
    path = directory / NAME
    end = _end_of_whole_lines(path)
    with path.open("rb") as stream:
        offset = 0
        is_checked = False
        for line in stream:
            if offset >= end:
                return
            record = parse_line(line, path)
            if offset == 0:
                check_schema(record.get("schema") if isinstance(record, dict) else None, path)
                is_checked = record["schema"] >= FIRST_SEALED
            if is_checked and _is_right(line) is None:
                raise HarnessError(f"{path}: a record in it is damaged (it has no check); start a new run")
            yield offset, record
            offset += len(line)


def check_schema(version: object, place: Path) -> None:
    """Raises `HarnessError` unless this program can read the schema."""
    if not isinstance(version, int):
        raise HarnessError(f"{place}: no schema version in it, so it was not written by this program or is damaged")
    if version > SCHEMA_VERSION:
        raise HarnessError(
            f"{place}: written with schema {version}, this program reads up to {SCHEMA_VERSION}: use a newer harness"
        )
