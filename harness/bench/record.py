"""The turns of a run from its journal: the raw envelopes, and the rows that follow from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from harness.bench.outcome import Outcome
from harness.bench.rows import Judge
from harness.bench.task import Task
from harness.engines.raw import unpack
from harness.runs.journal import read_journal

TurnKey = tuple[str, str, int, int]
"""engine, task, number of the turn, repetition."""

_PLACE = ("engine", "repetition", "stretch", "started")


def read_envelopes(directory: Path) -> Iterator[tuple[TurnKey, bytes]]:
    """Every raw envelope of a run, in the order in which they came; empty where the engine wrote nothing."""
    for _, record in read_journal(directory):
        if record["kind"] == "task":
            for number, outcome in enumerate(record["outcomes"], 1):
                key = record["engine"], record["task"], number, record["repetition"]
                yield key, unpack(outcome["envelope"])


def rows_of_task(record: dict[str, Any], task: Task, judge: Judge) -> Iterator[dict[str, Any]]:
    """The rows of a `task` record of the journal."""
    place = {key: record[key] for key in _PLACE}
    for number, outcome in enumerate(record["outcomes"], 1):
        yield judge.row(task, number, Outcome.from_record(outcome)) | place


def write_recording(directory: Path, engine: str, path: Path) -> int:
    """Write an engine's envelopes of a run, in the first repetition, as a file for the engine `recorded`.

    Returns how many. Times are left out, since they say nothing on another machine; turns that failed without an
    envelope are left out too.
    """
    written = 0
    with path.open("wb") as stream:
        for _, record in sorted(read_journal(directory), key=lambda entry: str(entry[1].get("task"))):
            if record["kind"] != "task" or record["engine"] != engine or record["repetition"] != 1:
                continue
            for number, outcome in enumerate(record["outcomes"], 1):
                if "failure" not in outcome and isinstance(outcome["envelope"], str):
                    line = {"id": f"{record['task']}/{number}", "envelope": outcome["envelope"]}
                    stream.write(orjson.dumps(line) + b"\n")
                    written += 1
    return written
