"""`harness run`: a suite's parts one after the other, each with its summary and report."""

from __future__ import annotations

from pathlib import Path

import click

from harness.suite.carry_out import Options, carry_out, settled
from harness.suite.read import Suite
from harness.views.bench import finish_bench
from harness.views.nightly import resumable
from harness.views.replay import finish_replay


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
    """Carry a suite out and print every part's summary, the path of its report last."""
    with resumable(results):
        group = carry_out(suite, results, options, lambda line: click.echo(line, err=True))
        settled(results, suite.name)
    for part in suite.parts:
        click.echo(f"\n── {part.kind} {part.name}\n")
        directory = results / group.runs[part.name]
        if part.kind == "bench":
            finish_bench(directory, None)
        else:
            finish_replay(directory, report_dir, None)
    click.echo()
    for part in suite.parts:
        if part.kind == "replay":
            click.echo(f"report of {part.name}: {report_dir / group.runs[part.name] / 'index.html'}")
