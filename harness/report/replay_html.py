"""The part of a report on a replay, as HTML."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from harness.report.appendix import appendices
from harness.report.columns import groups
from harness.report.first_screen import answers, corpus_facts, headline, picks
from harness.report.inventory import heat, movers, records
from harness.report.part import Body
from harness.report.plots.drawing import Drawn
from harness.report.reading import NOTES
from harness.report.replay import Replay
from harness.report.sample import Sample, draw_sample
from harness.report.section_html import figure
from harness.report.summary import ALL

LISTED = 200
CONTENTS = (
    ("policies", "Policies"),
    ("plots", "Plots"),
    ("bytes", "Where the bytes are"),
    ("movers", "Top movers"),
    ("view", "Request by request"),
    ("appendix", "Controls"),
    ("unread", "Not read"),
    ("reading", "How to read this"),
)


def body(report: Replay, environment: Environment, drawn: list[Drawn]) -> Body:
    """First screen, sections, and the data of the request-by-request view."""
    moved = movers(report)
    sample = draw_sample(report.run, [row["transcript"] for block in moved for row in block.transcripts])
    summary = report.summary
    plots = [figure(report, one) for one in drawn]
    lead = next((p for p in plots if p["plot"].lead), None)
    known = {
        "run": report.run,
        "at": f"{report.place}-" if report.place else "",
        "summary": summary,
        "picks": picks(summary),
        "headline": headline(summary),
        "answers": answers(summary),
        "facts": corpus_facts(summary),
        "groups": groups(summary),
        "all": ALL,
        "lead": lead,
        "plots": [p for p in plots if p is not lead],
        "heats": [heat(report, "content", "Kind of content"), heat(report, "tool", "Tool")],
        "movers": moved,
        "sample": sample,
        "transcripts": _transcripts(report, sample),
        "listed": LISTED,
        "unread": {
            "quarantine": _list([(p["place"], p["reason"]) for p in report.run.manifest["problems"]]),
            "skipped": _list([(place, reason) for place, reason in report.run.manifest["skipped"]]),
        },
        "appendices": list(appendices(report.run)),
        "notes": NOTES,
    }
    return Body(
        Markup(environment.get_template("first_screen.html.j2").render(known)),
        [(f"{known['at']}{name}", title) for name, title in CONTENTS],
        Markup(environment.get_template("replay.html.j2").render(known)),
        sample.data,
    )


def _list(rows: list[tuple[str, str]]) -> dict[str, Any]:
    return {"all": len(rows), "shown": rows[:LISTED]}


def _transcripts(report: Replay, sample: Sample) -> list[dict[str, Any]]:
    """Lines of the list of transcripts: those in the view, largest input first."""
    frame = report.run.transcripts
    identity = frame[(frame["policy"] == "identity") & frame["transcript"].isin(sample.transcripts)]
    chosen = identity.sort_values(["input_tokens", "transcript"], ascending=[False, True]).head(LISTED)
    columns = ["transcript", "format", "model", "cluster", "requests", "results", "result_bytes", "clipped_bytes"]
    return records(chosen[[*columns, "input_tokens"]])
