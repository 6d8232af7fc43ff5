"""`harness history`: figures over the nights, their steps on the terminal, tables and plots in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pandas as pd

from harness.errors import HarnessError
from harness.nightly.history import change_points, nights
from harness.nightly.history_files import write_history
from harness.nightly.steps import NO_RUPTURES, has_ruptures
from harness.nightly.tables import steps as steps_table
from harness.report.table import records
from harness.report.table_text import table_text, width
from harness.runs.annotations import read_annotations
from harness.text import number as counted

MOST = 40


def history(results: Path, suite: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The nights and their steps. Raises `HarnessError` where there is none."""
    frame = nights(results, suite, read_annotations(results))
    if frame.empty:
        raise HarnessError(f"{results}: no night of {suite or 'any suite'}; make one with harness nightly SUITE.toml")
    live = frame["kind"] != "measured"
    return frame, change_points(frame if has_ruptures() else frame[~live])


def show_history(results: Path, suite: str, report_dir: Path) -> None:
    """Print the steps, write tables and plots, print where."""
    frame, steps = history(results, suite)
    click.echo(
        f"{counted(frame['night'].nunique(), 'night')}, {counted(len(steps), 'step') if len(steps) else 'no steps'}"
    )
    if len(steps):
        click.echo(table_text(steps_table(records(steps.tail(MOST))), width()))
    if not has_ruptures():
        click.echo(f"timings and live figures: {NO_RUPTURES}")
    written = write_history(frame, steps, report_dir / "history")
    click.echo(f"\n{written[0]}\nand {counted(len(written) - 1, 'more file')} in {written[0].parent}")


def history_record(results: Path, suite: str) -> dict[str, Any]:
    """For a program."""
    frame, steps = history(results, suite)
    return {"nights": records(frame), "steps": records(steps)}
