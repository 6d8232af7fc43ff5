"""One Markdown page, fit for a design review."""

from __future__ import annotations

import re
from pathlib import Path

from tabulate import tabulate

from harness.reports import wording as say
from harness.reports.appendix import appendices
from harness.reports.citation import bibtex, citation, sentence
from harness.reports.columns import Group, groups, stages
from harness.reports.figures import Figures
from harness.reports.first_screen import answers, corpus_facts, headline, picks
from harness.reports.plots import PLOTS
from harness.reports.reading import reading
from harness.reports.report import Report
from harness.reports.summary import ALL, PolicyRow
from harness.views.text import harmless

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!$&@])")


class Markdown:
    """`report.md`, with the plots beside it."""

    name = "md"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "report.md"
        drawn = Figures().export(report, directory)
        path.write_text(page(report, [p.stem for p in drawn]), encoding="utf-8", errors="replace")
        return [path, *drawn]


def escaped(text: str) -> str:
    """Text that shows as itself in Markdown, whatever is in it."""
    return _SPECIAL.sub(r"\\\1", harmless(text).replace("\n", " "))


def code(text: str) -> str:
    """A name as code, where nothing in it means anything: no markup, no link, no mention."""
    shown = harmless(text).replace("\n", " ").replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def page(report: Report, drawn: list[str]) -> str:
    """The whole page."""
    summary = report.summary
    blocks = [f"# What each policy would have cost: run {code(report.run.id)}"]
    blocks += [escaped(headline(summary)), _picks(report), _facts(report)]
    blocks += [
        f"![{escaped(plot.title)} ({plot.kind})](plots/{plot.name}.png)"
        for plot in PLOTS
        if plot.name in drawn and plot.name in ("evidence", "savings")
    ]
    blocks.append("## Policies over the whole corpus")
    for group in groups(summary):
        for stage, rows in stages(summary.part(ALL)):
            blocks += [f"**{group.title}** ({group.kind}), {stage} policies", _table(group, rows)]
    if summary.formats:
        blocks += ["## Change of input tokens by format (measured, share of visible content)", _by_format(report)]
    for a in appendices(report.run):
        cells = [[code(row[0]), *(escaped(t) for t in row[1:])] for row in a.texts]
        align = ["left", *("right" for _ in a.headings[1:])]
        blocks.append(f"## {a.title} ({a.kind})\n\n{a.note}")
        blocks.append(tabulate(cells, headers=a.headings, tablefmt="pipe", colalign=align, disable_numparse=True))
    blocks += ["## More", _links(drawn), "## How to read this", reading(summary)]
    blocks += ["## To cite and to repeat", escaped(sentence(report.run)), _citation(report)]
    blocks.append(f"```bibtex\n{bibtex(report.run)}\n```")
    return "\n\n".join(blocks) + "\n"


def _picks(report: Report) -> str:
    found = picks(report.summary)
    named = [p for p in found if p.row]
    lines = [f"None: {p.what}." for p in found if not p.row]
    if named:
        headers = ["against identity (measured)", *(f"{code(p.row.policy)}: {p.what}" for p in named if p.row)]
        cells = [[a.asked, *(f"**{v}**" if a.main else v for v in a.values)] for a in answers(report.summary)]
        align = ["left", *("right" for _ in named)]
        lines.insert(0, tabulate(cells, headers=headers, tablefmt="pipe", colalign=align, disable_numparse=True))
    return "\n\n".join(lines)


def _facts(report: Report) -> str:
    return "\n".join(
        f"- {f.question} ({f.kind}): **{escaped(f.value)}** {escaped(f.note)}" for f in corpus_facts(report.summary)
    )


def _table(group: Group, rows: list[PolicyRow]) -> str:
    cells = [[code(r.policy), *(escaped(c.text(r)) for c in group.columns)] for r in rows]
    headers = ["policy", *(c.heading for c in group.columns)]
    align = ["left", *("right" for _ in group.columns)]
    return tabulate(cells, headers=headers, tablefmt="pipe", colalign=align, disable_numparse=True)


def _by_format(report: Report) -> str:
    formats = report.summary.formats
    cells = [
        [code(r.policy), *(say.change(report.summary.row(f.name, r.policy).paired.ratio) for f in formats)]
        for r in report.summary.part(ALL)
    ]
    headers = ["policy", *(escaped(f"{f.name} ({f.transcripts})") for f in formats)]
    align = ["left", *("right" for _ in formats)]
    return tabulate(cells, headers=headers, tablefmt="pipe", colalign=align, disable_numparse=True)


def _links(drawn: list[str]) -> str:
    lines = ["- the whole report with every table, to sort and to search: [index.html](index.html)"]
    lines += ["- all tables as [CSV](csv/)"]
    lines += [
        f"- {plot.title}: [PNG](plots/{plot.name}.png), [SVG](plots/{plot.name}.svg)"
        for plot in PLOTS
        if plot.name in drawn
    ]
    return "\n".join(lines)


def _citation(report: Report) -> str:
    return "\n".join(f"- {name}: {code(value)}" for name, value in citation(report.run).items())
