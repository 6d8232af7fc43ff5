"""`harness redrive`: progress while it runs, the summary at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from harness.redrive.runner import redrive, resume
from harness.redrive.settings import RedriveSettings
from harness.runs.directory import find_unfinished
from harness.text import aside


def run_redrive(settings: RedriveSettings, results: Path, resume_run: str | None, record: Path | None) -> Path:
    """Carry a re-drive out, with a progress count on a terminal only. Returns the run directory."""
    with tqdm(unit="request", desc="redrive", disable=not sys.stderr.isatty(), leave=False) as bar:

        def progress(done: int) -> None:
            bar.update(done - bar.n)

        if resume_run:
            return resume(find_unfinished(results, resume_run, "redrive", aside), progress, record)
        return redrive(settings, results, progress, record)


def finish_redrive(
    directory: Path, report_dir: Path, emit: Callable[[Any], None] | None, show_secrets: bool = False
) -> None:
    """Print the summary (or hand it to `emit`), write the report, print its path."""
    from harness.report.report import part_of
    from harness.report.write import write_report
    from harness.runs.run import Run

    run = Run(directory)
    written = write_report(run, report_dir, ["html", "md", "csv"], show_secrets)
    if emit:
        emit(part_of(run, "", show_secrets).record() | {"run": str(directory), "report": str(written[0])})
    else:
        click.echo(part_of(run, "", show_secrets).text())
        click.echo(f"\nrun     {directory}\nreport  {written[0]}")
