"""Parts that are a first screen and a list of tables. Each kind of run has one (see `harness/redrive/sections`):

    class Engines(SectionPart):
        title = "How engines did"
        SECTIONS = (states.section, rates.section)   # each takes the part and gives a `Table`, or `None`

        def screen(self) -> Screen: ...

Every exporter takes the tables as they are: a table becomes HTML, Markdown, CSV, JSON and text for a terminal, its
quotations are put where they cannot do anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.report import section_markdown, section_text
from harness.report.citation import Citation
from harness.report.part import Body
from harness.report.screen import Screen
from harness.report.table import Table
from harness.runs.run import Run

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from harness.report.plots.drawing import Drawn, Plot


class SectionPart:
    """A part of which a subclass gives the first screen, the sections, the plots and the citation."""

    title: str = ""
    SECTIONS: Sequence[Callable[[Any], Table | None]] = ()

    def __init__(self, run: Run, place: str = "", show_secrets: bool = False) -> None:
        from harness.report.names import PrintableRun

        self.whole = run
        self.run: Run = PrintableRun(run, show_secrets)
        self.place = place
        self._sections: list[Table] | None = None

    def screen(self) -> Screen:
        raise NotImplementedError

    def brief_screen(self, most: int) -> Screen:
        """What is to be seen first where there is room for `most` rows: on a terminal, in a pull request."""
        return self.screen().brief()

    def plots(self) -> tuple[Plot, ...]:
        return ()

    def link(self, pages: Mapping[tuple[str, str, int], str]) -> None:
        raise NotImplementedError

    def citation(self) -> Citation:
        raise NotImplementedError

    def files(self) -> Mapping[str, str]:
        return {}

    def notes(self) -> tuple[str, ...]:
        """What the figures do not say, a sentence or two each."""
        return ()

    def glossary(self) -> Mapping[str, str]:
        """Words that a newcomer does not know, each in a sentence."""
        return {}

    def raw_tables(self) -> Iterator[Table]:
        """The tables of the run itself, for programs."""
        return iter(())

    def sections(self) -> list[Table]:
        """Those that the run has figures for, made once."""
        if self._sections is None:
            found = self.made()
            self._sections = [self.fitted(s) for s in found if s is not None and not s.is_empty()]
        return self._sections

    def made(self) -> Iterator[Table | None]:
        """What the sections are, in their order; where one has nothing to show, it is left out."""
        return (make(self) for make in self.SECTIONS)

    def brief_sections(self) -> list[Table]:
        """Those for the summary on a terminal."""
        return [section for section in self.sections() if section.brief]

    def fitted(self, section: Table) -> Table:
        """The section as this run needs it."""
        return section

    def anchor(self, name: str) -> str:
        """A place in the page that no other part has."""
        return f"{self.place}-{name}" if self.place else name

    def tables(self) -> Iterator[Table]:
        yield from (section for section in self.sections() if len(section.data))

    def inserts(self, environment: Environment) -> list[tuple[str, str, Markup]]:
        """What a page has besides the tables, behind them: anchor, title and HTML that is escaped already."""
        return []

    def data(self) -> dict[str, Any] | None:
        """What the script of a page shows, if the part has that."""
        return None

    def html(self, environment: Environment, drawn: list[Drawn]) -> Body:
        from harness.report.section_html import body

        return body(self, environment, drawn)

    def markdown(self, drawn: list[Drawn]) -> list[str]:
        return section_markdown.blocks(self, drawn)

    def brief_markdown(self) -> list[str]:
        return section_markdown.brief(self)

    def text(self) -> str:
        """The summary for a terminal, as wide as that is."""
        return section_text.summary(self)

    def whole_text(self) -> str:
        """The same with every section."""
        return section_text.everything(self)

    def record(self) -> dict[str, Any]:
        """The same for a program: what is to be seen first, and every table as rows of plain values."""
        screen = self.screen()
        return {
            "kind": screen.answers.kind,
            "headline": screen.headline,
            "answers": screen.answers.records(),
            "facts": [vars(fact) for fact in screen.facts],
            "tables": {section.name: section.records() for section in self.sections()},
            "columns": {table.name: table.keys() for table in (screen.answers, *self.sections())},
        }
