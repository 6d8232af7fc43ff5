"""CSV of every table, safe to open in a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from harness.reports.report import Report

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


class Csv:
    """One file a table, UTF-8, with a heading line."""

    name = "csv"

    def export(self, report: Report, directory: Path) -> list[Path]:
        folder = directory / "csv"
        folder.mkdir(exist_ok=True)
        written = []
        for table in report.tables():
            path = folder / f"{table.name}.csv"
            harmless(table.frame).to_csv(path, index=False, encoding="utf-8", errors="replace", lineterminator="\n")
            written.append(path)
        return written


def harmless(frame: pd.DataFrame) -> pd.DataFrame:
    """Text cells that a spreadsheet would take for a formula get an apostrophe in front."""
    safe = frame.copy()
    for column in safe.columns:
        if isinstance(safe[column].dtype, pd.CategoricalDtype):
            safe[column] = safe[column].cat.rename_categories(_defused)
        elif safe[column].dtype == object or isinstance(safe[column].dtype, pd.StringDtype):
            safe[column] = safe[column].map(_defused)
    return safe


def _defused(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(DANGEROUS) else value
