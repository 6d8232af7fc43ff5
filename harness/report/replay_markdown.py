"""The part of a report on a replay, as Markdown."""

from __future__ import annotations

from harness.report import wording as say
from harness.report.appendix import appendices
from harness.report.columns import Group, groups, stages
from harness.report.first_screen import answers, corpus_facts, headline, picks
from harness.report.markup import code, escaped, pipe_table
from harness.report.plots.drawing import Drawn
from harness.report.reading import reading
from harness.report.replay import Replay
from harness.report.section_markdown import picture
from harness.report.summary import ALL, PolicyRow


def blocks(report: Replay, drawn: list[Drawn]) -> list[str]:
    """What is to be seen first, the tables, the controls, how to read it."""
    summary = report.summary
    found = brief(report)
    found += [picture(report.place, one) for one in drawn if one.plot.lead]
    found.append("## Policies over the whole corpus")
    for group in groups(summary):
        for stage, rows in stages(summary.part(ALL)):
            found += [f"**{group.title}** ({group.kind}), {stage} policies", _table(group, rows)]
    if summary.formats:
        found += ["## Change of input tokens by format (measured, share of visible content)", _by_format(report)]
    for a in appendices(report.run):
        cells = [[code(row[0]), *(escaped(t) for t in row[1:])] for row in a.texts]
        found += [f"## {a.title} ({a.kind})\n\n{a.note}", pipe_table(a.headings, cells)]
    return [*found, "## How to read this", reading(summary)]


def brief(report: Replay) -> list[str]:
    """What is to be seen first."""
    return [escaped(headline(report.summary)), _picks(report), _facts(report)]


def _picks(report: Replay) -> str:
    found = picks(report.summary)
    named = [p for p in found if p.row]
    lines = [f"No policy qualifies: {p.what}." for p in found if not p.row]
    if named:
        headers = ["against identity (measured)", *(f"{code(p.row.policy)}: {p.what}" for p in named if p.row)]
        cells = [[a.asked, *(f"**{v}**" if a.main else v for v in a.values)] for a in answers(report.summary)]
        lines.insert(0, pipe_table(headers, cells))
    return "\n\n".join(lines)


def _facts(report: Replay) -> str:
    return "\n".join(
        f"- {f.question} ({f.kind}): **{escaped(f.value)}** {escaped(f.note)}" for f in corpus_facts(report.summary)
    )


def _table(group: Group, rows: list[PolicyRow]) -> str:
    cells = [[code(r.policy), *(escaped(c.text(r)) for c in group.columns)] for r in rows]
    return pipe_table(["policy", *(c.heading for c in group.columns)], cells)


def _by_format(report: Replay) -> str:
    formats = report.summary.formats
    cells = [
        [code(r.policy), *(say.change(report.summary.row(f.name, r.policy).paired.ratio) for f in formats)]
        for r in report.summary.part(ALL)
    ]
    return pipe_table(["policy", *(escaped(f"{f.name} ({f.transcripts})") for f in formats)], cells)
