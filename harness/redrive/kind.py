"""A re-drive as a kind of run: an engine at every recorded request, under policies."""

from __future__ import annotations

from collections.abc import Iterator

from harness.redrive.settings import RedriveHow, RedriveSettings
from harness.runs.kind import Going, Kind, Record, Rows
from harness.runs.redrive_schema import REDRIVE_TABLES


class Redrive(Kind[RedriveSettings]):
    name = "redrive"
    help = """An engine at every recorded request, under policies.

    It chooses the next action, which is held against the recording; the report's path last."""
    settings = RedriveSettings
    how = RedriveHow
    tables = REDRIVE_TABLES
    unit = "request"
    part = "harness.redrive.sections.part:Redrive"

    def check(self, settings: RedriveSettings) -> None:
        settings.make_engines()
        settings.make_policies()
        settings.profile()

    def work(self, settings: RedriveSettings, going: Going) -> Iterator[Record]:
        from harness.redrive.runner import work

        return work(settings, going)

    def rows(self, settings: RedriveSettings, records: list[Record]) -> tuple[Rows, Record]:
        from harness.redrive.finish import rows_of

        return rows_of(settings, records)


REDRIVE = Redrive()
