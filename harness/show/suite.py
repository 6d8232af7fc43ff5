"""`harness run`: a suite's parts one after the other, each with its summary and report."""

from __future__ import annotations

from pathlib import Path

import click

from harness.nightly.carry_out import Options, carry_out, settled
from harness.nightly.read import Suite
from harness.show.ended import reporting, told
from harness.show.kind import end_of_bugs
from harness.show.nightly import resumable
from harness.text import aside


def plan_text(suite: Suite) -> str:
    """What a suite would run, for `--dry-run`."""
    lines = [f"suite {suite.name} ({suite.place})"]
    for part in suite.parts:
        record = part.settings.to_record()
        lines.append(f"  {part.kind} {part.name}")
        lines += [f"    {key}: {_listed(value)}" for key, value in record.items() if value not in (None, "", ())]
    return "\n".join(lines)


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def run_suite(suite: Suite, results: Path, report_dir: Path, options: Options) -> None:
    """Carry a suite out, print every part's summary, write one report of all runs, print its
    path last."""
    from harness.report.write import write_suite_report
    from harness.runs.run import Run

    with resumable(results):
        group = carry_out(suite, results, options, aside)
        settled(results, suite.name)
    runs = {part.name: Run(results / group.runs[part.name]) for part in suite.parts}
    for part in suite.parts:
        run = runs[part.name]
        said = run.kind.empty(run) or run.kind.report(run).text()
        click.echo(f"\n── {part.kind} {part.name}\n\n{said}\n\nrun     {run.directory}")
    if suite.report and runs:
        with told(report_dir, lambda: reporting(Path(group.name), results)):
            first, *_ = write_suite_report(group.name, suite.name, runs, report_dir, suite.report)
        click.echo(f"\nreport  {first}")
    end_of_bugs([problem for run in runs.values() for problem in run.manifest.get("problems", ())])
