"""What every exporter writes: a document of one part a run, which the run's kind makes (`Kind.report`)."""

from __future__ import annotations

from collections.abc import Mapping

from harness.errors import HarnessError
from harness.report.part import Part
from harness.runs.run import Run


class Report:
    """A document. name: of its folder. title: the heading over all parts, empty where there is only one."""

    def __init__(self, name: str, title: str, parts: list[Part]) -> None:
        self.name = name
        self.title = title
        self.parts = parts


def report_of(run: Run, show_secrets: bool = False) -> Report:
    """The report of one run. Raises `HarnessError` for a run of which none is made."""
    if why := run.kind.empty(run):
        raise HarnessError(f"{run.directory}: {why}")
    return Report(run.id, "", [run.kind.report(run, "", show_secrets)])


def report_of_all(name: str, title: str, runs: Mapping[str, Run], show_secrets: bool = False) -> Report:
    """The report of several runs, by what each is called; runs with nothing in them are left out."""
    full = {called: run for called, run in runs.items() if not run.kind.empty(run)}
    places = {called: called if len(full) > 1 else "" for called in full}
    return Report(name, title, [run.kind.report(run, places[called], show_secrets) for called, run in full.items()])
