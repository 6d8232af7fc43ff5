"""One HTML file that needs no network: the same content as the Markdown page, with the plots."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.reports.plots import PLOTS, svg
from harness.reports.report import Report
from harness.reports.summary import ALL, HEADERS, corpus_lines, policy_cells
from harness.views.text import harmless


class Html:
    """`index.html`."""

    name = "html"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "index.html"
        path.write_text(page(report), encoding="utf-8", errors="replace")
        return [path]


def page(report: Report) -> str:
    """The whole page; everything that comes from a recording is escaped."""
    environment = Environment(loader=PackageLoader("harness.reports"), autoescape=True, undefined=StrictUndefined)
    environment.filters["harmless"] = harmless
    summary = report.summary
    parts = [
        ("The whole corpus" if c.name == ALL else c.name, [policy_cells(r) for r in summary.part(c.name)])
        for c in summary.corpora
    ]
    return environment.get_template("report.html.j2").render(
        run=report.run.id,
        lines=corpus_lines(summary),
        headers=HEADERS,
        parts=parts,
        plots=[(title, Markup(svg(draw, report))) for title, draw in PLOTS.values()],
        citation=report.citation(),
    )
