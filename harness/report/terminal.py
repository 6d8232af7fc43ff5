"""The summary that a replay prints."""

from __future__ import annotations

import textwrap

from harness.report import wording as say
from harness.report.columns import stages
from harness.report.first_screen import answers, corpus_facts, headline, picks
from harness.report.readings import reading_text
from harness.report.screen import Fact
from harness.report.summary import ALL, PolicyRow, Summary
from harness.text import count, harmless, size, table

WIDTH = 100


def summary_text(summary: Summary) -> str:
    """Headline, the picked policies, the corpus, all policies over the whole corpus, and their changes by format."""
    blocks = [_wrapped(headline(summary))]
    if picked := _picked(summary):
        blocks.append(picked)
    blocks.append("\n".join(_fact(f) for f in corpus_facts(summary)))
    for stage, rows in stages(summary.part(ALL)):
        blocks.append(f"{stage} policies over the whole corpus (measured)\n{_policies(summary, rows)}")
    if summary.formats:
        blocks.append(_by_format(summary))
    return "\n\n".join(blocks)


def _picked(summary: Summary) -> str:
    found = [p for p in picks(summary) if p.row]
    if not found:
        return ""
    headers = ["(measured)", *("\n".join([p.row.policy, *textwrap.wrap(p.what, 24)]) for p in found if p.row)]
    rows = [[a.asked, *a.values] for a in answers(summary)]
    nothing = [f"no policy qualifies: {p.what}" for p in picks(summary) if not p.row]
    return "\n".join([table(rows, headers, right=range(1, len(headers))), *nothing])


def _fact(fact: Fact) -> str:
    return _wrapped(f"{fact.question} ({fact.kind}): {fact.value} {fact.note}")


def _wrapped(text: str) -> str:
    return textwrap.fill(harmless(text), WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _policies(summary: Summary, rows: list[PolicyRow]) -> str:
    headers = ["policy", "input\ntokens", "change", "95 %\ninterval", "of billed\ninput"]
    headers += ["all\nvisible", "at\nrisk"] if summary.has_evidence else ["cached,\nwarm"]
    headers += ["price,\nwarm"] if summary.has_money else []
    headers += ["elided", "out of\nreach"]
    return table([_cells(summary, r) for r in rows], headers, right=range(1, len(headers)))


def _cells(summary: Summary, row: PolicyRow) -> list[str]:
    cells = [row.policy, count(row.input_tokens), say.change(row.paired.ratio), say.sureness(row.paired)]
    cells.append(reading_text(row.reading.tokens) if row.reading and row.reading.requests else "-")
    if row.evidence:
        cells += [say.percent(row.evidence.all_visible), count(row.evidence.at_risk_requests)]
    else:
        cells.append(say.percent(row.cached_warm / row.input_tokens if row.input_tokens else None))
    if row.money:
        cells.append(say.change(row.money.paired.ratio))
    return [*cells, size(row.elided_bytes), size(row.unreachable_bytes)]


def _by_format(summary: Summary) -> str:
    parts = [c.name for c in summary.formats]
    rows = [[r.policy, *(say.change(summary.row(p, r.policy).paired.ratio) for p in parts)] for r in summary.part(ALL)]
    heading = "change of input tokens by format (measured, share of visible content)"
    return f"{heading}\n{table(rows, ['policy', *parts], right=range(1, len(parts) + 1))}"
