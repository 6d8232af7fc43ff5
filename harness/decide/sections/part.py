"""The part of a report on a decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.decide.curves import WEIGHTINGS, Curve
from harness.decide.sections import words
from harness.decide.settings import DecideSettings
from harness.decide.verdict import Decision, decide
from harness.report.citation import Citation, cite
from harness.report.markup import escaped
from harness.report.plots.drawing import Plot
from harness.report.plots.style import COLOURS, GREY, WIDTH, label
from harness.report.screen import Fact, Screen
from harness.report.sections import SectionPart
from harness.report.table import Table
from harness.text import count, number

PAGE = "decision.md"
SHOWN = frozenset({"cost", "weighting", "gap", "seen", "other"})


class Decided(SectionPart):
    """Two families of policies over their budgets."""

    title = "Which of two families is better"

    @cached_property
    def found(self) -> Decision:
        settings = self.whole.settings()
        assert isinstance(settings, DecideSettings)
        return decide(self.run, settings)

    @cached_property
    def gaps(self) -> Table:
        return words.gaps_table(self.found)

    SECTIONS = (
        lambda part: part.gaps,
        lambda part: words.sideways_table(part.found),
        lambda part: words.sources_table(part.found),
        lambda part: words.changes_table(part.found),
        lambda part: words.along_table(part.found),
        lambda part: words.frontier_table(part.found),
    )

    def screen(self) -> Screen:
        columns = tuple(c for c in self.gaps.columns if c.key in SHOWN or c.key == ("gap_low", "gap_high"))
        rows = [row for row in self.gaps.records() if row["cost"] == "tokens"]
        ground = self.found.ground
        clusters = (
            f"{number(ground.clusters.count, 'cluster')}, {count(int(ground.bearing.sum()))} requests with dependencies"
        )
        return Screen(
            words.sentence(self.found),
            Table("answers", "At equal tokens", "measured", "", columns, rows),
            (
                Fact("Verdict", "measured", self.found.word, self.found.why),
                Fact("Corpus", "recorded", number(self.found.transcripts, "transcript"), clusters),
                Fact("Margin", "measured", f"{self.found.settings.margin:g} points", "of requests with all visible"),
            ),
        )

    def plots(self) -> tuple[Plot, ...]:
        return (PLOT,)

    def citation(self) -> Citation:
        corpus = self.run.manifest["corpus"]
        facts = {"corpus": f"{corpus['transcripts']} transcripts, sha256 {corpus['sha256']}"}
        title = f"Two families of context policies over {corpus['transcripts']} transcripts"
        return cite(self.run, title, facts, f"corpus sha256 {corpus['sha256'][:16]}")

    def raw_tables(self) -> Iterator[Table]:
        yield Table("transcripts", "Transcripts", "measured", data=self.run.transcripts)

    def files(self) -> Mapping[str, str]:
        cited = self.citation()
        return {PAGE: words.page(self.found, escaped(cited.sentence), cited.facts["command"])}

    def record(self) -> dict[str, Any]:
        return super().record() | self.found.to_record()

    def notes(self) -> tuple[str, ...]:
        return (
            *words.paths(self.found),
            "Between two budgets a family is taken to go in a straight line; at its last step doing nothing stands.",
            "A replay shows what stands in the prompt, not what an agent would have done without it.",
        )


def _words(part: Decided) -> str:
    return words.sentence(part.found)


def _draw(part: Decided) -> Figure:
    """Both weightings: a line a family, its placebo dashed, and A's default."""
    found = part.found
    figure = Figure(figsize=(WIDTH, 4))
    both = figure.subplots(1, 2, sharey=True)
    for axes, weighting in zip(both, WEIGHTINGS, strict=True):
        for n, path in enumerate((found.a, found.b)):
            curve = found.curves[path.family]
            x, y = _line(found, curve, weighting)
            axes.plot(x, y, "o-", color=COLOURS[n], markersize=3, linewidth=0.9, label=label(path.family, 24))
            x, y = _line(found, Curve(curve.cost, found.placebo[path.family]), weighting)
            axes.plot(x, y, "--", color=COLOURS[n], linewidth=0.7, alpha=0.6, label="its placebo")
            if path is found.a:
                x, y = _line(found, curve, weighting)
                axes.plot(x[path.default], y[path.default], "D", color=COLOURS[n], markersize=7, label="default")
        axes.axvline(0, color=GREY, linewidth=0.7)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.set_xlabel(f"input tokens against identity, {weighting} (measured)")
    both[0].set_ylabel("requests with all dependencies visible (measured)")
    both[1].legend(loc="lower right", fontsize=7)
    return figure


def _line(found: Decision, curve: Curve, weighting: Any) -> tuple[Any, Any]:
    from harness.decide.curves import Pair

    summed = Pair(found.ground, curve, curve).summed(weighting, curve)
    cost, seen = (values[0] for values in summed.at(np.ones((1, len(summed.weight)))))
    return (cost if weighting == "bill" else np.exp(cost)) - 1, seen


PLOT = Plot("frontiers", "Both families over all budgets", "measured", _draw, _words, lead=True)
