"""The part of a report on a run of the live loop."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.loop.sections import first_screen, outcomes, validity
from harness.loop.tables import tables
from harness.loop.validity import identified, judged, worst_family
from harness.loop.words import weak_lines
from harness.report.citation import Citation, cite, engine_facts
from harness.report.screen import Screen
from harness.report.sections import SectionPart
from harness.report.table import Table, records
from harness.text import number

if TYPE_CHECKING:
    from harness.report.plots.drawing import Plot


class Loop(SectionPart):
    """Drivers under policies."""

    title = "What drivers did under each policy"
    SECTIONS = (
        outcomes.policies,
        validity.families,
        validity.misses,
        validity.losses,
        validity.needs,
        validity.policies,
        outcomes.uptake,
        outcomes.reading,
        outcomes.stops,
    )

    @property
    def drivers(self) -> list[str]:
        return [str(driver) for driver in self._identified.driver]

    @cached_property
    def judged(self) -> pd.DataFrame:
        """The rows of the drivers that identify something about policies."""
        return judged(self.run.loop)

    @cached_property
    def validity_of_drivers(self) -> pd.DataFrame:
        return first_screen.by_driver(self.judged)

    def table(self, name: str) -> pd.DataFrame:
        """A table of `harness.loop.tables`; empty where the run has nothing for it."""
        return self._tables.get(name, pd.DataFrame())

    def rows(self, name: str) -> list[Any]:
        """The rows of a table, with its columns as attributes."""
        return list(self.table(name).itertuples(index=False))

    def identifies(self, driver: str) -> bool:
        """Whether the driver's runs say anything about policies."""
        return bool(self.driver_row(driver).identifies)

    def driver_row(self, driver: str) -> Any:
        return self._identified[self._identified.driver == driver].iloc[0]

    def outcomes(self, driver: str) -> pd.DataFrame:
        """Its rows of the table of policies, identity first."""
        table = self.table("policies")
        return table[table.driver == driver]

    def screen(self) -> Screen:
        return first_screen.screen(self)

    def plots(self) -> tuple[Plot, ...]:
        from harness.loop.sections.plots import PLOTS

        return PLOTS

    def record(self) -> dict[str, Any]:
        """With all tables of the loop, and which drivers say nothing about policies."""
        known = {name: records(table) for name, table in self._tables.items()}
        said = {"worst_family": worst_family(self.judged), "not_identified": weak_lines(self.run.loop)}
        found = super().record()
        return found | {"tables": known | found["tables"]} | said

    def citation(self) -> Citation:
        tasks, drivers = self.run.loop["task"].nunique(), len(self.run.manifest["drivers"])
        runs = f"{len(self.run.loop)} runs"
        facts = {"tasks": f"{tasks} tasks of the loop suite, {runs}"} | engine_facts(self.run.manifest["identities"])
        title = f"{number(drivers, 'driver')} under {len(self.run.policies)} context policies on {tasks} tasks"
        return cite(self.run, title, facts, runs)

    def raw_tables(self) -> Iterator[Table]:
        yield Table("loop", "Runs", "live", data=self.run.loop)

    def notes(self) -> tuple[str, ...]:
        return NOTES

    @cached_property
    def _tables(self) -> dict[str, pd.DataFrame]:
        return tables(self.run.loop)

    @cached_property
    def _identified(self) -> pd.DataFrame:
        return identified(self.run.loop)


NOTES = (
    "A model that passes under half of the tasks under identity identifies nothing about policies: its figures say "
    "what it did, no more, and it is left out where the estimate and handles are judged.",
    "Readers are deterministic agents that act only on text that they are shown and recover as the policy allows. What "
    "they do says nothing of what a model would do.",
    "Uptake of handles is a result of the driver and the wording of the hint together, not a property of the policy.",
    "Tokens are counted on the transcripts that the loop produced, by the code that replays recordings.",
)
