"""Parts that are a first screen and a list of sections. A section is one table, with what a reader has to know of it.

Every exporter takes a section as it is: its table becomes HTML, Markdown, CSV and text for a terminal, its quotations
are put where they cannot do anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.report import section_markdown, section_text
from harness.report.citation import Citation
from harness.report.first_screen import Fact
from harness.report.part import Body, Table
from harness.runs.run import Run

if TYPE_CHECKING:
    from jinja2 import Environment

    from harness.report.plots.drawing import Drawn, Plot


@dataclass(frozen=True)
class Quote:
    """Text that an engine or a model wrote, shown as it is and never run. anchor: its place in the page."""

    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Section:
    """A table with plain values in `frame` and, for a reader, `texts`; `note` says what it shows.

    name: of its anchor and its file. kind: of all its figures, unless a heading says another. names: how many columns
    at the left hold names and words; the others hold figures. words: the headings of those among them that hold the
    report's own words. targets: by row, the anchor in the page that its first cell leads to. brief: fit for the summary
    on a terminal.
    """

    name: str
    title: str
    kind: str
    note: str
    headings: tuple[str, ...]
    frame: pd.DataFrame
    texts: list[list[str]]
    names: int = 1
    words: frozenset[str] = frozenset()
    targets: dict[int, str] = field(default_factory=dict)
    quotes: tuple[Quote, ...] = ()
    brief: bool = False


@dataclass(frozen=True)
class Screen:
    """What is to be seen first.

    heads: a name for each column of answers, with a few words. rows: a question, whether it is set larger, and an
    answer for each head; a question whose kind is not `kind` says so. facts: what all rests on.
    """

    headline: str
    kind: str
    caption: str
    heads: tuple[tuple[str, str], ...]
    rows: list[tuple[str, bool, list[str]]]
    facts: list[Fact]


class SectionPart:
    """A part of which a subclass gives the first screen, the sections, the plots and the citation."""

    title: str = ""
    SECTIONS: Sequence[Callable[[Any], Section | None]] = ()

    def __init__(self, run: Run, place: str = "", show_secrets: bool = False) -> None:
        from harness.report.names import PrintableRun

        self.whole = run
        self.run: Run = PrintableRun(run, show_secrets)
        self.place = place
        self._sections: list[Section] | None = None

    def screen(self) -> Screen:
        raise NotImplementedError

    def plots(self) -> tuple[Plot, ...]:
        raise NotImplementedError

    def citation(self) -> Citation:
        raise NotImplementedError

    def notes(self) -> tuple[str, ...]:
        """What the figures do not say, a sentence or two each."""
        return ()

    def raw_tables(self) -> Iterator[Table]:
        """The tables of the run itself."""
        return iter(())

    def sections(self) -> list[Section]:
        """Those that the run has figures for, made once."""
        if self._sections is None:
            found = (make(self) for make in self.SECTIONS)
            self._sections = [self.fitted(s) for s in found if s is not None and not s.frame.empty]
        return self._sections

    def fitted(self, section: Section) -> Section:
        """The section as this run needs it."""
        return section

    def without(self, section: Section, heading: str) -> Section:
        """A section without one of its columns of names, for a reader; the frame keeps it."""
        if heading not in section.headings or section.names < 2:
            return section
        at = section.headings.index(heading)
        headings = tuple(h for n, h in enumerate(section.headings) if n != at)
        texts = [[text for n, text in enumerate(row) if n != at] for row in section.texts]
        return replace(section, headings=headings, texts=texts, names=section.names - 1)

    def anchor(self, name: str) -> str:
        """A place in the page that no other part has."""
        return f"{self.place}-{name}" if self.place else name

    def tables(self) -> Iterator[Table]:
        for section in self.sections():
            yield Table(section.name, section.title, section.kind, section.frame)
        yield from self.raw_tables()

    def html(self, environment: Environment, drawn: list[Drawn]) -> Body:
        from harness.report.section_html import body

        return body(self, environment, drawn)

    def markdown(self, drawn: list[Drawn]) -> list[str]:
        return section_markdown.blocks(self, drawn)

    def text(self) -> str:
        """The summary for a terminal."""
        return section_text.summary(self)
