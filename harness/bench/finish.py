"""The end of a bench: turns judged, tables out of the journal."""

from __future__ import annotations

from harness.bench.claims import contradicted_by_system
from harness.bench.record import rows_of_task, task_digest
from harness.bench.rows import Judge
from harness.bench.runner import REAL
from harness.bench.settings import BenchSettings
from harness.runs.engine_schema import ENGINE_TABLES
from harness.runs.kind import Going, Record
from harness.runs.tables import write_rows


def finish(settings: BenchSettings, going: Going) -> tuple[dict[str, int], Record]:
    """Write the tables of a run whose work is all in the journal; their row counts, and what the manifest says.

    The turns are judged here, in one go, so that it does not come between the engine's turns. The time that it takes is
    counted as the harness's own, and apart; that of writing the tables is not.
    """
    look = (going.world or REAL).look
    turns: list[Record] = []
    starts: list[Record] = []
    stretches: list[Record] = []
    wall = own = 0.0
    judge, by_id = Judge(), {task.id: task for task in settings.read()}
    before = look()
    for record in going.records():
        match record["kind"]:
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
    tables = {"engine": turns, "starts": starts, "stretches": stretches}
    counts = {name: write_rows(going.directory, name, ENGINE_TABLES[name], rows) for name, rows in tables.items()}
    identities = {record["engine"]: record["identity"] for record in starts}
    return counts, {
        "engines": [{"label": s.label, "identity": identities.get(s.label)} for s in settings.specs()],
        "tasks": {
            "sha256": settings.digest(),
            "tasks": len({row["task"] for row in turns}),
            "digests": {task.id: task_digest(task, settings.system) for task in by_id.values()},
        },
        "wall_seconds": wall,
        "harness_cpu_seconds": own + judging,
        "judging_cpu_seconds": judging,
    }


def _join(turns: list[Record], starts: list[Record], stretches: list[Record]) -> None:
    """What is known of a stretch or of a start only, put into the rows of its turns."""
    seen = {record["stretch"]: record for record in stretches}
    # What a recording claims was said of another process, so the one that reads it is no witness.
    loaded = {record["engine"]: record["loaded_bytes"] for record in starts if record["identity"]["live"]}
    for row in turns:
        stretch = seen.get(row["stretch"], {})
        row["contended"] = stretch.get("contended")
        found = contradicted_by_system(row["claimed_memory"], stretch.get("peak_total"), loaded.get(row["engine"]))
        row["contradicted"] = "+".join([*filter(None, [row["contradicted"]]), *found])
