"""`harness report`: what a run, or all runs of a suite, are written to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.errors import HarnessError
from harness.report.write import write_part, write_report, write_suite_report
from harness.runs.directory import find_run
from harness.runs.groups import read_groups
from harness.runs.run import Run
from harness.show.pages import FOLDER, write_pages


def written_report(
    results: Path,
    name: str,
    report_dir: Path,
    formats: Sequence[str],
    pages: int,
    show_secrets: bool,
    policies: Sequence[str] = (),
    against: str = "",
) -> list[Path]:
    """Write the report; returns its files. name: of a run, or of a group of runs. pages: how many of the requests most
    at risk under each of `policies` (all if none is named) are written as pages of their own; against: only those of
    which this policy shows everything. Only a replay has them.
    """
    if group := next((g for g in read_groups(results) if g.name == name), None):
        if pages:
            raise HarnessError(
                f"{name}: --pages is for one replay; name one of its runs: {', '.join(group.runs.values())}"
            )
        runs = {part: Run(results / run) for part, run in group.runs.items()}
        return write_suite_report(group.name, group.suite, runs, report_dir, formats, show_secrets)
    run = Run(find_run(results, name))
    if (policies or against) and not pages:
        raise HarnessError("--policy and --against choose pages: say how many a policy with --pages N")
    if pages and not run.policies:
        raise HarnessError(f"{run.directory}: --pages is for runs of harness replay")
    if not pages:
        return write_report(run, report_dir, formats, show_secrets)
    proofs, links = write_pages(run, report_dir / run.id / FOLDER, pages, show_secrets, policies, against)
    part = run.kind.report(run, "", show_secrets)
    part.link(links)
    return [*write_part(part, report_dir, formats), *proofs]
