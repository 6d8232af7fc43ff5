"""A re-drive as a kind of run: an engine at every recorded request, under policies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.redrive.settings import RedriveHow, RedriveSettings
from harness.runs.kind import Figure, Forecast, Going, Kind, Record, Rows
from harness.runs.redrive_schema import REDRIVE_TABLES

if TYPE_CHECKING:
    from harness.runs.run import Run


class Redrive(Kind[RedriveSettings]):
    name = "redrive"
    help = """An engine at every recorded request, under policies.

    It chooses the next action, which is held against the recording; the report's path last."""
    settings = RedriveSettings
    how = RedriveHow
    tables = REDRIVE_TABLES
    timings = frozenset({"seconds"})
    looks_itself = True
    unit = "request"
    part = "harness.redrive.sections.part:Redrive"

    def check(self, settings: RedriveSettings) -> None:
        settings.make_engines()
        settings.make_policies()
        settings.profile()

    def forecast(self, settings: RedriveSettings, how: RedriveHow) -> Forecast | None:
        from harness.redrive.foresee import foresee

        return foresee(settings, how)

    def work(self, settings: RedriveSettings, going: Going) -> Iterator[Record]:
        from harness.redrive.runner import work

        return work(settings, going)

    def rows(self, settings: RedriveSettings, records: list[Record]) -> tuple[Rows, Record]:
        from harness.redrive.finish import rows_of

        return rows_of(settings, records)

    def figures(self, run: Run) -> Iterator[Figure]:
        from harness.redrive.tables import FIGURES, tables
        from harness.report.table import records

        found = tables(run.redrive)
        for row in records(found["agreement"]):
            subject = f"{row['engine']} under {row['policy']}"
            for name in FIGURES:
                if row[name] is not None:
                    yield Figure(subject, name, row[name], "share")
        for row in records(found["costs"]):
            subject = f"{row['engine']} under {row['policy']}"
            yield Figure(subject, "prompt_tokens", row["prompt_tokens"], "tokens")
            if row["seconds"] is not None:
                yield Figure(subject, "seconds", row["seconds"], "s")


REDRIVE = Redrive()
