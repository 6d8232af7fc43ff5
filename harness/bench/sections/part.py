"""The part of a report on a run of engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.sections import (
    acting,
    checks,
    confidence,
    confusions,
    correctness,
    first_screen,
    memory,
    paired,
    policies,
    rates,
    states,
    throughput,
    worst,
)
from harness.bench.summary import BenchSummary
from harness.report.citation import Citation, cite_bench
from harness.report.screen import Screen
from harness.report.sections import SectionPart
from harness.report.table import Table

if TYPE_CHECKING:
    from harness.report.plots.drawing import Plot


class Engines(SectionPart):
    """One or several engines side by side."""

    title = "How engines did"
    SECTIONS = (
        states.section,
        rates.section,
        correctness.section,
        paired.section,
        paired.times,
        correctness.by_family,
        correctness.by_case,
        checks.section,
        checks.by_source,
        policies.section,
        confidence.section,
        confidence.gates,
        acting.section,
        acting.flags,
        throughput.section,
        throughput.times,
        memory.claims,
        memory.conditions,
        confusions.section,
        worst.section,
        checks.rules,
    )

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

    def first(self, engine: str) -> pd.DataFrame:
        """The distinct turns of an engine, in their first repetition."""
        own = self.turns(engine)
        chosen: pd.DataFrame = own[own["repetition"] == own["repetition"].min()]
        return chosen

    def median(self, table: str, engine: str, **keys: str) -> float | None:
        """A median of a table of the summary, by its keys; None where it has none."""
        frame: pd.DataFrame = getattr(self.summary, table)
        if frame.empty:
            return None
        wanted = frame["engine"] == engine
        for name, value in keys.items():
            wanted &= frame[name] == value
        return float(frame.loc[wanted, "median"].iloc[0]) if wanted.any() else None

    def fitted(self, section: Table) -> Table:
        return section.without("engine") if len(self.engines) == 1 else section

    @cached_property
    def confusions(self) -> dict[str, Counter[tuple[str, str]]]:
        """By engine, how often which name was expected and which called, as they may be printed."""
        return {engine: confusions.pairs(self.first(engine)) for engine in self.engines}

    def screen(self) -> Screen:
        return first_screen.screen(self)

    def plots(self) -> tuple[Plot, ...]:
        from harness.bench.sections.plots import PLOTS

        return PLOTS

    def citation(self) -> Citation:
        return cite_bench(self.run)

    def raw_tables(self) -> Iterator[Table]:
        yield Table("engine", "Turns", "live", data=self.run.engine)
        yield Table("starts", "Starts of engines", "live", data=self.run.starts)
        yield Table("stretches", "Stretches", "live", data=self.run.stretches)

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
