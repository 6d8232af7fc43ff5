"""What is to be seen first of a run: a sentence, the answers that carry it, and what all rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.report.table import Cell, Column, Table

KINDS = {
    "recorded": "stands so in the recording",
    "measured": "follows exactly from the recording and the policy",
    "estimated": "what the agent would probably have needed, under stated assumptions, always as a range",
    "live": "a model or an engine really ran",
}
"""What a figure rests on."""

ACROSS = 4
"""Up to so many subjects stand side by side, their figures below them; more stand below one another."""


@dataclass(frozen=True)
class Fact:
    """question: a few words. kind: of the value. value: set larger. note: what it is and what follows. detail: left out
    where there is little room."""

    question: str
    kind: str
    value: str
    note: str
    detail: bool = False


@dataclass(frozen=True)
class Screen:
    """answers: a row a subject (an engine, a policy, a driver), the first column its name, every other the answer to a
    question; the main ones are set larger. said: key of a few words on the subject. facts: what all rests on."""

    headline: str
    answers: Table
    facts: tuple[Fact, ...] = ()
    said: str = ""

    def brief(self) -> Screen:
        """The same without its details: for a terminal and a pull request."""
        columns = tuple(c for c in self.answers.columns if not c.detail)
        facts = tuple(f for f in self.facts if not f.detail)
        return replace(self, answers=replace(self.answers, columns=columns), facts=facts)

    @property
    def across(self) -> bool:
        """Whether the subjects are few enough to stand side by side."""
        return len(self.answers.data) <= ACROSS

    def heads(self) -> list[tuple[str, str]]:
        """Each subject with the words on it."""
        first = self.answers.columns[0]
        return [(first.text(row), str(row.get(self.said) or "")) for row in self.answers.records()]

    def questions(self) -> list[tuple[Column, list[Cell]]]:
        """Each question with the answer of every subject."""
        rows = self.answers.rows
        return [(column, [row[n] for row in rows]) for n, column in enumerate(self.answers.columns) if n]
