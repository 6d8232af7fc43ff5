"""The folder that a scripted agent works in: files with fixed contents, modes and dates."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

FILES_DATE = 1_741_000_000
"""Modification time of files that stood there at the start: March 2025, which `ls -l` shows with its year."""


@dataclass(frozen=True)
class Workspace:
    """root: the real folder. shown_as: the name under which it appears in every output."""

    root: Path
    shown_as: str

    def file(self, path: str, text: str, age_days: int = 0) -> None:
        """Write a file as it stood before the run, `age_days` older than the others."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
        when = FILES_DATE - age_days * 86_400
        target.chmod(0o644)
        os.utime(target, (when, when))

    def lines(self, path: str, lines: Iterable[str], age_days: int = 0) -> None:
        self.file(path, "".join(f"{line}\n" for line in lines), age_days)

    def table(self, database: str, name: str, columns: str, rows: Sequence[Sequence[object]]) -> None:
        """Make a table of an SQLite database; `columns` is the text between the brackets of CREATE TABLE."""
        with closing(sqlite3.connect(self.root / database)) as connection:
            connection.execute(f"CREATE TABLE {name} ({columns})")
            marks = ", ".join("?" for _ in rows[0])
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
            connection.commit()

    def settle(self, when: float) -> None:
        """Give what was just written the date `when` and plain modes, so that a listing shows no real time."""
        for folder, _, names in os.walk(self.root):
            for path in (Path(folder), *(Path(folder, name) for name in names)):
                if path.stat().st_mtime > FILES_DATE + 400 * 86_400:
                    os.utime(path, (when, when))
                    path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
