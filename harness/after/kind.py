"""What agents did after a cut, as a kind of run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.after.columns import AFTER_TABLES
from harness.after.settings import AfterSettings
from harness.runs.kind import Figure, Going, Kind, Record, Rows

if TYPE_CHECKING:
    from harness.runs.run import Run


class AfterACut(Kind[AfterSettings]):
    name = "after"
    help = """What agents did after a cut, a spill, a preview.

    For every result that a recording holds only in part: what the agent did next, what that cost, what became of the
    file or handle that it was offered; and calls repeated for nothing."""
    settings = AfterSettings
    tables = AFTER_TABLES
    looks_itself = True
    unit = "transcript"
    part = "harness.after.sections.part:AfterPart"
    better = {"cut_results": "neither", "turned_back": "neither", "repeated_calls": "lower"}

    def check(self, settings: AfterSettings) -> None:
        settings.profile()

    def work(self, settings: AfterSettings, going: Going) -> Iterator[Record]:
        from harness.after.work import work

        return work(settings, going)

    def rows(self, settings: AfterSettings, records: list[Record]) -> tuple[Rows, Record]:
        from harness.after.work import finish

        return finish(settings, records)

    def figures(self, run: Run) -> Iterator[Figure]:
        from harness.after.tables import agents

        for row in agents(run.table("results"), run.table("transcripts")):
            for name, unit in (("cut_results", "results"), ("turned_back", "results"), ("repeated_calls", "calls")):
                yield Figure(row["agent"], name, row[name], unit, "measured")


AFTER = AfterACut()
