"""The part of a report on a re-drive."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.redrive.sections import first_screen
from harness.redrive.sections.tables import TABLES
from harness.redrive.tables import tables
from harness.redrive.words import ONE_RUN, Row
from harness.report.citation import Citation, cite, engine_facts
from harness.report.screen import Screen
from harness.report.sections import SectionPart
from harness.report.table import Table, records
from harness.report.table_text import prose, width

if TYPE_CHECKING:
    from harness.report.plots.drawing import Plot


def section(part: Redrive, name: str) -> Table:
    """One of the tables of a re-drive; a single engine is named once, above them."""
    words = TABLES[name]
    table = Table(name, words.title, words.kind, words.note, words.columns, part.frames[name])
    return table.without("engine") if len(part.run.engines) == 1 else table


class Redrive(SectionPart):
    """Engines at recorded requests, under policies."""

    title = "What engines did at recorded requests"
    SECTIONS = tuple(partial(section, name=name) for name in TABLES)

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The tables of `harness.redrive.tables`."""
        return tables(self.run.redrive)

    @cached_property
    def rows(self) -> dict[str, list[Row]]:
        """The same as rows."""
        return {name: records(one) for name, one in self.frames.items()}

    def row(self, table: str, engine: str, policy: str) -> Row:
        """The row of a table; empty where there is none, since nothing can be compared."""
        found = (row for row in self.rows[table] if (row["engine"], row["policy"]) == (engine, policy))
        return next(found, {})

    def screen(self) -> Screen:
        return first_screen.screen(self)

    def plots(self) -> tuple[Plot, ...]:
        from harness.redrive.sections.plots import PLOTS

        return PLOTS

    def citation(self) -> Citation:
        m = self.run.manifest
        many, tokens = f"{m['corpus']['transcripts']} transcripts", m["tokens"]
        facts = {"corpus": f"{many}, sha256 {m['corpus']['sha256']}"}
        facts["tokens"] = f"{tokens['profile']}, vocabulary {tokens['vocabulary_sha256']}"
        facts |= engine_facts(m["engines"])
        for engine in m["engines"]:
            facts[f"engine {engine['label']}"] += f", window {engine['window']} ({engine['window_from']})"
        policies = len(self.run.policies)
        title = f"{len(self.run.engines)} engines at the requests of {many} under {policies} context policies"
        return cite(self.run, title, facts, f"corpus sha256 {m['corpus']['sha256'][:16]}")

    def raw_tables(self) -> Iterator[Table]:
        yield Table("redrive", "Requests", "live", data=self.run.redrive)

    def text(self) -> str:
        return f"{super().text()}\n\n{prose(ONE_RUN, width())}"

    def record(self) -> dict[str, Any]:
        return super().record() | {key: self.run.manifest[key] for key in MANIFEST}

    def notes(self) -> tuple[str, ...]:
        return (ONE_RUN, *NOTES)


MANIFEST = ("engines", "corpus", "tools_from", "without_prompt", "skipped", "problems")
"""Of the manifest, what a program gets beside the tables."""

NOTES = (
    "Teacher-forced: whatever the engine chose, the next request was again the recorded one.",
    "Only requests whose prompts fit into the engine's window under every policy are compared. Long requests, where "
    "policies differ most, are the first to be left out.",
    "Where a recording has no tool definitions, the engine was given what the recorded calls tell: names and "
    "arguments, no descriptions. It knew less of the tools than the recorded agent.",
    "A prompt that is the same under several policies was asked once, and its answer stands for all of them.",
)
