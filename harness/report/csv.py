"""CSV, safe to open in a spreadsheet and to print on a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from harness.report.report import Report
from harness.report.table import Table
from harness.text import harmless

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class Csv:
    """`csv/`, one file a table of the report, UTF-8, with a heading line; `columns.csv` says what each column is."""

    name = "csv"

    def export(self, report: Report, directory: Path) -> list[Path]:
        parts = ((directory / "csv" / part.place, part.tables()) for part in report.parts)
        return [path for folder, tables in parts for path in _written(folder, tables)]


class Rows:
    """`csv/rows/`, the same of the rows behind the report, which are as many as the corpus has."""

    name = "rows"

    def export(self, report: Report, directory: Path) -> list[Path]:
        parts = ((directory / "csv" / part.place / "rows", part.raw_tables()) for part in report.parts)
        return [path for folder, tables in parts for path in _written(folder, tables)]


def _written(folder: Path, tables: Iterable[Table]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    written, described = [], []
    for table in tables:
        described += [{"table": table.name, "key": key} | known for key, known in table.keys().items()]
        written.append(_write(folder / f"{table.name}.csv", table.frame))
    if described:
        written.append(_write(folder / "columns.csv", pd.DataFrame(described)))
    return written


def _write(path: Path, frame: pd.DataFrame) -> Path:
    path.write_text(csv_text(frame), encoding="utf-8", errors="replace", newline="")
    return path


def csv_text(frame: pd.DataFrame) -> str:
    """A table as CSV with a heading line: numbers as numbers, nothing for what is not there, no formula."""
    return str(defused(frame).to_csv(index=False, lineterminator="\n"))


def defused(frame: pd.DataFrame) -> pd.DataFrame:
    """Text cells and headings without control characters; what a spreadsheet would take for a formula gets an
    apostrophe in front (OWASP, CSV injection)."""
    safe = frame.rename(columns=lambda name: _cell(str(name)))
    for column in safe.columns:
        if isinstance(safe[column].dtype, pd.CategoricalDtype):
            safe[column] = safe[column].astype(object).map({c: _cell(c) for c in safe[column].cat.categories})
        elif safe[column].dtype == object or isinstance(safe[column].dtype, pd.StringDtype):
            safe[column] = safe[column].map(_cell)
    return safe


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    quote = "'" if value.lstrip(" ").startswith(DANGEROUS) else ""
    return quote + harmless(value)
