"""The part of a report on a replay: what each policy would have cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd
from jinja2 import ChoiceLoader, PackageLoader
from markupsafe import Markup

from harness.replay.sections import programs, tables
from harness.replay.sections.citation import cite_replay
from harness.replay.sections.first_screen import answers, corpus_facts, headline, is_few, picks
from harness.replay.sections.frames import corpus_frame, policy_frame
from harness.replay.sections.inventory import movers, records
from harness.replay.sections.outcomes import by_outcome
from harness.replay.sections.reading import GLOSSARY, NOTES
from harness.replay.sections.risk import Risk, at_risk, is_known
from harness.replay.sections.sample import Sample, draw_sample
from harness.replay.sections.summary import ALL, Summary, summarize, summary_record
from harness.replay.sections.wording import REACH
from harness.report.citation import Citation
from harness.report.screen import Screen
from harness.report.sections import SectionPart
from harness.report.table import Column, Table
from harness.report.units import NAME
from harness.text import count

if TYPE_CHECKING:
    from jinja2 import Environment

    from harness.replay.sections.inventory import Movers
    from harness.report.plots.drawing import Plot

MOST_AT_RISK = 10
"""Requests listed a policy, and pages that a link asks for."""
LISTED = 200
"""Transcripts in the list on a page."""


class Replay(SectionPart):
    """Policies over recordings; everything is computed when first asked for."""

    title = "What each policy would have cost"

    @cached_property
    def summary(self) -> Summary:
        return summarize(self.run)

    @cached_property
    def policies(self) -> pd.DataFrame:
        """The rows of all tables of policies."""
        return policy_frame(self.summary.rows)

    pages: Mapping[tuple[str, str, int], str] = {}

    def link(self, pages: Mapping[tuple[str, str, int], str]) -> None:
        self.pages = pages

    def screen(self) -> Screen:
        """The policies that stand out, figures down."""
        asked = answers(self.summary)
        columns = [Column("policy", "policy", NAME)]
        columns += [
            Column(str(n), a.question, tables.FIGURE, a.kind, main=a.main, detail=a.detail) for n, a in enumerate(asked)
        ]
        rows = [
            {"policy": pick.row.policy, "said": pick.what} | {str(n): a.values[at] for n, a in enumerate(asked)}
            for at, pick in enumerate(picks(self.summary))
        ]
        targets = self._targets([row["policy"] for row in rows])
        table = Table("answers", "Against identity", "measured", "", tuple(columns), rows, targets=targets)
        return Screen(headline(self.summary), table, tuple(corpus_facts(self.summary)), "said")

    def brief_screen(self, most: int) -> Screen:
        """All policies: side by side where they are few, else one below the other."""
        brief = super().brief_screen(most)
        if is_few(self.summary):
            return brief
        return replace(brief, answers=tables.overview(self, [p.row.policy for p in picks(self.summary)], most))

    def made(self) -> Iterator[Table | None]:
        yield from tables.policies(self)
        yield from programs.tables(self)
        yield tables.against(self)
        yield by_outcome(self)
        yield from tables.by_format(self)
        yield tables.bytes_by(self, "content", "contents", "kind of content")
        yield tables.bytes_by(self, "tool", "tools", "tool")
        yield from tables.controls(self)
        yield tables.pairs(self)
        yield from tables.unread(self)

    def brief_sections(self) -> list[Table]:
        return []

    def tables(self) -> Iterator[Table]:
        yield from super().tables()
        yield from (table for table in tables.unread(self) if table.is_empty())
        yield Table("corpora", "Corpus", "recorded", data=corpus_frame(self.summary))

    def raw_tables(self) -> Iterator[Table]:
        yield Table("transcripts", "Transcripts", "measured", data=self.run.transcripts)
        yield Table("results", "Tool results", "measured", data=self.run.results)
        yield Table("requests", "Requests", "measured", data=self.run.requests)

    def plots(self) -> tuple[Plot, ...]:
        from harness.replay.sections.plots import PLOTS

        return PLOTS

    def citation(self) -> Citation:
        return cite_replay(self.run)

    def notes(self) -> tuple[str, ...]:
        return NOTES

    def glossary(self) -> Mapping[str, str]:
        return GLOSSARY

    def record(self) -> dict[str, Any]:
        return super().record() | summary_record(self.summary)

    def data(self) -> dict[str, Any]:
        return self._sample.data

    def inserts(self, environment: Environment) -> list[tuple[str, str, Markup]]:
        """Top movers, and requests one by one."""
        own = environment.overlay(
            loader=ChoiceLoader([PackageLoader(__package__ or ""), PackageLoader("harness.report")])
        )
        known = {
            "reach": REACH,
            "at": f"{self.place}-" if self.place else "",
            "run": self.run,
            "movers": self._movers,
            "sample": self._sample,
            "transcripts": self._transcripts(),
            "listed": LISTED,
            "risks": self._risks,
            "pages": self.pages,
            "most": MOST_AT_RISK,
        }
        return [
            (self.anchor(name), title, Markup(own.get_template(f"{name}.html.j2").render(known)))
            for name, title in (("risk", "Requests at risk"), ("movers", "Top movers"), ("view", "Request by request"))
        ]

    @cached_property
    def _risks(self) -> list[tuple[int, str, str, list[tuple[Risk, str]]]]:
        """By policy that puts a request at risk: its place among the policies, how many of how many, and those most at
        risk, each with the name of its transcript as it may be printed."""
        names = [run.transcripts["transcript"].astype(str) for run in (self.whole, self.run)]
        printed = dict(zip(*names, strict=True))
        found = []
        for n, row in enumerate(self.summary.part(ALL)):
            if is_known(self.whole) and row.evidence and row.evidence.at_risk_requests:
                said = f"{count(row.evidence.at_risk_requests)} of {count(row.evidence.bearing_requests)} requests"
                risks = at_risk(self.whole, self.whole.policies[n], MOST_AT_RISK)
                found.append((n, row.policy, said, [(r, printed[r.transcript]) for r in risks]))
        return found

    def risk_targets(self, whole: pd.DataFrame) -> dict[int, str]:
        """By row of a table of policies, where the requests at risk under it stand."""
        ordered = [str(p) for _, own in whole.groupby("_stage", sort=False) for p in own["policy"]]
        return self._targets(ordered)

    def _targets(self, policies: list[str]) -> dict[int, str]:
        places = {policy: n for n, policy, _, _ in self._risks}
        return {row: self.anchor(f"risk-{places[p]}") for row, p in enumerate(policies) if p in places}

    @cached_property
    def _movers(self) -> list[Movers]:
        return movers(self.run, self.summary)

    @cached_property
    def _sample(self) -> Sample:
        return draw_sample(self.run, [row["transcript"] for block in self._movers for row in block.transcripts])

    def _transcripts(self) -> list[dict[str, Any]]:
        """Lines of the list of transcripts: those in the view, largest input first."""
        frame = self.run.transcripts
        identity = frame[(frame["policy"] == "identity") & frame["transcript"].isin(self._sample.transcripts)]
        chosen = identity.sort_values(["input_tokens", "transcript"], ascending=[False, True]).head(LISTED)
        columns = ["transcript", "format", "model", "cluster", "requests", "results", "result_bytes", "clipped_bytes"]
        return records(chosen[[*columns, "input_tokens"]])
