"""A run as one reads it: its manifest, and its tables as pandas frames."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import HarnessError
from harness.runs.kind import Kind
from harness.runs.kinds import kind_named
from harness.runs.manifest import read_manifest
from harness.runs.schema import LATER
from harness.runs.seal import AGAIN, check_file
from harness.settings import Settings, command_line

ABSENT = frozenset({"Int32", "Int64", "Float64", "boolean", "string"})
"""Types of columns that can say that a value is not known."""


class Meanings(dict[str, dict[str, str]]):
    """What each column of a frame is: kind, unit, meaning. pandas copies what is attached to a frame at every step;
    this is never changed, so the copy is the thing itself."""

    def __deepcopy__(self, memo: Any) -> Self:
        return self


class Run:
    """A finished run directory, with the tables of its kind."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.manifest: dict[str, Any] = read_manifest(directory)
        self._tables: dict[str, pd.DataFrame] = {}

    @property
    def id(self) -> str:
        return self.directory.name

    @property
    def policies(self) -> list[str]:
        """The policies in the order in which they were asked for, `identity` first."""
        return [p["label"] for p in self.manifest.get("policies", [])]

    @property
    def engines(self) -> list[str]:
        """The engines in the order in which they were asked for."""
        return [e["label"] for e in self.manifest.get("engines", [])]

    @cached_property
    def kind(self) -> Kind[Any]:
        """Of which kind the run is. Raises `HarnessError` where that is not installed."""
        return kind_named(str(self.manifest.get("command", "(unknown)")))

    def settings(self) -> Settings:
        """What it was asked to do."""
        return self.kind.settings.from_record(self.manifest["settings"])

    def command(self) -> str:
        """The command that makes the run again."""
        return command_line(self.kind.name, self.settings())

    def table(self, name: str) -> pd.DataFrame:
        """One of the tables of its kind; `frame.attrs["columns"]` says of each column its kind, unit and meaning."""
        if name not in self._tables:
            self._tables[name] = self._frame(name)
        return self._tables[name]

    @property
    def requests(self) -> pd.DataFrame:
        """Of a replay: one row a transcript, policy and request."""
        return self.table("requests")

    @property
    def results(self) -> pd.DataFrame:
        """Of a replay: one row a transcript, policy and tool result."""
        return self.table("results")

    @property
    def transcripts(self) -> pd.DataFrame:
        """Of a replay: one row a transcript and policy."""
        return self.table("transcripts")

    @property
    def engine(self) -> pd.DataFrame:
        """Of a bench: one row a turn of an engine and repetition."""
        return self.table("engine")

    @property
    def starts(self) -> pd.DataFrame:
        """Of a bench: one row a start of an engine."""
        return self.table("starts")

    @property
    def stretches(self) -> pd.DataFrame:
        """Of a bench: one row a stretch in which one engine ran alone."""
        return self.table("stretches")

    @property
    def loop(self) -> pd.DataFrame:
        """Of a loop: one row a task, driver and policy."""
        return self.table("loop")

    @property
    def redrive(self) -> pd.DataFrame:
        """Of a re-drive: one row an engine, policy and recorded request."""
        return self.table("redrive")

    def _frame(self, name: str) -> pd.DataFrame:
        path = self.directory / f"{name}.parquet"
        if not path.exists() and name in LATER:
            return pd.DataFrame({c.name: pd.Series(dtype=c.dtype) for c in self.kind.tables[name]})
        if not path.exists():
            raise HarnessError(f"{path}: missing, so the run was damaged after it was made; make it again")
        columns = self.kind.tables[name]
        categories = [c.name for c in columns if c.dtype == "category"]
        check_file(path, self.manifest.get("files"))
        try:
            found = pq.read_table(path, read_dictionary=categories, page_checksum_verification=True)
        except (pa.ArrowException, OSError) as error:
            raise HarnessError(f"{path}: damaged ({error}); {AGAIN}") from None
        frame: pd.DataFrame = found.to_pandas()
        absent = [c for c in columns if c.name not in frame]
        # An older run did not look at what came to be observed later: absent there, not zero.
        unknown = {c.name: pd.Series(pd.NA, frame.index, c.dtype) for c in absent if c.dtype in ABSENT}
        frame = frame.assign(**unknown)
        missing = [c.name for c in absent if c.dtype not in ABSENT]
        if missing:
            raise HarnessError(
                f"{path}: has no column {', '.join(missing[:3])}, so another build of this program made it; "
                f"make the run again: {self.command()}"
            )
        frame = frame.astype({c.name: c.dtype for c in columns})
        for key, known in (("policy", self.policies), ("engine", self.engines)):
            if key in frame and known:
                frame[key] = frame[key].cat.set_categories(known, ordered=True)
        frame.attrs["columns"] = Meanings(
            {c.name: {"kind": c.kind, "unit": c.unit, "meaning": c.meaning} for c in columns}
        )
        return frame
