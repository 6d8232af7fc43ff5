"""A run whose names are fit to print: secrets masked, and none longer than a line or two.

Ids, paths, tool names and models come out of recordings, so they may hold anything, a line of 200 kB too. What
changes is how they are written; which are equal and which differ stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pandas as pd

from harness.report.secrets import Mask
from harness.runs.run import Run

LONGEST = 300
SCANNED = 2000
KEPT_KEYS = frozenset({"environment", "tokens", "cache", "prices", "corpus", "rows"})

WORDS = frozenset({"detail", "confusions", "why", "because", "task", "repetition", "agent", "version", "ended"}) | {
    "reason",
    "model",
    "prompt",
    "tools",
    "limits",
}
"""Columns of text in which an engine, an agent, or what it ran on, had its say."""

Rename = Callable[[str], str]


class PrintableRun(Run):
    """Reads like the run it is made of. All names are looked at once at the start, so that the numbers of masked
    secrets do not depend on which table is asked for first."""

    def __init__(self, run: Run, show_secrets: bool = False) -> None:
        self.directory = run.directory
        self._run = run
        self._mask: Rename = str if show_secrets else Mask()
        self.manifest: dict[str, Any] = {
            key: value if key in KEPT_KEYS else self._everywhere(value) for key, value in run.manifest.items()
        }
        self._tables: dict[str, pd.DataFrame] = {}
        for table in run.kind.named or run.kind.tables:
            frame = run.table(table)
            for column in named_columns(frame):
                for name in _names(frame[column]):
                    self.printable(name)

    def printable(self, text: str) -> str:
        """A name as it may be printed."""
        return shortened(self._mask(shortened(text, SCANNED)), LONGEST)

    def masked(self, text: str) -> str:
        """Text of any length, its secrets masked."""
        return self._mask(text)

    def _everywhere(self, value: Any) -> Any:
        match value:
            case str():
                return self.printable(value)
            case dict():
                return {key: self._everywhere(v) for key, v in value.items()}
            case list() | tuple():
                return [self._everywhere(v) for v in value]
        return value

    def _frame(self, name: str) -> pd.DataFrame:
        return self._renamed(self._run.table(name))

    def _renamed(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(**{c: _renamed_column(frame[c], self.printable) for c in named_columns(frame)})


def named_columns(frame: pd.DataFrame) -> list[str]:
    """The columns that hold names and words."""
    return [str(c) for c, dtype in frame.dtypes.items() if isinstance(dtype, pd.CategoricalDtype) or _words(c, dtype)]


def _words(name: object, dtype: Any) -> bool:
    return name in WORDS and not pd.api.types.is_numeric_dtype(dtype)


def _names(column: pd.Series) -> list[str]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return [str(name) for name in column.cat.categories]
    return [str(name) for name in column.dropna().unique()]


def _renamed_column(column: pd.Series, rename: Rename) -> pd.Series:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column.map(rename, na_action="ignore").astype(column.dtype)
    names = [rename(str(c)) for c in column.cat.categories]
    if names == list(column.cat.categories):
        return column
    return column.cat.rename_categories(names)


def shortened(text: str, most: int) -> str:
    """The text, or if it is longer than `most` characters its beginning, with a hash that keeps it apart."""
    if len(text) <= most:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{text[: most - 10]}…#{digest}"
