"""One HTML file that needs no network: first screen, tables, plots, and a request-by-request view."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.reports import wording as say
from harness.reports.appendix import appendices
from harness.reports.citation import bibtex, citation, sentence
from harness.reports.columns import groups, stages
from harness.reports.first_screen import answers, corpus_facts, headline, picks
from harness.reports.inventory import heat, movers, records
from harness.reports.plots import drawn
from harness.reports.plots.style import inline_svg
from harness.reports.reading import KINDS, NOTES
from harness.reports.report import Report
from harness.reports.sample import Sample, draw_sample, embedded
from harness.reports.summary import ALL
from harness.views.text import count, harmless, share, size

LISTED = 200


class Html:
    """`index.html`."""

    name = "html"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "index.html"
        path.write_text(page(report), encoding="utf-8", errors="replace")
        return [path]


def page(report: Report) -> str:
    """The whole page. Everything that comes from a recording is escaped, its control characters made visible; a script
    runs only if it is the page's own, told by its hash."""
    script, style = _asset("report.js"), _asset("report.css")
    moved = movers(report)
    sample = draw_sample(report.run, [row["transcript"] for block in moved for row in block.transcripts])
    environment = Environment(
        loader=PackageLoader("harness.reports"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {
        "harmless": harmless,
        "count": count,
        "size": size,
        "change": say.change,
        "name": _name,
        "tight": _tight,
    }
    environment.globals |= {"share": share, "say": say, "stages": stages}
    summary = report.summary
    return environment.get_template("page.html.j2").render(
        run=report.run,
        script=Markup(script),
        style=Markup(style),
        script_hash=base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii"),
        summary=summary,
        picks=picks(summary),
        headline=headline(summary),
        answers=answers(summary),
        facts=corpus_facts(summary),
        groups=groups(summary),
        all=ALL,
        plots=_plots(report),
        heats=[heat(report, "content", "Kind of content"), heat(report, "tool", "Tool")],
        movers=moved,
        sample=sample,
        data=Markup(embedded(sample.data)),
        transcripts=_transcripts(report, sample),
        listed=LISTED,
        unread={
            "quarantine": _list([(p["place"], p["reason"]) for p in report.run.manifest["problems"]]),
            "skipped": _list([(place, reason) for place, reason in report.run.manifest["skipped"]]),
        },
        appendices=list(appendices(report.run)),
        kinds=KINDS,
        notes=NOTES,
        sentence=sentence(report.run),
        bibtex=bibtex(report.run),
        citation=citation(report.run),
    )


def _asset(name: str) -> str:
    return files("harness.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _name(text: Any, most: int = 60) -> str:
    """A name for a table cell, its end kept, since that tells paths apart; the whole of it goes into the title."""
    shown = harmless(str(text))
    return shown if len(shown) <= most else "…" + shown[1 - most :]


def _tight(text: str) -> str:
    """No line break between a number and its percent sign."""
    return text.replace(" %", "\u00a0%")


def _plots(report: Report) -> dict[str, dict[str, Any]]:
    """The figures that the run has something to draw for."""
    return {
        one.plot.name: {
            "plot": one.plot,
            "svg": Markup(inline_svg(one.svg, one.plot.name)),
            "words": harmless(one.plot.words(report))[:2000],
        }
        for one in drawn(report)
    }


def _list(rows: list[tuple[str, str]]) -> dict[str, Any]:
    return {"all": len(rows), "shown": rows[:LISTED]}


def _transcripts(report: Report, sample: Sample) -> list[dict[str, Any]]:
    """Lines of the list of transcripts: those in the view, largest input first."""
    frame = report.run.transcripts
    identity = frame[(frame["policy"] == "identity") & frame["transcript"].isin(sample.transcripts)]
    chosen = identity.sort_values(["input_tokens", "transcript"], ascending=[False, True]).head(LISTED)
    columns = ["transcript", "format", "model", "cluster", "requests", "results", "result_bytes", "clipped_bytes"]
    return records(chosen[[*columns, "input_tokens"]])
