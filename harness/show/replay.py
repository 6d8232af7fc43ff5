"""`harness replay`: progress while it runs, the summary at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from harness.errors import HarnessError
from harness.replay.runner import replay, resume
from harness.replay.settings import ReplaySettings
from harness.runs.directory import find_unfinished
from harness.runs.run import Run
from harness.text import aside


def run_replay(settings: ReplaySettings, results: Path, resume_run: str | None, jobs: int) -> Path:
    """Carry a replay out, with a progress bar on a terminal only. Returns the run directory."""
    with tqdm(unit="B", unit_scale=True, desc="replay", disable=not sys.stderr.isatty(), leave=False) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        if resume_run:
            return resume(find_unfinished(results, resume_run, "replay", aside), jobs, progress)
        return replay(settings, results, jobs, progress)


def finish_replay(
    directory: Path, report_dir: Path, emit: Callable[[Any], None] | None, show_secrets: bool = False
) -> int:
    """Print the summary (or hand it to `emit`), write the report, print its path. Returns the number of problems.

    Raises `HarnessError` if there was nothing to replay.
    """
    from harness.report.report import holds_anything, nothing
    from harness.report.summary import summarize, summary_record
    from harness.report.terminal import summary_text
    from harness.report.write import write_report

    run = Run(directory)
    if not holds_anything(run):
        raise HarnessError(nothing(run))
    summary = summarize(run)
    written = write_report(run, report_dir, ["html", "md", "csv"], show_secrets)
    if emit:
        emit(summary_record(summary) | {"run": str(directory), "report": str(written[0])})
    else:
        click.echo(summary_text(summary))
        click.echo(f"\nrun     {directory}\nreport  {written[0]}")
    return len(run.manifest["problems"])
