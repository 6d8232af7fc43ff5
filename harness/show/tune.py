"""`harness tune`: the front, the recommendation and what it is worth, then the files."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from harness.report.table import Table
from harness.report.table_text import prose, table_text, width
from harness.show.inspect import intake_lines
from harness.tune.files import tune_record, write_files
from harness.tune.paste import constants, toml_table
from harness.tune.settings import TuneSettings
from harness.tune.tune import run_trial
from harness.tune.verdict import Verdict, judge
from harness.tune.words import facts, front, heading, held_out_lines

SHOWN = 20
"""Rows of the front on the terminal; the files have all."""


def tune(settings: TuneSettings, folder: Path, emit: Callable[[Any], None] | None) -> int:
    """Tune, print, write. Returns how many records could not be read."""
    trial = run_trial(settings)
    verdict = judge(trial)
    written = write_files(verdict, folder)
    if emit:
        emit(tune_record(verdict) | {"files": [str(path) for path in written]})
    else:
        click.echo(tune_text(verdict))
        click.echo(f"\nreport  {written[-1]}")
    return len(trial.intake.problems)


def tune_text(verdict: Verdict) -> str:
    """For the terminal."""
    columns = width()
    lines = [heading(verdict), *facts(verdict), *held_out_lines(verdict)]
    parts = ["\n".join(prose(line, columns) for line in lines), table_text(thinned(front(verdict)), columns)]
    parts.append(f"recommended, for a suite:\n{toml_table(verdict.recommended, []).rstrip()}")
    if text := constants(verdict.recommended):
        parts.append(f"as the constants of the reference:\n{text.rstrip()}")
    return "\n\n".join([*parts, *intake_lines(verdict.trial.intake)])


def thinned(table: Table) -> Table:
    """Some of the rows, from one end to the other."""
    rows = table.records()
    return dataclasses.replace(table, data=rows[:: max(-(-len(rows) // SHOWN), 1)])
