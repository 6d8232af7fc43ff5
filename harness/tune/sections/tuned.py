"""The part of a report on a tuning: the front, the recommendation, and what it is worth held out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.report.citation import Citation, cite
from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, GREY, INK, WIDTH
from harness.report.screen import Fact, Screen
from harness.report.sections import SectionPart
from harness.report.table import Quote, Table
from harness.report.table_text import prose, width
from harness.text import count, number
from harness.tune.paste import toml_table
from harness.tune.patch import FILE, beside_the_patch, reference_patch
from harness.tune.rows import trial_of
from harness.tune.verdict import Point, Verdict, judge, record
from harness.tune.words import facts, front, heading, held_out_lines

PATCH = "value_store.patch"
SHOWN = 20
"""Rows of the front on the terminal; pages and files have all."""


class Tuned(SectionPart):
    """Settings of a policy tried on recordings."""

    title = "What settings of a policy cost and show"

    @cached_property
    def verdict(self) -> Verdict:
        return judge(trial_of(self.run))

    @cached_property
    def front(self) -> Table:
        """All of it, with what can be pasted."""
        table = front(self.verdict)
        quotes = [Quote(self.anchor("tuned"), "Recommended, for a suite", toml_table(self.verdict.recommended, []))]
        if text := reference_patch(self.verdict.recommended):
            quotes.append(Quote(self.anchor("patch"), f"The same as a patch for {FILE}", text))
        rows = table.records()
        return dataclasses.replace(table, quotes=tuple(quotes), data=rows, brief=len(rows) <= SHOWN)

    SECTIONS = (lambda part: part.front,)

    def screen(self) -> Screen:
        rows = self.front.records()
        shown = [row for row in rows if row["setting"] == self.verdict.recommended.label] or rows[:1]
        columns = tuple(c for c in self.front.columns if c.heading != "95 %")
        trial = self.verdict.trial
        read = f"{len(trial.intake.problems)} problems in the recordings, {len(trial.intake.skipped)} files skipped"
        return Screen(
            f"{heading(self.verdict)}. " + ". ".join(facts(self.verdict)) + ".",
            Table("answers", "Recommended", "measured", "", columns, shown),
            (
                Fact("Tried", "measured", count(len(trial.policies) - 1), "settings besides the default"),
                Fact("Corpus", "recorded", number(len(trial.ids), "transcript"), read),
            ),
        )

    def plots(self) -> tuple[Plot, ...]:
        return (PLOT,)

    def citation(self) -> Citation:
        corpus = self.run.manifest["corpus"]
        names = f"{corpus['transcripts']} transcripts, sha256 of their names {corpus['sha256']}"
        title = f"{len(self.verdict.trial.policies) - 1} settings of a policy on {corpus['transcripts']} transcripts"
        return cite(self.run, title, {"corpus": names}, f"names sha256 {corpus['sha256'][:16]}")

    def raw_tables(self) -> Iterator[Table]:
        yield Table("tried", "Settings tried", "measured", data=self.run.table("tried"))

    def files(self) -> Mapping[str, str]:
        lines = [*facts(self.verdict), *held_out_lines(self.verdict)]
        patch = reference_patch(self.verdict.recommended)
        return {"tuned.toml": toml_table(self.verdict.recommended, lines)} | ({PATCH: patch} if patch else {})

    def text(self) -> str:
        parts = [super().text(), *(prose(line, width()) for line in held_out_lines(self.verdict))]
        parts.append(f"recommended, for a suite:\n{toml_table(self.verdict.recommended, []).rstrip()}")
        if text := reference_patch(self.verdict.recommended):
            parts.append("\n".join([f"as a patch for {FILE} ({PATCH}):", text.rstrip()]))
            parts += [prose(line, width()) for line in beside_the_patch(self.verdict.recommended)]
        return "\n\n".join(parts)

    def record(self) -> dict[str, Any]:
        return super().record() | record(self.verdict) | {"columns": self.front.keys()}

    def notes(self) -> tuple[str, ...]:
        return (*held_out_lines(self.verdict), *beside_the_patch(self.verdict.recommended))


def _words(part: Tuned) -> str:
    return " ".join(facts(part.verdict))


def _draw(part: Tuned) -> Figure:
    """Every setting tried as a dot, the front as a line with the intervals of its evidence, and the default."""
    verdict = part.verdict
    trial = verdict.trial
    identity = trial.identity.usd if trial.settings.metric == "money" else trial.identity.tokens
    share = trial.cost.sum(axis=1) / max(float(identity.sum()), 1e-12) - 1
    figure = Figure(figsize=(WIDTH, 4))
    axes = figure.subplots()
    axes.plot(share, verdict.evidence, ".", color=GREY, alpha=0.4, label="tried")
    x = [(p.against_identity.ratio or 0) - 1 for p in verdict.front]
    y = [_evidence(p) for p in verdict.front]
    low = [value - (p.evidence_interval or (value, value))[0] for p, value in zip(verdict.front, y, strict=True)]
    high = [(p.evidence_interval or (value, value))[1] - value for p, value in zip(verdict.front, y, strict=True)]
    axes.errorbar(x, y, [low, high], fmt="o-", color=COLOURS[0], markersize=4, elinewidth=0.7, label="front, 95 %")
    axes.plot(share[:1], verdict.evidence[:1], "s", color=COLOURS[1], label="default")
    best = verdict.recommended_at
    axes.plot(share[best : best + 1], verdict.evidence[best : best + 1], "D", color=INK, label="recommended")
    axes.axhline(1 - trial.settings.evidence, color=GREY, linewidth=0.7, linestyle="--")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel(f"change of {trial.settings.metric} against identity (measured; less to the left)")
    axes.set_ylabel("borne atoms visible (measured)")
    axes.legend(loc="lower right")
    return figure


def _evidence(point: Point) -> float:
    return 1.0 if point.evidence is None else point.evidence


PLOT = Plot("front", "Cost and evidence of the settings tried", "measured", _draw, _words, lead=True)
