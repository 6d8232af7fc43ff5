"""The life of a run, once: begin, go on, finish.

    from harness.loop.kind import LOOP
    directory = run(LOOP, LoopSettings(("reader",), ("car",), seeds=1), Path("results"))

Whatever interrupts it, the run can be gone on with: what was finished is in the journal.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.runs.directory import is_finished, is_stopped, new_run
from harness.runs.inputs import changed, digests, paths_of
from harness.runs.journal import Journal, read_journal
from harness.runs.kind import Going, Kind, Progress, S, quiet
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.seal import MANIFEST
from harness.settings import Settings

Clock = Callable[[], float]


def run(
    kind: Kind[S],
    settings: S,
    results: Path,
    how: Settings | None = None,
    progress: Progress = quiet,
    clock: Clock = time.time,
    world: Any = None,
) -> Path:
    """A new run directory, whole. how: settings of the kind that change no figure. world: stands for the engines and
    the machine in a test."""
    kind.check(settings)
    header = {
        "command": kind.name,
        "settings": settings.to_record(),
        "inputs": digests(settings),
        "started": clock(),
        "cwd": str(Path.cwd()),
    }
    with new_run(results, header) as journal:
        return _work(
            kind,
            settings,
            journal,
            Going(journal.path.parent, how or kind.how(), progress, clock, world, journal.append),
        )


def resume(
    kind: Kind[S],
    directory: Path,
    how: Settings | None = None,
    progress: Progress = quiet,
    clock: Clock = time.time,
    world: Any = None,
) -> Path:
    """Go on with an unfinished run; a finished one is returned as it is. Raises `HarnessError` where what the run
    reads is not what it was."""
    if is_finished(directory) and not is_stopped(directory):
        return directory
    with Journal.reopen(directory) as journal:
        _, header = next(read_journal(directory), (0, {}))
        if header.get("command") != kind.name:
            raise HarnessError(f"{directory}: the journal has no header of a {kind.name}; start a new run")
        if header["schema"] < SCHEMA_VERSION:
            raise HarnessError(f"{directory}: begun with schema {header['schema']}, an older one; start a new run")
        settings = _settings(kind, header, directory)
        began = header.get("cwd", str(Path.cwd()))
        if began != str(Path.cwd()) and not all(Path(p).is_absolute() for p in paths_of(settings)):
            raise HarnessError(f"{directory}: its files were named from {began}: go on with it from there")
        if not kind.looks_itself and (other := changed(header.get("inputs", {}), digests(settings))):
            raise HarnessError(f"{directory}: {', '.join(other)} changed since this run began; start a new run")
        (directory / MANIFEST).unlink(missing_ok=True)
        return _work(
            kind, settings, journal, Going(directory, how or kind.how(), progress, clock, world, journal.append)
        )


def settings_of(kind: Kind[S], directory: Path) -> S:
    """What an unfinished run was asked. Raises `HarnessError` for what is no run of the kind."""
    _, header = next(read_journal(directory), (0, {}))
    if header.get("command") != kind.name:
        raise HarnessError(f"{directory}: the journal has no header of a {kind.name}; start a new run")
    return _settings(kind, header, directory)


def _settings(kind: Kind[S], header: dict[str, Any], directory: Path) -> S:
    try:
        return kind.settings.from_record(header["settings"])  # type: ignore[return-value]  # S is what the kind holds
    except HarnessError as error:
        raise HarnessError(f"{directory}: {error}") from None


def _work(kind: Kind[S], settings: S, journal: Journal, going: Going) -> Path:
    for record in kind.work(settings, going):
        journal.append_line(record) if isinstance(record, bytes) else journal.append(record)
    from harness.runs.manifest import environment, write_manifest  # late: an engine counts what is loaded before it

    header = next(going.records())
    rows, facts = kind.finish(settings, going)
    write_manifest(
        going.directory,
        {
            "run": going.directory.name,
            "command": kind.name,
            "settings": settings.to_record(),
            **facts,
            "inputs": header.get("inputs", {}),
            "cwd": header.get("cwd", ""),
            "rows": rows,
            "environment": environment(),
            "started": header["started"],
            "finished": going.now(),
            "exit_status": 0,
        },
    )
    return going.directory
