"""What every exporter writes: a document of one part a run.

A kind of run is added here: what its manifest calls its command, and the class that makes a part of it. Most are a
list of sections (`harness.report.sections`); harness/bench/sections is an example.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import cast

from harness.errors import HarnessError
from harness.report.part import Part
from harness.runs.run import Run

SHOWN = 3
PARTS: dict[str, str] = {
    "replay": "harness.report.replay:Replay",
    "bench": "harness.bench.sections.part:Engines",
    "redrive": "harness.redrive.sections.part:Redrive",
    "loop": "harness.loop.sections.part:Loop",
}


class Report:
    """A document. name: of its folder. title: the heading over all parts, empty where there is only one."""

    def __init__(self, name: str, title: str, parts: list[Part]) -> None:
        self.name = name
        self.title = title
        self.parts = parts


def report_of(run: Run, show_secrets: bool = False) -> Report:
    """The report of one run. Raises `HarnessError` for a run of which none is made."""
    if not holds_anything(run):
        raise HarnessError(f"{run.directory}: {nothing(run)}")
    return Report(run.id, "", [part_of(run, "", show_secrets)])


def report_of_all(name: str, title: str, runs: Mapping[str, Run], show_secrets: bool = False) -> Report:
    """The report of several runs, by what each is called; runs with nothing in them are left out."""
    full = {called: run for called, run in runs.items() if holds_anything(run)}
    places = {called: called if len(full) > 1 else "" for called in full}
    return Report(name, title, [part_of(run, places[called], show_secrets) for called, run in full.items()])


def holds_anything(run: Run) -> bool:
    """Whether there is something to report: a replay may have found no transcripts."""
    return bool(run.manifest.get("corpus", {"transcripts": 1})["transcripts"])


def nothing(run: Run) -> str:
    """Why a replay found no transcript, and what to do."""
    skipped = [f"{name}: {why}" for name, why in run.manifest["skipped"]]
    broken = [f"{p['place']}: {p['reason']}" for p in run.manifest["problems"]]
    named = "; ".join((broken + skipped)[:SHOWN]) + ("; …" if len(broken + skipped) > SHOWN else "")
    found = f"{named}; harness inspect lists all, harness list formats what can be read" if named else "no file in it"
    return f"nothing to replay, no transcript was found ({len(skipped)} skipped, {len(broken)} broken): {found}"


def part_of(run: Run, place: str, show_secrets: bool) -> Part:
    command = str(run.manifest.get("command", "(unknown)"))
    if command not in PARTS:
        known = ", ".join(f"harness {name}" for name in PARTS)
        raise HarnessError(f"{run.directory}: a run of harness {command}; reports are made of runs of {known}")
    module, _, name = PARTS[command].partition(":")
    return cast(Part, getattr(import_module(module), name)(run, place, show_secrets))
