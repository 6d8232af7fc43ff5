"""The part of a report on arms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from harness.arms.compare import Arms
from harness.arms.differs import differs
from harness.arms.dose import doses, slopes
from harness.arms.noise import noise
from harness.arms.predict import checked, failures
from harness.arms.read import arms_of
from harness.arms.reliability import reliability
from harness.arms.sections import first_screen
from harness.arms.sections.tables import SECTIONS
from harness.arms.settings import ArmsSettings
from harness.report.citation import Citation, cite
from harness.report.screen import Screen
from harness.report.sections import SectionPart
from harness.report.table import Table
from harness.text import number

if TYPE_CHECKING:
    from harness.report.plots.drawing import Plot


class ArmsPart(SectionPart):
    """Arms, by what really happened; everything is computed when first asked for."""

    title = "What really happened"
    SECTIONS = SECTIONS

    @cached_property
    def arms(self) -> Arms:
        return arms_of(self.run, self.run.table("runs"))

    @cached_property
    def settings(self) -> ArmsSettings:
        found = self.run.settings()
        assert isinstance(found, ArmsSettings)
        return found

    @cached_property
    def differs(self) -> list[dict[str, Any]]:
        return differs(self.arms, self.settings.declared())

    @cached_property
    def reliability(self) -> list[dict[str, Any]]:
        return reliability(self.arms)

    @cached_property
    def doses(self) -> list[dict[str, Any]]:
        return doses(self.arms, self._dose) if self._dose else []

    @cached_property
    def slopes(self) -> list[dict[str, Any]]:
        return slopes(self.arms, self._dose)

    @cached_property
    def noise(self) -> list[dict[str, Any]]:
        return noise(self.arms)

    @cached_property
    def checked(self) -> list[dict[str, Any]]:
        """Of the arms whose policy was replayed, what that foretold and what happened."""
        return checked(self.arms, self.run.table("predictions"))

    @cached_property
    def failures(self) -> list[dict[str, Any]]:
        return failures(self.arms, self.run.table("predictions"))

    @property
    def _dose(self) -> Mapping[str, float]:
        return self.settings.dose()

    @property
    def dose_note(self) -> str:
        return f"Against {self.arms.baseline}; an arm's dose is what --dose says of it."

    def screen(self) -> Screen:
        return first_screen.screen(self)

    def plots(self) -> tuple[Plot, ...]:
        from harness.arms.sections.plots import PLOTS

        return PLOTS

    def raw_tables(self) -> Iterator[Table]:
        yield Table("runs", "Runs", "live", data=self.run.table("runs"))
        yield Table("predictions", "Predictions", "measured", data=self.run.table("predictions"))

    def notes(self) -> tuple[str, ...]:
        return NOTES

    def citation(self) -> Citation:
        arms = self.arms
        title = f"{number(len(arms.names), 'arm')} of live runs on {number(len(arms.tasks), 'task')}"
        inputs = self.run.manifest.get("inputs", {})
        hashes = {f"input {n}": f"sha256 {digest}" for n, digest in enumerate(inputs.values(), 1)}
        first = next(iter(inputs.values()), "")
        return cite(self.run, title, {"arms": ", ".join(arms.names)} | hashes, f"input sha256 {first[:16]}")


NOTES = (
    "Intervals speak of other tasks of the same kind under the same arms, not of other models or agents.",
    "The intervals of several arms are each at 95 %; only the p-values are corrected over them.",
    "Recordings and tables hold what was published or kept: runs that nobody kept are missing without a trace.",
)
