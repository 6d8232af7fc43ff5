"""A report is made of parts: one a run, each with what is to be said of a run of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from markupsafe import Markup

from harness.report.citation import Citation
from harness.report.table import Table
from harness.runs.run import Run

if TYPE_CHECKING:
    from jinja2 import Environment

    from harness.report.plots.drawing import Drawn, Plot


@dataclass(frozen=True)
class Body:
    """A part as HTML. screen: what is to be seen first. contents: anchor and title of its sections. data: what the
    page's script shows request by request, if the part has that."""

    screen: Markup
    contents: list[tuple[str, str]]
    sections: Markup
    data: dict[str, Any] | None = None


class Part(Protocol):
    """What a report says of a run of one kind (`harness.runs.kind.Kind.part`).

    place: what tells its anchors and files from those of the other parts of the report; empty for an only part.
    """

    run: Run
    place: str

    @property
    def title(self) -> str:
        """The heading."""

    def tables(self) -> Iterator[Table]:
        """Every table that is said something with, for programs."""

    def raw_tables(self) -> Iterator[Table]:
        """The rows behind them, as the run's Parquet files hold them, names masked: as large as the corpus is."""

    def plots(self) -> tuple[Plot, ...]:
        """Every plot that a run of this kind may have."""

    def html(self, environment: Environment, drawn: list[Drawn]) -> Body:
        """The part for a page."""

    def markdown(self, drawn: list[Drawn]) -> list[str]:
        """The part as blocks of Markdown, without its heading."""

    def brief_markdown(self) -> list[str]:
        """What is to be seen first, for a pull request: no image, no link."""

    def text(self) -> str:
        """The summary for a terminal."""

    def whole_text(self) -> str:
        """Every table for a terminal."""

    def record(self) -> dict[str, Any]:
        """The summary for a program."""

    def files(self) -> Mapping[str, str]:
        """What else stands in the folder of its report, by name."""

    def link(self, pages: Mapping[tuple[str, str, int], str]) -> None:
        """Pages that lie beside the report, to be linked from it: addresses by policy, transcript and request."""

    def citation(self) -> Citation:
        """How to cite the run and make it again."""
