"""`harness match`: sizes at which policies cost the same, a replay of them, one table, one picture."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from harness.replay.settings import ReplaySettings
from harness.report.table_text import prose, table_text, width
from harness.runs.run import Run
from harness.show.replay import run_replay
from harness.tune.match import match
from harness.tune.match_files import lines, record, table, write_files
from harness.tune.matched import rows


def run_match(
    settings: ReplaySettings,
    to: str,
    policies: Sequence[str],
    beside: Sequence[str],
    results: Path,
    folder: Path,
    jobs: int,
    emit: Callable[[Any], None] | None,
) -> int:
    """Match, replay, print, write. Returns how many records could not be read."""
    found = match(settings, to, policies)
    labels = (to, *beside, *(one.policy.label for one in found.matched))
    directory = run_replay(dataclasses.replace(settings, policies=labels), results, None, jobs)
    run = Run(directory)
    compared = rows(run, found)
    written = write_files(found, compared, run.id, folder)
    if emit:
        emit(record(found, compared, str(directory)) | {"files": [str(path) for path in written]})
    else:
        said = "\n".join(prose(line, width()) for line in lines(found, compared))
        click.echo(f"{said}\n\n{table_text(table(found, compared), width())}\n")
        click.echo(f"run     {directory}\nreport  {written[-1]}")
    return len(run.manifest["problems"])
