"""CSV of every table, safe to open in a spreadsheet and to print on a terminal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from harness.report.report import Report
from harness.text import harmless

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class Csv:
    """`csv/`, one file a table, UTF-8, with a heading line; `columns.csv` says what each column is."""

    name = "csv"

    def export(self, report: Report, directory: Path) -> list[Path]:
        written = []
        for part in report.parts:
            folder = directory / "csv" / part.place
            folder.mkdir(parents=True, exist_ok=True)
            described = []
            for table in part.tables():
                described += [{"table": table.name, "key": key} | known for key, known in table.keys().items()]
                path = folder / f"{table.name}.csv"
                path.write_text(csv_text(table.frame), encoding="utf-8", errors="replace", newline="")
                written.append(path)
            if described:
                path = folder / "columns.csv"
                path.write_text(csv_text(pd.DataFrame(described)), encoding="utf-8", errors="replace", newline="")
                written.append(path)
        return written


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
