"""A run as one reads it: its manifest, and its tables as pandas frames."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from harness.errors import HarnessError
from harness.results.engine_schema import ENGINE_TABLES
from harness.results.manifest import NAME, read_manifest
from harness.results.schema import TABLES


class Run:
    """A finished run directory. The frames hold the columns of `harness.results.schema`.

    A run of engines has the frames `engine`, `starts` and `stretches`, any other the first three.
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
        """One row a turn of an engine and repetition (`harness.results.engine_schema`)."""
        return self._frame("engine")

    @cached_property
    def starts(self) -> pd.DataFrame:
        """One row a start of an engine."""
        return self._frame("starts")

    @cached_property
    def stretches(self) -> pd.DataFrame:
        """One row a stretch in which one engine ran alone."""
        return self._frame("stretches")

    def _frame(self, name: str) -> pd.DataFrame:
        path = self.directory / f"{name}.parquet"
        if not path.exists():
            raise HarnessError(f"{path}: missing, so the run was damaged after it was made; make it again")
        columns = (TABLES | ENGINE_TABLES)[name]
        categories = [c.name for c in columns if c.dtype == "category"]
        frame: pd.DataFrame = pq.read_table(path, read_dictionary=categories).to_pandas()
        frame = frame.astype({c.name: c.dtype for c in columns})
        for key, known in (("policy", self.policies), ("engine", self.engines)):
            if key in frame and known:
                frame[key] = frame[key].cat.set_categories(known, ordered=True)
        return frame


def find_run(results: Path, name: str) -> Path:
    """The run directory that `name` means: a path, the name of a run in `results` or an unambiguous start of it, or
    `last`.

    `last` is the newest finished run.
    """
    if name != "last" and Path(name).is_dir():
        return Path(name)
    runs = list_runs(results)
    if name == "last":
        finished = [r for r in runs if (r / NAME).exists()]
        if not finished:
            raise HarnessError(f"no finished run in {results}; make one with harness replay")
        return finished[-1]
    matching = [r for r in runs if r.name.startswith(name)]
    if len(matching) == 1:
        return matching[0]
    known = ", ".join(r.name for r in runs[-5:]) or "none"
    what = "no run" if not matching else f"{len(matching)} runs"
    raise HarnessError(f"{what} called {name!r} in {results}; the newest are: {known}")


def find_unfinished(results: Path, name: str) -> Path:
    """Like `find_run` for a run to go on with; `last` is the newest unfinished one."""
    if name != "last":
        return find_run(results, name)
    unfinished = [r for r in list_runs(results) if not (r / NAME).exists()]
    if not unfinished:
        raise HarnessError(f"no unfinished run in {results}: nothing to resume")
    return unfinished[-1]


def list_runs(results: Path) -> list[Path]:
    """Run directories, oldest first."""
    if not results.is_dir():
        return []
    return sorted((p for p in results.iterdir() if (p / "journal.jsonl").exists()), key=lambda p: p.name)
