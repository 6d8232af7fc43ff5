"""Counts kept on disk, so that a second run over the same texts hardly counts.

SQLite in WAL mode: several processes read and write at once, and a killed one loses only the batch that it
had not written. The key of a count is a digest of the text and of all that its count depends on (see
`counter`), so no entry ever becomes wrong; a checksum over key and count stands in each, so that one that was
damaged is counted anew. Deleting the folder is always safe. The store is never needed: where it cannot be used, it
says so once and the texts are counted.
"""

from __future__ import annotations

import atexit
import logging
import os
import sqlite3
import sys
import threading
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeVar

from harness.errors import HarnessError

logger = logging.getLogger(__name__)

BATCH = 8192
MAX_BYTES = 256 * 2**20
_ASKED_AT_ONCE = 500  # keys a query; every SQLite takes 999 parameters
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

COUNT_BITS = 31

Answer = TypeVar("Answer")


def cache_folder() -> Path:
    """Where we keep what can be made again: `HARNESS_CACHE_DIR`, else ours of the platform's."""
    if own := os.environ.get("HARNESS_CACHE_DIR"):
        return Path(own)
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        shared = Path(xdg)
    elif sys.platform == "darwin":
        shared = Path.home() / "Library" / "Caches"
    else:
        shared = Path.home() / ".cache"
    return shared / "context-policy-harness"


def cache_is_on() -> bool:
    """Whether anything may be kept on disk between runs: `HARNESS_CACHE`, `on` unless it says `off`."""
    kept = os.environ.get("HARNESS_CACHE", "on")
    if kept not in ("on", "off"):
        raise HarnessError(f"HARNESS_CACHE is {kept!r}: set it to on or off")
    return kept == "on"


class CountStore:
    """A table of 16-byte keys and counts in `folder`, of about `max_bytes` at most: when full, it starts anew.

    Counts are written in batches of `BATCH`, on `flush` and `close`, and when the process ends in good order.
    Safe to use from several threads and processes. A broken file is replaced by an empty one, with a warning.
    """

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._pending: dict[bytes, int] = {}
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._path = folder
        self._process = 0
        self._refused = False
        atexit.register(self.close)

    def get(self, key: bytes) -> int | None:
        """The count of one key, if it is known."""
        return self.get_many((key,)).get(key)

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, int]:
        """The counts that are known among `keys`."""
        wanted = list(keys)
        with self._lock:
            found = {key: self._pending[key] for key in wanted if key in self._pending}
            missing = [key for key in wanted if key not in found]
            for start in range(0, len(missing), _ASKED_AT_ONCE):
                asked = missing[start : start + _ASKED_AT_ONCE]
                found.update(self._attempt(partial(_select, asked)) or {})
        return found

    def put(self, key: bytes, count: int) -> None:
        """Remember a count; it reaches the disk with its batch."""
        with self._lock:
            self._pending[key] = count
            if len(self._pending) >= BATCH:
                self._write()

    def distrust(self, why: str) -> None:
        """Start anew, for a count in it was wrong though its checksum was right."""
        with self._lock:
            logger.warning("starting the cache of token counts anew: %s %s", self._path, why)
            self._attempt(lambda _: self._discard())

    def flush(self) -> None:
        """Write what is pending."""
        with self._lock:
            self._write()

    def close(self) -> None:
        """Write what is pending and let go of the file."""
        with self._lock:
            self._write()
            self._release()
        atexit.unregister(self.close)

    def _write(self) -> None:
        if self._pending:
            rows = sorted(self._pending.items())
            self._attempt(partial(_insert, rows, self.max_bytes))
            self._pending.clear()

    def _attempt(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        """What `work` gives, in a new file if this one is broken; `None`, from then on, if it fails."""
        if self._refused:
            return None
        try:
            try:
                return work(self._connection())
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _BROKEN:
                    raise
                logger.warning("starting the cache of token counts anew: %s is broken (%s)", self._path, error)
                self._discard()
                return work(self._connection())
        except (sqlite3.Error, OSError, MemoryError) as error:  # the last is what SQLite says of some damaged files
            logger.warning("going on without the cache of token counts in %s: %s", self.folder, error)
            self._refused = True
            return None

    def _connection(self) -> sqlite3.Connection:
        if self._database is None or self._process != os.getpid():  # a forked child must not share a connection
            self.folder.mkdir(parents=True, exist_ok=True)
            self._path = max(self.folder.glob("token-counts-*.sqlite"), key=_number, default=self._file(1))
            self._process = os.getpid()
            self._database = sqlite3.connect(self._path, timeout=30, isolation_level=None, check_same_thread=False)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute("PRAGMA cache_size = -16000")
            columns = [row[1] for row in self._database.execute("PRAGMA table_info(counts)")]
            if columns == ["key", "count"]:  # ours, of before there were checksums
                self._database.execute("DROP TABLE counts")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS checked (key BLOB PRIMARY KEY, entry INTEGER NOT NULL) WITHOUT ROWID"
            )
        return self._database

    def _discard(self) -> None:
        """Leave the file for one with the next number.

        A new file of the same name could be mixed up with the old one's log by a process that still has that
        open.
        """
        self._release()
        self._file(_number(self._path) + 1).touch()
        for end in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + end).unlink(missing_ok=True)

    def _release(self) -> None:
        if self._database is not None and self._process == os.getpid():
            self._database.close()
        self._database = None

    def _file(self, number: int) -> Path:
        return self.folder / f"token-counts-{number}.sqlite"


def _number(path: Path) -> int:
    digits = path.stem.rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0


def _select(keys: list[bytes], database: sqlite3.Connection) -> dict[bytes, int]:
    marks = ",".join("?" * len(keys))
    rows = database.execute(f"SELECT key, entry FROM checked WHERE key IN ({marks})", keys).fetchall()
    asked = set(keys)
    opened = ((key, _opened(key, entry)) for key, entry in rows if isinstance(key, bytes) and key in asked)
    return {key: count for key, count in opened if count is not None}


def _entry(key: bytes, count: int) -> int:
    """A count under its checksum, in the 63 bits that SQLite has."""
    return _check(key, count) << COUNT_BITS | count


def _opened(key: bytes, entry: object) -> int | None:
    """The count of an entry; `None` of one that was damaged."""
    if not isinstance(entry, int) or entry < 0:
        return None
    count = entry & (1 << COUNT_BITS) - 1
    return count if entry >> COUNT_BITS == _check(key, count) else None


def _check(key: bytes, count: int) -> int:
    return zlib.crc32(key + count.to_bytes(4, "big"))


def _insert(rows: list[tuple[bytes, int]], max_bytes: int, database: sqlite3.Connection) -> None:
    with database:
        database.execute("BEGIN IMMEDIATE")
        pages, free, size = (
            database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size > max_bytes:
            database.execute("DELETE FROM checked")
        entries = [(key, _entry(key, count)) for key, count in rows]
        database.executemany("INSERT OR REPLACE INTO checked VALUES (?, ?)", entries)
