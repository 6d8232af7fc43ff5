"""The part of a report on what agents did after a cut."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pandas as pd

from harness.after import tables
from harness.after.limits import at_limits
from harness.after.sections import tables as shown
from harness.report.citation import Citation, cite
from harness.report.screen import Fact, Screen
from harness.report.sections import SectionPart
from harness.report.table import Table
from harness.report.units import SHARE
from harness.text import count, number


class AfterPart(SectionPart):
    """What agents did after a cut."""

    title = "What agents did after a cut"
    SECTIONS = (shown.agents, shown.marks, shown.offers, shown.beside_whole, shown.limits, shown.habits)

    @property
    def results(self) -> pd.DataFrame:
        return self.run.table("results")

    @cached_property
    def agents(self) -> list[tables.Row]:
        return tables.agents(self.results, self.run.table("transcripts"))

    @cached_property
    def limits(self) -> list[tables.Row]:
        return at_limits(self.results, self.run.manifest["settings"]["at"] or None)

    def screen(self) -> Screen:
        columns = (shown.AGENT, shown.CUT, shown.BACK, *shown.TOOK)
        rows = [row for row in self.agents if row["cut_results"]] or self.agents
        return Screen(self.headline(), Table("answers", "Agents", "recorded", columns=columns, data=rows), self.facts())

    def headline(self) -> str:
        """One sentence over all agents, and one on calls for nothing."""
        cut, told, back = (sum(row[key] for row in self.agents) for key in ("cut_results", "back_n", "turned_back"))
        results, repeated, calls = (
            sum(row[key] for row in self.agents) for key in ("results", "repeated_calls", "tool_calls")
        )
        said = f"{number(cut, 'result')} of {count(results)} were clipped, spilled or previewed"
        if told:
            said += f"; after {count(back)} of {count(told)} with a later request the agent turned back to it"
            said += f" ({SHARE.text(back / told)})"
        return f"{said}. {number(repeated, 'call')} of {count(calls)} repeated an earlier one with the same result."

    def facts(self) -> tuple[Fact, ...]:
        m = self.run.manifest
        clusters = self.run.table("transcripts")["cluster"].nunique()
        about = f"in {number(clusters, 'cluster')}"
        if m["problems"] or m["skipped"]:
            about += f"; {number(len(m['problems']), 'problem')}, {number(len(m['skipped']), 'file')} skipped"
        within = number(m["settings"]["within"], "call")
        return (
            Fact("Corpus", "recorded", number(m["corpus"]["transcripts"], "transcript"), about),
            Fact("Looked at", "recorded", within, "next, and the rest of the last one's request"),
        )

    def citation(self) -> Citation:
        m = self.run.manifest
        corpus, tokens = m["corpus"], m["tokens"]
        facts = {
            "corpus": f"{corpus['transcripts']} transcripts, sha256 {corpus['sha256']}",
            "tokens": f"{tokens['profile']}, vocabulary {tokens['vocabulary_sha256']}",
        }
        title = f"What agents did after a cut in {corpus['transcripts']} transcripts"
        return cite(self.run, title, facts, f"corpus sha256 {corpus['sha256'][:16]}")

    def raw_tables(self) -> Iterator[Table]:
        yield Table("results", "Results", "recorded", data=self.results)
        yield Table("transcripts", "Transcripts", "recorded", data=self.run.table("transcripts"))

    def record(self) -> dict[str, Any]:
        return super().record() | {key: self.run.manifest[key] for key in ("corpus", "skipped", "problems")}

    def notes(self) -> tuple[str, ...]:
        return NOTES


NOTES = (
    "What was recorded, and no more: that an agent went on does not say that it needed nothing, and that it turned "
    "back does not say that the cut was the reason.",
    "Targets are told by the words of a call: names of files, arguments that are no limits, the same command. A script "
    "that reads the same file, or a search that finds the same line elsewhere, counts as going on.",
)
