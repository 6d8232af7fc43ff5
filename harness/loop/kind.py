"""The live loop as a kind of run: drivers do tasks under policies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from harness.loop.settings import LoopHow, LoopSettings
from harness.runs.kind import Figure, Forecast, Going, Kind, Record, Rows
from harness.runs.loop_schema import LOOP_TABLES

if TYPE_CHECKING:
    from harness.runs.run import Run


FIGURES = ("passed", "requests", "tool_calls", "input_tokens", "output_tokens")
"""Means a run. A driver's are live, and none is judged by a night."""


class Loop(Kind[LoopSettings]):
    name = "loop"
    help = """Drive agents through tasks under policies.

    What passes, what it takes, and how far off the estimate is; the report's path last."""
    settings = LoopSettings
    how = LoopHow
    tables = LOOP_TABLES
    unit = "task"
    part = "harness.loop.sections.part:Loop"

    def check(self, settings: LoopSettings) -> None:
        settings.make_policies()
        settings.make_tasks()
        settings.make_drivers()

    def forecast(self, settings: LoopSettings, how: LoopHow) -> Forecast | None:
        from harness.loop.foresee import foresee

        return foresee(settings, how)

    def work(self, settings: LoopSettings, going: Going) -> Iterator[Record]:
        from harness.loop.runner import work

        return work(settings, going)

    def rows(self, settings: LoopSettings, records: list[Record]) -> tuple[Rows, Record]:
        from harness.loop.runner import rows_of

        return rows_of(settings, records)

    def figures(self, run: Run) -> Iterator[Figure]:
        for (driver, policy), rows in run.loop.groupby(["driver", "policy"], observed=True):
            for name in FIGURES:
                yield Figure(f"{driver} under {policy}", name, float(rows[name].astype(float).mean()))

    def limited(self, settings: LoopSettings, limit: int) -> LoopSettings:
        return replace(settings, first=limit)


LOOP = Loop()
