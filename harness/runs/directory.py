"""Run directories: `<UTC>-<short hash of the settings>`, each with a journal, and a manifest once it is finished."""

from __future__ import annotations

import calendar
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from harness.errors import HarnessError
from harness.runs.journal import NAME as JOURNAL
from harness.runs.journal import Journal, read_journal

FORM = "%Y%m%dT%H%M%SZ"


def new_run(results: Path, header: dict[str, Any]) -> Journal:
    """A new run directory with its journal; `header` holds `settings` and `started`, seconds since the epoch."""
    short = hashlib.sha256(orjson.dumps(header["settings"])).hexdigest()[:8]
    began = header["started"]
    while True:
        stamp = _stamp(results, began)
        try:
            return Journal.create(results / f"{stamp}-{short}", header)
        except FileExistsError:  # another process was faster
            began += 1


def _stamp(results: Path, started: float) -> str:
    """When a run began; a second after the newest run where that is not later, so that names stand in the order in
    which runs were made even where the clock was set back."""
    newest = max((_seconds(run) for run in results.iterdir()), default=0) if results.is_dir() else 0
    return time.strftime(FORM, time.gmtime(max(started, newest + 1)))


def _seconds(run: Path) -> int:
    """Since the epoch, as the name of a run says; 0 where it does not."""
    try:
        return calendar.timegm(time.strptime(run.name[:16], FORM))
    except ValueError:
        return 0


def find_run(results: Path, name: str) -> Path:
    """The run directory that `name` means: a path, the name of a run in `results` or an unambiguous start of it, or
    `last`.

    `last` is the newest finished run that holds anything.
    """
    if name != "last" and Path(name).is_dir():
        return Path(name)
    runs = list_runs(results)
    if name == "last":
        found = next((r for r in reversed(runs) if is_finished(r) and _holds_rows(r)), None)
        if found is None:
            raise HarnessError(f"no finished run in {results} that holds anything; make one with harness replay")
        return found
    matching = [r for r in runs if r.name == name] or [r for r in runs if r.name.startswith(name)]
    if len(matching) == 1:
        return matching[0]
    known = ", ".join(r.name for r in runs[-5:]) or "none"
    what = "no run" if not matching else f"{len(matching)} runs"
    raise HarnessError(f"{what} called {name!r} in {results}; the newest are: {known}")


def find_unfinished(results: Path, name: str, command: str, say: Callable[[str], None]) -> Path:
    """Like `find_run` for a run of a command to go on with.

    `last` is the newest unfinished one; newer folders that are no run, or one of another command, are passed over and
    `say` gets their names and why.
    """
    if name != "last":
        return find_run(results, name)
    for directory in reversed(list_runs(results)):
        if is_finished(directory) and not is_stopped(directory):
            continue
        begun = command_of(directory)
        if begun == command:
            return directory
        why = f"it is of harness {begun}" if begun else "its journal is not of a run that this program can go on with"
        say(f"passed over {directory.name}: {why}")
    raise HarnessError(f"no unfinished run of harness {command} in {results}: nothing to resume")


def _holds_rows(directory: Path) -> bool:
    """Whether a finished run has a row in any table: one that found nothing to replay has none."""
    try:
        rows = orjson.loads((directory / "manifest.json").read_bytes()).get("rows")
    except (orjson.JSONDecodeError, AttributeError):
        return True  # whoever opens it names the fault
    return not isinstance(rows, dict) or any(rows.values())


def command_of(directory: Path) -> str:
    """The command that began a run; empty for what is no run that can be gone on with."""
    try:
        header = next(read_journal(directory), (0, {}))[1]
    except (HarnessError, OSError):
        return ""
    return str(header.get("command", ""))


def list_runs(results: Path) -> list[Path]:
    """Run directories, oldest first."""
    if not results.is_dir():
        return []
    return sorted((p for p in results.iterdir() if (p / JOURNAL).exists()), key=lambda p: p.name)


def is_finished(directory: Path) -> bool:
    """Whether the run has its manifest, which is written last."""
    return (directory / "manifest.json").exists()


def is_stopped(directory: Path) -> bool:
    """Whether a run ended at its budget, so that it can be gone on with."""
    try:
        return "stopped" in orjson.loads((directory / "manifest.json").read_bytes())
    except (OSError, orjson.JSONDecodeError, TypeError):
        return False  # whoever opens it names the fault
