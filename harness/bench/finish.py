"""The end of a bench: tables out of the journal, then the manifest, last."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from harness.bench.claims import contradicted_by_system
from harness.bench.machine import Machine
from harness.bench.record import rows_of_task, task_digest
from harness.bench.rows import Judge
from harness.bench.settings import BenchSettings
from harness.bench.task import Task
from harness.runs.engine_schema import ENGINE, STARTS, STRETCHES
from harness.runs.journal import read_journal
from harness.runs.manifest import environment, write_manifest
from harness.runs.schema import Column
from harness.runs.tables import arrow_schema, write_table

Rows = list[dict[str, Any]]


def finish(
    directory: Path, settings: BenchSettings, tasks: list[Task], now: float, look: Callable[[], Machine]
) -> None:
    """Write the tables and the manifest of a run whose work is all in the journal.

    The turns are judged here, in one go, so that it does not come between the engine's turns. The time that it takes is
    counted as the harness's own, and apart; that of writing the tables is not.
    """
    header: dict[str, Any] = {}
    turns: Rows = []
    starts: Rows = []
    stretches: Rows = []
    wall = own = 0.0
    judge, by_id = Judge(), {task.id: task for task in tasks}
    before = look()
    for _, record in read_journal(directory):
        match record["kind"]:
            case "run":
                header = record
            case "start":
                starts.append(record)
            case "task":
                turns += rows_of_task(record, by_id[record["task"]], judge)
            case "stretch":
                stretches.append(record)
            case "account":
                wall += record["wall_seconds"]
                own += record["harness_cpu_seconds"]
    after = look()
    judging = after.own - before.own
    wall += after.clock - before.clock
    _join(turns, starts, stretches)
    turns.sort(key=lambda row: (row["engine"], row["task"], row["turn"], row["repetition"]))
    rows = {
        "engine": _write(directory, "engine", ENGINE, turns),
        "starts": _write(directory, "starts", STARTS, starts),
        "stretches": _write(directory, "stretches", STRETCHES, stretches),
    }
    identities = {record["engine"]: record["identity"] for record in starts}
    write_manifest(
        directory,
        {
            "run": directory.name,
            "command": header["command"],
            "settings": settings.to_record(),
            "engines": [{"label": s.label, "identity": identities.get(s.label)} for s in settings.specs()],
            "tasks": {
                "sha256": header["tasks"],
                "tasks": len({row["task"] for row in turns}),
                "digests": {task.id: task_digest(task, settings.system) for task in tasks},
            },
            "wall_seconds": wall,
            "harness_cpu_seconds": own + judging,
            "judging_cpu_seconds": judging,
            "rows": rows,
            "environment": environment(),
            "started": header["started"],
            "finished": now,
            "exit_status": 0,
        },
    )


def _join(turns: Rows, starts: Rows, stretches: Rows) -> None:
    """What is known of a stretch or of a start only, put into the rows of its turns."""
    seen = {record["stretch"]: record for record in stretches}
    # What a recording claims was said of another process, so the one that reads it is no witness.
    loaded = {record["engine"]: record["loaded_bytes"] for record in starts if record["identity"]["live"]}
    for row in turns:
        stretch = seen.get(row["stretch"], {})
        row["contended"] = stretch.get("contended")
        found = contradicted_by_system(row["claimed_memory"], stretch.get("peak_total"), loaded.get(row["engine"]))
        row["contradicted"] = "+".join([*filter(None, [row["contradicted"]]), *found])


def _write(directory: Path, name: str, columns: tuple[Column, ...], rows: Iterable[dict[str, Any]]) -> int:
    listed = list(rows)
    schema = arrow_schema(columns)
    table = pa.table({c.name: [row[c.name] for row in listed] for c in columns}, schema=schema)
    return write_table(directory, name, schema, [table])
