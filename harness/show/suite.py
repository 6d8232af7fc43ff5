"""`harness run`: a suite's parts one after the other, each with its summary and report."""

from __future__ import annotations

from pathlib import Path

import click

from harness.nightly.carry_out import Options, carry_out, settled
from harness.nightly.read import Part, Suite
from harness.show.nightly import resumable
from harness.text import aside
from harness.tune.settings import TuneSettings


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
    """Carry a suite out, print every part's summary, write one report of all runs and the files of every tuning, print
    its path last."""
    from harness.report.write import write_suite_report
    from harness.runs.run import Run

    with resumable(results):
        group = carry_out(suite, results, options, aside)
        settled(results, suite.name)
    runs = {part.name: Run(results / group.runs[part.name]) for part in suite.runs}
    for part in suite.runs:
        run = runs[part.name]
        said = run.kind.empty(run) or run.kind.report(run).text()
        click.echo(f"\n── {part.kind} {part.name}\n\n{said}\n\nrun     {run.directory}")
    left = [_tuned(part, report_dir / group.name / "tune" / part.name) for part in suite.parts if part.kind == "tune"]
    if suite.report and runs:
        left = write_suite_report(group.name, suite.name, runs, report_dir, suite.report)[:1]
    for path in left[-1:]:
        click.echo(f"\nreport  {path}")


def _tuned(part: Part, folder: Path) -> Path:
    """Carry a tuning out, print what it says; the path of its report."""
    from harness.show.tune import tune_text
    from harness.tune.files import write_files
    from harness.tune.tune import run_trial
    from harness.tune.verdict import judge

    assert isinstance(part.settings, TuneSettings)
    verdict = judge(run_trial(part.settings))
    written = write_files(verdict, folder)[-1]
    click.echo(f"\n── tune {part.name}\n\n{tune_text(verdict)}\n\nfiles   {written.parent}")
    return written
