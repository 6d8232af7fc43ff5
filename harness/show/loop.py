"""`harness loop`: progress while it runs, the tables at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pandas as pd
from tqdm import tqdm

from harness.loop.runner import loop, resume
from harness.loop.settings import LoopSettings
from harness.loop.tables import tables
from harness.loop.validity import judged, worst_family
from harness.loop.words import CHECK, NOTHING, TITLES, weak_lines, worst_line
from harness.runs.directory import find_unfinished
from harness.runs.run import Run
from harness.text import aside, table


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
    from harness.report.write import write_report

    run = Run(directory)
    written = write_report(run, report_dir, ["html", "md", "csv"], show_secrets)
    if emit:
        emit(loop_record(run.loop) | {"run": str(directory), "report": str(written[0])})
    else:
        click.echo(loop_text(run.loop))
        click.echo(f"\nrun     {directory}\nreport  {written[0]}")


def loop_record(frame: pd.DataFrame) -> dict[str, Any]:
    """All tables as lists of rows; what is not identified is null."""
    found = {name: _plain(one).to_dict("records") for name, one in tables(frame).items()}
    return {
        "runs": len(frame),
        "worst_family": worst_family(judged(frame)),
        "not_identified": weak_lines(frame),
    } | found


def loop_text(frame: pd.DataFrame) -> str:
    """All tables as text."""
    parts = [f"{len(frame):,} runs", *weak_lines(frame)]
    for name, one in tables(frame).items():
        if len(one):
            rows = [[_cell(value) for value in row] for row in _plain(one).itertuples(index=False)]
            numbers = [n for n, c in enumerate(one.columns) if pd.api.types.is_numeric_dtype(one[c])]
            shown = table(rows, [str(c).replace("_", " ") for c in one.columns], numbers)
        else:
            shown = NOTHING.get(name, "")
        if shown:
            parts.append(f"{TITLES[name]}\n\n{shown}")
    if line := worst_line(frame):
        parts.append(line)
    return "\n\n".join([*parts, CHECK])


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype(object).where(frame.notna(), None)


def _cell(value: Any) -> str:
    if value is None:
        return "not identified"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
