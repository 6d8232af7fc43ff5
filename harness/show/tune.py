"""`harness tune`: the front, the recommendation and what it is worth, then the files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from harness.show.inspect import intake_lines
from harness.text import table
from harness.tune.files import write_files
from harness.tune.paste import constants, toml_table
from harness.tune.settings import TuneSettings
from harness.tune.tune import run_trial
from harness.tune.verdict import Verdict, judge, record
from harness.tune.words import facts, front_rows, heading, held_out_lines

SHOWN = 20
"""Rows of the front on the terminal; the files have all."""


def tune(settings: TuneSettings, folder: Path, emit: Callable[[Any], None] | None) -> int:
    """Tune, print, write. Returns how many records could not be read."""
    trial = run_trial(settings)
    verdict = judge(trial)
    written = write_files(verdict, folder)
    if emit:
        emit(record(verdict) | {"files": [str(path) for path in written]})
    else:
        click.echo(tune_text(verdict))
        click.echo(f"\nreport  {written[-1]}")
    return len(trial.intake.problems)


def tune_text(verdict: Verdict) -> str:
    """For the terminal."""
    head, rows = front_rows(verdict)
    step = max(-(-len(rows) // SHOWN), 1)
    parts = [heading(verdict), *facts(verdict), *held_out_lines(verdict), table(rows[::step], head)]
    parts += ["recommended, for a suite:", toml_table(verdict.recommended, []).rstrip()]
    if text := constants(verdict.recommended):
        parts += ["as the constants of the reference:", text.rstrip()]
    return "\n".join([*parts, *intake_lines(verdict.trial.intake)])
