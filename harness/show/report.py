"""`harness report`: what a run, or all runs of a suite, are written to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.errors import HarnessError
from harness.report.write import write_report, write_suite_report
from harness.runs.directory import find_run
from harness.runs.groups import read_groups
from harness.runs.run import Run
from harness.show.pages import write_pages


def written_report(
    results: Path, name: str, report_dir: Path, formats: Sequence[str], pages: int, show_secrets: bool
) -> list[Path]:
    """Write the report; returns its files. name: of a run, or of a group of runs. pages: how many of the requests most
    at risk are written as pages of their own; only a replay has them.
    """
    if group := next((g for g in read_groups(results) if g.name == name), None):
        if pages:
            raise HarnessError(
                f"{name}: --pages is for one replay; name one of its runs: {', '.join(group.runs.values())}"
            )
        runs = {part: Run(results / run) for part, run in group.runs.items()}
        return write_suite_report(group.name, group.suite, runs, report_dir, formats, show_secrets)
    run = Run(find_run(results, name))
    if pages and not run.policies:
        raise HarnessError(f"{run.directory}: --pages is for runs of harness replay")
    written = write_report(run, report_dir, formats, show_secrets)
    if pages:
        written += write_pages(run, report_dir / run.id / "pages", pages, show_secrets)
    return written
