"""Rows of a SQLite database that somebody else wrote: read only, and never for long."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.formats.json_text import Unreadable
from harness.formats.source import Source

MOST_STEPS = 2_000  # times 1,000,000 instructions of SQLite's machine


@contextmanager
def database(source: Source) -> Iterator[sqlite3.Connection]:
    """A connection that yields rows as dicts with text as bytes. What SQLite refuses is `Unreadable`."""
    try:
        connection = _connect(source)
        steps = iter(range(MOST_STEPS))
        connection.set_progress_handler(lambda: next(steps, None) is None, 1_000_000)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.text_factory = bytes
        connection.row_factory = _as_dict
        try:
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise Unreadable(f"not a SQLite database that can be read: {error}") from None


def text(value: Any) -> str:
    """A text column, empty if it holds something else."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _connect(source: Source) -> sqlite3.Connection:
    if source.opener is not None:
        connection = sqlite3.connect(":memory:")
        try:
            connection.deserialize(source.content())
        except MemoryError:  # what SQLite answers to no bytes at all
            raise Unreadable("not a SQLite database that can be read: it is empty") from None
        return connection
    # A database that is in use has a write-ahead log beside it; another is opened so that SQLite leaves no file there.
    in_use = source.path.with_name(source.path.name + "-wal").exists()
    mode = "mode=ro" if in_use else "immutable=1"
    return sqlite3.connect(f"{source.path.resolve().as_uri()}?{mode}", uri=True)


def _as_dict(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}
