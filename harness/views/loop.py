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
from harness.loop.validity import worst_family
from harness.results.directory import find_unfinished
from harness.results.run import Run
from harness.views.text import table

TITLES = {
    "drivers": "Drivers under identity (live)",
    "policies": "Outcomes by policy (live; ratio and difference against identity, 95 % over templates)",
    "uptake": "Handles (live)",
    "reading": "What reading a handle buys, means a run (replayed tokens to evidence: of the recording; the rest live)",
    "validity": "Estimate against loop, by family (added calls)",
    "validity_by_need": "Estimate against loop, by what the task needs",
    "validity_by_policy": "Estimate against loop, by policy",
    "failures": "Where the estimate does not cover what happened",
}


def run_loop(settings: LoopSettings, results: Path, resume_run: str | None, record: Path | None) -> Path:
    """Carry a loop out, with a progress bar on a terminal only. Returns the run directory."""
    with tqdm(unit="task", desc="loop", disable=not sys.stderr.isatty(), leave=False) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        if resume_run:
            return resume(find_unfinished(results, resume_run), progress, record)
        return loop(settings, results, progress, record)


def finish_loop(directory: Path, emit: Callable[[Any], None] | None) -> None:
    """Print the tables, or hand them to `emit`."""
    frame = Run(directory).loop
    if emit:
        emit(loop_record(frame) | {"run": str(directory)})
    else:
        click.echo(loop_text(frame))
        click.echo(f"\nrun     {directory}")


def loop_record(frame: pd.DataFrame) -> dict[str, Any]:
    """All tables as lists of rows; what is not identified is null."""
    found = {name: _plain(one).to_dict("records") for name, one in tables(frame).items()}
    return {"runs": len(frame), "worst_family": worst_family(frame)} | found


def loop_text(frame: pd.DataFrame) -> str:
    """All tables as text."""
    parts = [f"{len(frame):,} runs"]
    for name, one in tables(frame).items():
        rows = [[_cell(value) for value in row] for row in _plain(one).itertuples(index=False)]
        numbers = [n for n, c in enumerate(one.columns) if pd.api.types.is_numeric_dtype(one[c])]
        parts.append(f"{TITLES[name]}\n\n{table(rows, [c.replace('_', ' ') for c in one.columns], numbers)}")
        if name == "drivers" and not one.identifies.all():
            weak = ", ".join(map(str, one[~one.identifies].driver))
            parts.append(
                f"{weak}: passes under half of the tasks under identity, so nothing about policies is identified."
            )
    if (worst := worst_family(frame)) is not None and worst["reason"]:
        parts.append(
            f"The estimate covers {worst['family']} least ({100 * worst['covered']:.0f} % of its runs). "
            f"{100 * worst['share_of_misses']:.0f} % of its misses: {worst['reason']}."
        )
    parts.append(
        "Against readers this is a consistency check: a reader behaves much as the estimate assumes. "
        "Against models it is validity."
    )
    return "\n\n".join(parts)


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
