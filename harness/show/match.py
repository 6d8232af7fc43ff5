"""`harness match`: sizes at which policies cost the same, a replay of them, one table, one picture."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from harness.replay.kind import REPLAY
from harness.replay.settings import ReplayHow, ReplaySettings
from harness.runs.run import Run
from harness.show.kind import begin
from harness.text import table
from harness.tune.match import match
from harness.tune.match_files import lines, record, table_rows, write_files
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
    directory = begin(REPLAY, dataclasses.replace(settings, policies=labels), results, ReplayHow(jobs))
    run = Run(directory)
    compared = rows(run, found)
    written = write_files(found, compared, run.id, folder)
    if emit:
        emit(record(found, compared, str(directory)) | {"files": [str(path) for path in written]})
    else:
        head, cells = table_rows(found, compared)
        click.echo("\n".join([*lines(found, compared), "", upright(head, cells), ""]))
        click.echo(f"run     {directory}\nreport  {written[-1]}")
    return len(run.manifest["problems"])


def upright(head: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """Figures down, policies across: a table of many figures that fits a terminal."""
    names = [row[0] for row in cells]
    turned = [[figure, *(row[n] for row in cells)] for n, figure in enumerate(head) if n]
    return table(turned, ["", *names], range(1, len(names) + 1))
