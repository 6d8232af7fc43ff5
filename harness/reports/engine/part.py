"""The part of a report on a run of engines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.summary import BenchSummary
from harness.reports.citation import Citation, cite_bench
from harness.reports.engine import first_screen, rates, states
from harness.reports.part import Table
from harness.reports.sections import Screen, SectionPart

if TYPE_CHECKING:
    from harness.reports.plots.drawing import Plot


class Engines(SectionPart):
    """One or several engines side by side."""

    title = "How engines did"
    SECTIONS = (states.section, rates.section)

    @cached_property
    def summary(self) -> BenchSummary:
        return BenchSummary(self.run)

    @property
    def engines(self) -> list[str]:
        """Those with turns, in the order in which they were asked for."""
        return list(self.summary.rates)

    def turns(self, engine: str) -> pd.DataFrame:
        """The turns of an engine, all repetitions."""
        return self.run.engine[self.run.engine["engine"] == engine]

    def screen(self) -> Screen:
        return first_screen.screen(self)

    def plots(self) -> tuple[Plot, ...]:
        return ()

    def citation(self) -> Citation:
        return cite_bench(self.run)

    def raw_tables(self) -> Iterator[Table]:
        yield Table("engine", "Turns", "live", self.run.engine)
        yield Table("starts", "Starts of engines", "live", self.run.starts)
        yield Table("stretches", "Stretches", "live", self.run.stretches)

    def notes(self) -> tuple[str, ...]:
        return NOTES


NOTES = (
    "Rates are over distinct turns, in their first repetition, with Wilson intervals; a turn asked again is the same "
    "turn. Timings are over repetitions.",
    "An engine's grounding rate is over the turns that it checked itself, and again over the turns that need a call, "
    "so that silence earns nothing. What an engine did not report is not counted as grounded.",
    "Grounded is not right: a call may take every value from the input and be the wrong call.",
    "Times are by the clock beside the call, in the engine's own process. In stretches marked as contended something "
    "else used the machine, so their times say less.",
)
