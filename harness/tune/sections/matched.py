"""The part of a report on policies at one price."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from matplotlib.figure import Figure

from harness.replay.sections.audit import audit_line, audit_names, audit_transcripts
from harness.replay.sections.grid import grid
from harness.report.citation import Citation, cite
from harness.report.plots.drawing import Plot
from harness.report.screen import Fact, Screen
from harness.report.sections import SectionPart
from harness.report.table import Table
from harness.text import count, number
from harness.tune.match import Match
from harness.tune.matched import Row, rows
from harness.tune.sections import match as said

SHOWN = frozenset({"policy", "visible", "difference", "unrecoverable"})


class Matched(SectionPart):
    """Policies at the size at which they cost what one of them costs."""

    title = "Policies at one price"

    @cached_property
    def match(self) -> Match:
        return Match.from_record(self.run.manifest["match"])

    @cached_property
    def rows(self) -> list[Row]:
        return rows(self.run, self.match)

    @cached_property
    def table(self) -> Table:
        return said.table(self.match, self.rows)

    SECTIONS = (lambda part: part.table,)

    def screen(self) -> Screen:
        columns = tuple(c for c in self.table.columns if c.key in SHOWN)
        answers = Table("answers", "At one price", "measured", "", columns, self.table.data)
        price = Fact("Price", "measured", count(self.match.tokens), f"input tokens, those of {self.match.to.label}")
        audit = audit_transcripts(grid(self.run.transcripts, self.run.policies).shared, self.run.manifest)
        rests = Fact("Rests on", "measured", *audit_line(audit))
        corpus = Fact("Corpus", "recorded", number(self.match.transcripts, "transcript"), "with a request")
        return Screen(
            ". ".join(said.lines(self.match, self.rows)) + ".", answers, (price, corpus, rests, *audit_names(audit))
        )

    def plots(self) -> tuple[Plot, ...]:
        return (PLOT,)

    def citation(self) -> Citation:
        corpus = self.run.manifest["corpus"]
        facts = {"corpus": f"{corpus['transcripts']} transcripts, sha256 {corpus['sha256']}"}
        title = f"Policies at the price of one of them over {corpus['transcripts']} transcripts"
        return cite(self.run, title, facts, f"corpus sha256 {corpus['sha256'][:16]}")

    def raw_tables(self) -> Iterator[Table]:
        yield Table("transcripts", "Transcripts", "measured", data=self.run.transcripts)

    def record(self) -> dict[str, Any]:
        return super().record() | said.record(self.match, self.rows)

    def notes(self) -> tuple[str, ...]:
        return (said.NOTE,)


def _draw(part: Matched) -> Figure:
    return said.draw(part.rows)


def _words(part: Matched) -> str:
    return " ".join(said.lines(part.match, part.rows))


PLOT = Plot("match", "What policies show at one price", "measured", _draw, _words, lead=True)
