"""The turns of a run from its journal: the raw envelopes, and the rows that follow from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from harness.bench.outcome import Outcome
from harness.bench.rows import Judge
from harness.bench.session import turn_id
from harness.bench.settings import BenchSettings
from harness.bench.task import Task
from harness.engines.question import question_digest
from harness.engines.raw import unpack
from harness.engines.turn import TurnInput
from harness.errors import HarnessError
from harness.runs.inputs import changed, digests
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
    """Write an engine's envelopes of a run, in the first repetition, as a file for the engine `recorded`, each with the
    digest of the question that it answers. The tasks must be as the run read them (else a `HarnessError`).

    Returns how many. Times are left out, since they say nothing on another machine; turns that failed without an
    envelope are left out too.
    """
    _, header = next(read_journal(directory), (0, {}))
    settings = BenchSettings.from_record(header["settings"])
    if changed(header["inputs"], digests(settings)):
        raise HarnessError(f"{directory}: the task files changed since this run read them; its questions are not known")
    tasks = {task.id: task for task in settings.read()}
    written = 0
    with path.open("wb") as stream:
        for _, record in sorted(read_journal(directory), key=lambda entry: str(entry[1].get("task"))):
            if record["kind"] != "task" or record["engine"] != engine or record["repetition"] != 1:
                continue
            task = tasks[record["task"]]
            for number, outcome in enumerate(record["outcomes"], 1):
                if "failure" not in outcome and isinstance(outcome["envelope"], str):
                    question = question_of(task, number, settings.system)
                    line = {"id": turn_id(task, number), "question": question, "envelope": outcome["envelope"]}
                    stream.write(orjson.dumps(line) + b"\n")
                    written += 1
    return written


def task_digest(task: Task, system: str) -> str:
    """SHA-256 (16 hex digits) of all that is asked in a task and of what is right; the order of tools counts."""
    whole = hashlib.sha256()
    for number, turn in enumerate(task.turns, 1):
        right = json.dumps(asdict(turn), sort_keys=True, default=_plain)
        whole.update(f"{question_of(task, number, system)} {right}\n".encode("ascii"))
    return whole.hexdigest()[:16]


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else str(value)


def question_of(task: Task, number: int, system: str) -> str:
    """The digest of what an engine is asked in turn `number` (from 1). system: of the run."""
    turn = task.turns[number - 1]
    asked = TurnInput(turn_id(task, number), turn.input, turn.context)
    return question_digest(asked, task.tools, system if task.system is None else task.system)
