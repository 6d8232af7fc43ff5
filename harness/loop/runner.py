"""The work of a loop: every task under every policy by every driver, recorded as it is done; then its rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.export import exporter_named
from harness.loop.rows import task_rows
from harness.loop.settings import LoopSettings
from harness.runs.kind import Going, Record, Rows
from harness.transcript import Transcript

RECORDED_AS = "openai-messages"


def work(settings: LoopSettings, going: Going) -> Iterator[Record]:
    """The records of the tasks that are not done yet."""
    done = {(r["driver"], r["task"]) for r in going.records() if r["kind"] == "task"}
    tasks, drivers = settings.make_tasks(), settings.make_drivers()
    policies, counting, tariff = settings.make_policies(), settings.counting(), settings.tariff()
    recorder = Recorder(going.how.record)
    number, total = 0, len(tasks) * len(drivers)
    for driver in drivers:
        known = False
        try:
            for task in tasks:
                if (driver.label, task.id) not in done:
                    rows = task_rows(task, driver, [*policies], counting, tariff, recorder.write)
                    if driver.identity and not known:
                        yield {"kind": "engine", "label": driver.label, "identity": driver.identity.to_record()}
                        known = True
                    yield {"kind": "task", "driver": driver.label, "task": task.id, "rows": rows}
                number += 1
                going.progress(number, total)
        finally:
            driver.close()


class Recorder:
    """Writes transcripts into a folder, one file each; without a folder, nowhere."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._exporter = exporter_named(RECORDED_AS)

    def write(self, transcript: Transcript) -> None:
        if self._folder is None:
            return
        task, driver, policy = (re.sub(r"[^\w.=-]+", "-", part) for part in transcript.id.split("@", 2))
        path = Path(self._folder) / driver / policy / f"{task}{self._exporter.suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._exporter.export(transcript))


def rows_of(settings: LoopSettings, records: list[Record]) -> tuple[Rows, Record]:
    """The rows, sorted, and what the manifest says beside them."""
    rows: list[dict[str, Any]] = []
    engines: list[dict[str, Any]] = []
    for record in records:
        if record["kind"] == "engine":
            engine = {"label": record["label"], "identity": record["identity"]}
            engines += [engine] * (engine not in engines)
        elif record["kind"] == "task":
            rows += record["rows"]
    policies = settings.make_policies()
    order = {policy.label: n for n, policy in enumerate(policies)}
    rows.sort(key=lambda row: (row["driver"], row["task"], order[row["policy"]]))
    return {"loop": rows}, {
        "policies": [{"label": p.label, "stage": p.stage, "settings": dict(p.settings)} for p in policies],
        "drivers": sorted({row["driver"] for row in rows}),
        "identities": engines,
    }
