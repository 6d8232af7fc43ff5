"""The part of a report on a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from harness.plan.settings import PlanSettings
from harness.report.citation import Citation, cite
from harness.report.screen import Fact, Screen
from harness.report.sections import SectionPart
from harness.report.table import Column, Table, records
from harness.report.units import COUNT, DETECTABLE, FLAG, NOT_REPORTED, SHARE, USD, dollars, percent
from harness.report.units import short as short_number
from harness.text import count, number

if TYPE_CHECKING:
    from harness.report.plots.drawing import Plot

COLUMNS = (
    Column("repetitions", "runs a task", COUNT, "recorded"),
    Column("tasks", "tasks", COUNT, main=True),
    Column("power", "shown in", SHARE, meaning="of the simulated comparisons"),
    Column("error", "± by the draws", DETECTABLE),
    Column("runs", "runs in all", COUNT),
    Column("tokens", "tokens", COUNT, absent=NOT_REPORTED),
    Column("usd", "USD", USD, absent=NOT_REPORTED),
)


class PlanPart(SectionPart):
    """What a comparison takes; the sizes that were tried."""

    title = "What a comparison takes"
    SECTIONS = (lambda part: part.tried(),)

    @cached_property
    def settings(self) -> PlanSettings:
        found = self.run.settings()
        assert isinstance(found, PlanSettings)
        return found

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        return records(self.run.table("plans"))

    @property
    def assumed(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.run.manifest["assumptions"]
        return found

    @property
    def wanted(self) -> str:
        """What is to be shown, in words."""
        s = self.settings
        return {
            "difference": f"a difference of {100 * s.wanted_effect:+.3g} points is shown",
            "not-worse": f"not worse by {100 * s.margin:.3g} points is shown where the truth is "
            f"{100 * s.wanted_effect:+.3g} points",
            "precision": f"the interval is ± {100 * s.margin:.3g} points or narrower",
        }[s.want]

    def screen(self) -> Screen:
        chosen = [row for row in self.rows if row["chosen"]]
        table = Table("answers", "What it takes", "estimated", columns=COLUMNS, data=chosen or self._largest())
        return Screen(self._headline(chosen), table, self._facts())

    def _largest(self) -> list[dict[str, Any]]:
        most = max(row["tasks"] for row in self.rows)
        return [row for row in self.rows if row["tasks"] == most]

    def _headline(self, chosen: list[dict[str, Any]]) -> str:
        goal = f"That {self.wanted} in {percent(self.settings.power)} of comparisons"
        if not chosen:
            best = max(self.rows, key=lambda row: row["power"])
            return (
                f"{goal} takes more than {number(self.settings.most, 'task')} (--most): with "
                f"{count(best['repetitions'])} runs of each it is {percent(best['power'])}."
            )
        ways = [f"{number(row['tasks'], 'task')} with {number(row['repetitions'], 'run')} of each" for row in chosen]
        fewest = min(chosen, key=lambda row: (row["runs"], row["tasks"]))
        return f"{goal} takes {', or '.join(ways)}. Fewest runs: {count(fewest['runs'])} in all{_price(fewest)}."

    def _facts(self) -> tuple[Fact, ...]:
        a, sources = self.assumed, self.assumed["sources"]
        arms = "" if self.settings.arms == 1 else f"; {self.settings.arms} arms share the 5 %"
        return (
            Fact("First arm passes", "estimated", percent(a["passed"]), sources["passed"]),
            Fact("Runs of a task are alike", "estimated", f"{a['alike']:.2f}", f"{sources['alike']}; 0 to 1"),
            Fact("True difference", "estimated", f"{100 * a['effect']:+.3g} points", sources["effect"] + arms),
        )

    def tried(self) -> Table:
        columns = (*COLUMNS[:4], Column("chosen", "fewest that do", FLAG), *COLUMNS[4:])
        note = "Every size that was simulated; the power of a size not tried lies between those beside it."
        return Table("plans", "Sizes", "estimated", note, columns, self.rows, folded=True)

    def plots(self) -> tuple[Plot, ...]:
        from harness.plan.sections.plots import PLOTS

        return PLOTS

    def raw_tables(self) -> Iterator[Table]:
        yield Table("plans", "Sizes", "estimated", data=self.run.table("plans"))

    def notes(self) -> tuple[str, ...]:
        return NOTES

    def citation(self) -> Citation:
        a = self.assumed
        facts = {"assumptions": ", ".join(f"{name} {a[name]:.4g}" for name in ("passed", "effect", "alike"))}
        return cite(self.run, "Tasks and repetitions for a comparison of arms", facts, "simulated")


def _price(row: Mapping[str, Any]) -> str:
    said = []
    if row["tokens"] is not None:
        said.append(f"{short_number(row['tokens'])} tokens")
    if row["usd"] is not None:
        said.append(f"{dollars(row['usd'])} USD")
    return f", {' and '.join(said)}" if said else ""


NOTES = (
    "Simulated under the assumptions: pass and fail of a task go together in both arms, and in all runs of it, as far "
    "as runs are alike. Tasks of few repositories say less than as many of many.",
    "The effect is never taken from a pilot, which was taken for a pilot because it was small.",
    "All tasks are run before anyone looks. Looking in between, and stopping when it looks good, has another error.",
)
