"""`harness loop`: progress while it runs, the tables at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from harness.loop.runner import loop, resume
from harness.loop.settings import LoopSettings
from harness.runs.directory import find_unfinished
from harness.runs.run import Run
from harness.text import aside


def run_loop(settings: LoopSettings, results: Path, resume_run: str | None, record: Path | None) -> Path:
    """Carry a loop out, with a progress bar on a terminal only. Returns the run directory."""
    with tqdm(unit="task", desc="loop", disable=not sys.stderr.isatty(), leave=False) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        if resume_run:
            return resume(find_unfinished(results, resume_run, "loop", aside), progress, record)
        return loop(settings, results, progress, record)


def finish_loop(
    directory: Path, report_dir: Path, emit: Callable[[Any], None] | None, show_secrets: bool = False
) -> None:
    """Print the tables (or hand them to `emit`), write the report, print its path."""
    from harness.report.report import part_of
    from harness.report.write import write_report

    run = Run(directory)
    written = write_report(run, report_dir, ["html", "md", "csv"], show_secrets)
    if emit:
        emit(part_of(run, "", show_secrets).record() | {"run": str(directory), "report": str(written[0])})
    else:
        click.echo(part_of(run, "", show_secrets).text())
        click.echo(f"\nrun     {directory}\nreport  {written[0]}")
