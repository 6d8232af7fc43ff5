"""`harness bench`: progress while it runs, the summary at its end.

What the summary needs is imported after the engines have run: on Linux a process counts the memory of the one that
started it among its own peak (`ru_maxrss`), and engines report that figure.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from harness.bench.runner import bench, resume
from harness.bench.settings import BenchSettings
from harness.runs.directory import find_unfinished
from harness.text import aside


def run_bench(settings: BenchSettings, results: Path, resume_run: str | None) -> Path:
    """Carry a bench out, with a progress bar on a terminal only. Returns the run directory."""
    with tqdm(unit="turn", desc="bench", disable=not sys.stderr.isatty(), leave=False) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        if resume_run:
            return resume(find_unfinished(results, resume_run, "bench", aside), progress)
        return bench(settings, results, progress)


def finish_bench(
    directory: Path, report_dir: Path, emit: Callable[[Any], None] | None, show_secrets: bool = False
) -> None:
    """Print the summary (or hand it to `emit`), write the report, print its path."""
    from harness.bench.summary import BenchSummary
    from harness.report.report import part_of
    from harness.report.write import write_report
    from harness.runs.run import Run

    run = Run(directory)
    written = write_report(run, report_dir, ["html", "md", "csv"], show_secrets)
    if emit:
        emit(BenchSummary(run).to_record() | {"run": str(directory), "report": str(written[0])})
    else:
        click.echo(part_of(run, "", show_secrets).text())
        click.echo(f"\nrun     {directory}\nreport  {written[0]}")
