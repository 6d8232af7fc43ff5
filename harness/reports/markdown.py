"""One Markdown page, fit for a design review."""

from __future__ import annotations

import re
from pathlib import Path

from tabulate import tabulate

from harness.reports.report import Report
from harness.reports.summary import ALL, HEADERS, corpus_lines, interval, percent, policy_cells
from harness.views.text import harmless

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!$&])")


def escaped(text: str) -> str:
    """Text that shows as itself in Markdown, whatever is in it."""
    return _SPECIAL.sub(r"\\\1", harmless(text).replace("\n", " "))


def markdown_table(rows: list[tuple[str, ...]], headers: tuple[str, ...], right: range) -> str:
    align = ["right" if i in right else "left" for i in range(len(headers))]
    cells = [[escaped(c) for c in row] for row in rows]
    return tabulate(cells, headers=headers, tablefmt="pipe", colalign=align if cells else None, disable_numparse=True)


class Markdown:
    """`report.md`."""

    name = "md"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "report.md"
        path.write_text(page(report), encoding="utf-8")
        return [path]


def page(report: Report) -> str:
    """The whole page."""
    summary = report.summary
    blocks = [f"# What each policy would have cost: {report.run.id}", headline(report)]
    blocks.append("\n".join(f"- {escaped(line)}" for line in corpus_lines(summary)))
    for corpus in summary.corpora:
        title = "The whole corpus" if corpus.name == ALL else corpus.name
        rows = [policy_cells(r) for r in summary.part(corpus.name)]
        blocks += [f"## {escaped(title)} (measured)", markdown_table(rows, HEADERS, right=range(2, 11))]
    blocks += [READING, "## To cite and to repeat", citation(report)]
    return "\n\n".join(blocks) + "\n"


def headline(report: Report) -> str:
    """One sentence: the policy that leaves the fewest input tokens, and how sure that is."""
    rows = [r for r in report.summary.part(ALL) if r.policy != "identity" and r.paired.ratio is not None]
    if not rows:
        return "Only `identity` was replayed, so there is nothing to compare."
    best = min(rows, key=lambda r: r.input_tokens)
    sure = interval(best.paired)
    return (
        f"Fewest input tokens (measured): **{escaped(best.policy)}**, {percent(best.paired.ratio)} against identity "
        f"({'95 % interval ' + sure if best.paired.interval and not best.paired.exact else sure}), over "
        f"{best.paired.n} transcripts in {best.paired.clusters} clusters. Fewer tokens are not better by themselves: a "
        "policy also hides what later steps may need."
    )


READING = """## How to read this

- *change*: ratio of total framed prompt tokens to identity, a share of visible content. *95 % interval*: percentile
  bootstrap over clusters; under 8 clusters there is none.
- *of recorded*: the same saving as a share of the billed input, what the recording does not explain being constant.
- *cached, warm*: share of the input that a prefix cache had seen if every entry still lived.
- *elided*: bytes of tool results that do not stand in the prompt. *unreachable*: those that no handle and no file names.
- Nothing here says that an agent would have succeeded or failed."""


def citation(report: Report) -> str:
    return "\n".join(
        f"- {name}: `{harmless(value).replace('`', chr(39))}`" for name, value in report.citation().items()
    )
