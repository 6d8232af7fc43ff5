"""A run as one reads it: its manifest, and its tables as pandas frames."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from harness.errors import HarnessError
from harness.runs.engine_schema import ENGINE_TABLES
from harness.runs.loop_schema import LOOP_TABLES
from harness.runs.manifest import read_manifest
from harness.runs.redrive_schema import REDRIVE_TABLES
from harness.runs.schema import TABLES

ABSENT = frozenset({"Int32", "Int64", "Float64", "boolean", "string"})
"""Types of columns that can say that a value is not known."""


class Run:
    """A finished run directory. The frames hold the columns of `harness.runs.schema`.

    A run of engines has the frames `engine`, `starts` and `stretches`, one of the loop `loop`, one of a re-drive
    `redrive`, any other the first three.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.manifest: dict[str, Any] = read_manifest(directory)

    @property
    def id(self) -> str:
        return self.directory.name

    @property
    def policies(self) -> list[str]:
        """The policies in the order in which they were asked for, `identity` first."""
        return [p["label"] for p in self.manifest.get("policies", [])]

    @cached_property
    def requests(self) -> pd.DataFrame:
        """One row a transcript, policy and request."""
        return self._frame("requests")

    @cached_property
    def results(self) -> pd.DataFrame:
        """One row a transcript, policy and tool result."""
        return self._frame("results")

    @cached_property
    def transcripts(self) -> pd.DataFrame:
        """One row a transcript and policy."""
        return self._frame("transcripts")

    @property
    def engines(self) -> list[str]:
        """The engines in the order in which they were asked for."""
        return [e["label"] for e in self.manifest.get("engines", [])]

    @cached_property
    def engine(self) -> pd.DataFrame:
        """One row a turn of an engine and repetition (`harness.runs.engine_schema`)."""
        return self._frame("engine")

    @cached_property
    def starts(self) -> pd.DataFrame:
        """One row a start of an engine."""
        return self._frame("starts")

    @cached_property
    def stretches(self) -> pd.DataFrame:
        """One row a stretch in which one engine ran alone."""
        return self._frame("stretches")

    @cached_property
    def loop(self) -> pd.DataFrame:
        """One row a task, driver and policy of the live loop (`harness.runs.loop_schema`)."""
        return self._frame("loop")

    @cached_property
    def redrive(self) -> pd.DataFrame:
        """One row an engine, policy and recorded request (`harness.runs.redrive_schema`)."""
        return self._frame("redrive")

    def _frame(self, name: str) -> pd.DataFrame:
        path = self.directory / f"{name}.parquet"
        if not path.exists():
            raise HarnessError(f"{path}: missing, so the run was damaged after it was made; make it again")
        columns = (TABLES | ENGINE_TABLES | LOOP_TABLES | REDRIVE_TABLES)[name]
        categories = [c.name for c in columns if c.dtype == "category"]
        frame: pd.DataFrame = pq.read_table(path, read_dictionary=categories).to_pandas()
        absent = [c for c in columns if c.name not in frame]
        # An older run did not look at what came to be observed later: absent there, not zero.
        unknown = {c.name: pd.Series(pd.NA, frame.index, c.dtype) for c in absent if c.dtype in ABSENT}
        frame = frame.assign(**unknown)
        missing = [c.name for c in absent if c.dtype not in ABSENT]
        if missing:
            raise HarnessError(
                f"{path}: has no column {', '.join(missing[:3])}, so another build of this program made it; "
                "make the run again"
            )
        frame = frame.astype({c.name: c.dtype for c in columns})
        for key, known in (("policy", self.policies), ("engine", self.engines)):
            if key in frame and known:
                frame[key] = frame[key].cat.set_categories(known, ordered=True)
        return frame
