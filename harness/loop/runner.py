"""The live loop: every task under every policy by every driver, recorded as it is done; then the table.

from harness.loop.runner import loop
from harness.loop.settings import LoopSettings
loop(LoopSettings(("reader",), ("car",), seeds=1), Path("results"))
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from harness.errors import HarnessError
from harness.export import exporter_named
from harness.loop.rows import task_rows
from harness.loop.settings import LoopSettings
from harness.runs.directory import new_run
from harness.runs.journal import Journal, read_journal
from harness.runs.loop_schema import LOOP
from harness.runs.manifest import environment, write_manifest
from harness.runs.tables import arrow_schema, write_table
from harness.transcript import Transcript

Progress = Callable[[int, int], None]
"""Called with tasks done and tasks in all, each counted once a driver."""

RECORDED_AS = "openai-messages"


def _quiet(done: int, total: int) -> None:
    pass


def loop(
    settings: LoopSettings,
    results: Path,
    progress: Progress = _quiet,
    record: Path | None = None,
    clock: Callable[[], float] = time.time,
) -> Path:
    """Run into a new run directory and return it. Whatever interrupts it, the run can be resumed. record: a folder
    into which every transcript is written."""
    settings.make_policies()
    settings.make_tasks()
    header = {"command": "loop", "settings": settings.to_record(), "started": clock()}
    settings.make_drivers()
    with new_run(results, header) as journal:
        return _carry_out(settings, journal, progress, record, clock)


def resume(
    directory: Path,
    progress: Progress = _quiet,
    record: Path | None = None,
    clock: Callable[[], float] = time.time,
) -> Path:
    """Go on with an unfinished run; a finished one is returned as it is."""
    if (directory / "manifest.json").exists():
        return directory
    with Journal.reopen(directory) as journal:
        header = next(read_journal(directory), None)
        if header is None or header[1].get("command") != "loop":
            raise HarnessError(f"{directory}: the journal has no header of a loop; start a new run")
        return _carry_out(LoopSettings.from_record(header[1]["settings"]), journal, progress, record, clock)


def _carry_out(
    settings: LoopSettings, journal: Journal, progress: Progress, record: Path | None, clock: Callable[[], float]
) -> Path:
    directory = journal.path.parent
    done = {(r["driver"], r["task"]) for _, r in read_journal(directory) if r["kind"] == "task"}
    tasks, drivers = settings.make_tasks(), settings.make_drivers()
    policies, counting, tariff = settings.make_policies(), settings.counting(), settings.tariff()
    number, total = 0, len(tasks) * len(drivers)
    for driver in drivers:
        known = False
        try:
            for task in tasks:
                if (driver.label, task.id) not in done:
                    rows = task_rows(task, driver, [*policies], counting, tariff, Recorder(record).write)
                    if driver.identity and not known:
                        identity = driver.identity.to_record()
                        journal.append({"kind": "engine", "label": driver.label, "identity": identity})
                        known = True
                    journal.append({"kind": "task", "driver": driver.label, "task": task.id, "rows": rows})
                number += 1
                progress(number, total)
        finally:
            driver.close()
    _finish(directory, settings, clock())
    return directory


class Recorder:
    """Writes transcripts into a folder, one file each; without a folder, nowhere."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._exporter = exporter_named(RECORDED_AS)

    def write(self, transcript: Transcript) -> None:
        if self._folder is None:
            return
        task, driver, policy = (re.sub(r"[^\w.=-]+", "-", part) for part in transcript.id.split("@", 2))
        path = self._folder / driver / policy / f"{task}{self._exporter.suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._exporter.export(transcript))


def _finish(directory: Path, settings: LoopSettings, now: float) -> None:
    """The table out of the journal, sorted, then the manifest, last."""
    header: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    engines: list[dict[str, Any]] = []
    for _, record in read_journal(directory):
        match record["kind"]:
            case "run":
                header = record
            case "engine":
                engine = {"label": record["label"], "identity": record["identity"]}
                engines += [engine] * (engine not in engines)
            case _:
                rows += record["rows"]
    policies = settings.make_policies()
    order = {policy.label: n for n, policy in enumerate(policies)}
    rows.sort(key=lambda row: (row["driver"], row["task"], order[row["policy"]]))
    schema = arrow_schema(LOOP)
    table = pa.table({c.name: [row[c.name] for row in rows] for c in LOOP}, schema=schema)
    write_manifest(
        directory,
        {
            "run": directory.name,
            "command": "loop",
            "settings": settings.to_record(),
            "policies": [{"label": p.label, "stage": p.stage, "settings": dict(p.settings)} for p in policies],
            "drivers": sorted({row["driver"] for row in rows}),
            "identities": engines,
            "rows": {"loop": write_table(directory, "loop", schema, [table])},
            "environment": environment(),
            "started": header["started"],
            "finished": now,
            "exit_status": 0,
        },
    )
