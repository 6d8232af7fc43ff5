"""The part of a report on a tuning: the choice and its rivals, what it is worth held out, and what is to be pasted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jinja2 import ChoiceLoader, PackageLoader
from markupsafe import Markup
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.policies.spec import NamedPolicy
from harness.report.citation import Citation, cite
from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, GREY, INK, WIDTH
from harness.report.screen import Fact, Screen
from harness.report.sections import SectionPart
from harness.report.table import Quote, Table
from harness.report.table_text import prose, width
from harness.text import count, number
from harness.tune import words
from harness.tune.candidates import CUT, GATED, TUNED
from harness.tune.paste import toml_table
from harness.tune.patch import FILE, beside_the_patch, reference_patch
from harness.tune.rows import trial_of
from harness.tune.sections import budgets
from harness.tune.verdict import Verdict, judge, record

if TYPE_CHECKING:
    from jinja2 import Environment

PATCH = "value_store.patch"
ROLES = ((TUNED, 0, "o-"), (GATED, 3, "^-"), (CUT, 2, "s-"))
SHOWN = frozenset({"setting", "mark", "against_bill", "seen_bill", "against_typical", "seen_typical", "bound"})


class Tuned(SectionPart):
    """Settings of a policy, a plain cut, the gate alone and doing nothing."""

    title = "What settings of a policy cost and show"

    @cached_property
    def verdict(self) -> Verdict:
        return judge(trial_of(self.run))

    @property
    def pasted(self) -> NamedPolicy | None:
        """What can be pasted: the recommendation, or the best of the policy where something else beats it."""
        chosen = self.verdict.tuned if self.verdict.chosen.role not in (TUNED, GATED) else self.verdict.chosen
        return chosen.policy if chosen else None

    @property
    def patch(self) -> str:
        return reference_patch(self.pasted) if self.pasted else ""

    @property
    def of_the_patch(self) -> str:
        beaten = self.pasted is not None and self.pasted is not self.verdict.chosen.policy
        name = f"{self.pasted.label} as a patch for {FILE}" if self.pasted else ""
        return f"{name} (not recommended: {self.verdict.chosen.policy.label} costs less)" if beaten else name

    @cached_property
    def front(self) -> Table:
        """With what can be pasted."""
        quotes = [Quote(self.anchor("tuned"), "Recommended, for a suite", self.table)]
        if self.patch:
            quotes.append(Quote(self.anchor("patch"), self.of_the_patch, self.patch))
        return dataclasses.replace(words.settings_table(self.verdict), quotes=tuple(quotes))

    @property
    def table(self) -> str:
        return toml_table(self.verdict.chosen.policy, [])

    SECTIONS = (
        lambda part: part.front,
        lambda part: words.held_table(part.verdict),
        lambda part: words.effects_table(part.verdict),
        lambda part: words.resamples_table(part.verdict),
    )

    @property
    def has_stops(self) -> bool:
        """Whether settings were swept, so that there is a ladder to look at."""
        return bool(len(self.run.table("stops")))

    def tables(self) -> Iterator[Table]:
        yield from super().tables()
        if self.has_stops:
            yield dataclasses.replace(budgets.stops_table(self.verdict, self.run.table("stops")), columns=())

    def data(self) -> dict[str, Any] | None:
        if not self.has_stops:
            return None
        return {"budgets": budgets.slider(self.verdict, self.run.table("stops"), self.run.table("needs"))}

    def inserts(self, environment: Environment) -> list[tuple[str, str, Markup]]:
        """The budget slider."""
        if not self.has_stops:
            return []
        own = environment.overlay(
            loader=ChoiceLoader([PackageLoader(__package__ or ""), PackageLoader("harness.report")])
        )
        table = budgets.stops_table(self.verdict, self.run.table("stops"))
        html = own.get_template("budgets.html.j2").render(at=f"{self.place}-" if self.place else "", table=table)
        return [(self.anchor("budgets"), "Budgets", Markup(html))]

    def screen(self) -> Screen:
        rows = [row for row in self.front.records() if row["mark"]]
        columns = tuple(c for c in self.front.columns if c.key in SHOWN)
        trial = self.verdict.trial
        read = f"{len(trial.intake.problems)} problems in the recordings, {len(trial.intake.skipped)} files skipped"
        return Screen(
            f"{words.heading(self.verdict)}.",
            Table("answers", "The best of every kind", "measured", "", columns, rows),
            (
                Fact("Looked at", "measured", count(sum(trial.found["points"].values())), "settings"),
                Fact("Corpus", "recorded", number(len(trial.ids), "transcript"), read),
            ),
        )

    def plots(self) -> tuple[Plot, ...]:
        return (PLOT,)

    def citation(self) -> Citation:
        corpus = self.run.manifest["corpus"]
        facts = {"corpus": f"{corpus['transcripts']} transcripts, sha256 {corpus['sha256']}"}
        title = f"Settings of a context policy tuned on {corpus['transcripts']} transcripts"
        return cite(self.run, title, facts, f"corpus sha256 {corpus['sha256'][:16]}")

    def raw_tables(self) -> Iterator[Table]:
        yield Table("tried", "Settings by transcript", "measured", data=self.run.table("tried"))
        yield Table("needs", "What shows each dependency", "measured", data=self.run.table("needs"))

    def files(self) -> Mapping[str, str]:
        lines = [words.heading(self.verdict), *self.said]
        return {"tuned.toml": toml_table(self.verdict.chosen.policy, lines)} | (
            {PATCH: self.patch} if self.patch else {}
        )

    @property
    def said(self) -> list[str]:
        return [*words.facts(self.verdict), *words.held_out_lines(self.verdict)]

    def text(self) -> str:
        """A screen: the answer, what it is worth held out, and what can be pasted; `--all` has the rest."""
        lines = [prose(line, width()) for line in words.brief_held_out(self.verdict)]
        pasted = [f"recommended, for a suite:\n{self.table.rstrip()}"]
        if self.patch:
            pasted.append(f"beside the report: {PATCH} (--all prints it)")
        return "\n\n".join([super().text(), *(["\n".join(lines)] if lines else []), *pasted])

    def whole_text(self) -> str:
        parts = [super().whole_text(), f"recommended, for a suite:\n{self.table.rstrip()}"]
        if self.patch:
            parts.append(f"{prose(self.of_the_patch, width())}:\n{self.patch.rstrip()}")
        return "\n\n".join(parts)

    def record(self) -> dict[str, Any]:
        return super().record() | record(self.verdict)

    def notes(self) -> tuple[str, ...]:
        return (*self.said, *(beside_the_patch(self.pasted) if self.pasted else ()))


def _words(part: Tuned) -> str:
    return f"{words.heading(part.verdict)}."


def _draw(part: Tuned) -> Figure:
    """Both weightings side by side: every role's frontier, the default, what is recommended, and the floor."""
    verdict = part.verdict
    figure = Figure(figsize=(WIDTH, 4))
    both = figure.subplots(1, 2, sharey=True)
    for axes, weighting in zip(both, ("bill", "typical"), strict=True):
        for role, colour, mark in ROLES:
            xy = sorted(_at(p, weighting) for p in verdict.points if p.role == role)
            axes.plot(*zip(*xy, strict=True), mark, color=COLOURS[colour], markersize=3, linewidth=0.7, label=role)
        axes.plot(*_at(verdict.default, weighting), "s", color=COLOURS[1], label="default")
        axes.plot(*_at(verdict.chosen, weighting), "D", color=INK, label="recommended")
        axes.axhline(verdict.floor, color=GREY, linewidth=0.7, linestyle="--")
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.set_xlabel(f"{verdict.trial.settings.metric} against identity, {weighting} (measured)")
    both[0].set_ylabel("requests that see all they depend on (measured)")
    both[1].legend(loc="lower right")
    return figure


def _at(point: Any, weighting: str) -> tuple[float, float]:
    cost = point.against.bill if weighting == "bill" else point.against.usual
    seen = getattr(point.seen, weighting).value if point.seen else None
    return (1.0 if cost.value is None else cost.value) - 1, 1.0 if seen is None else seen


PLOT = Plot("front", "Cost and evidence, both weightings", "measured", _draw, _words, lead=True)
