"""The summary that a replay prints."""

from __future__ import annotations

import textwrap

from harness.reports import wording as say
from harness.reports.columns import stages
from harness.reports.first_screen import facts, headline
from harness.reports.summary import ALL, PolicyRow, Summary
from harness.views.text import count, harmless, size, table

WIDTH = 100
INDENT = 16


def summary_text(summary: Summary) -> str:
    """Headline, facts, the policies over the whole corpus, and their changes by format."""
    blocks = [_wrapped(headline(summary), 0)]
    blocks.append("\n".join(_fact(f.question, f.kind, f.value, f.note) for f in facts(summary)))
    for stage, rows in stages(summary.part(ALL)):
        blocks.append(f"{stage} policies over the whole corpus (measured)\n{_policies(summary, rows)}")
    if summary.formats:
        blocks.append(_by_format(summary))
    return "\n\n".join(blocks)


def _fact(question: str, kind: str, value: str, note: str) -> str:
    return _wrapped(f"{question} ({kind}): {value}: {note}", 2)


def _wrapped(text: str, indent: int) -> str:
    return textwrap.fill(
        harmless(text), WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2), break_on_hyphens=False
    )


def _policies(summary: Summary, rows: list[PolicyRow]) -> str:
    headers = ["policy", "input\ntokens", "change", "95 %\ninterval", "of billed\ninput", "cached,\nwarm"]
    headers += ["all\nvisible", "at\nrisk"] if summary.has_evidence else []
    headers += ["USD,\nwarm", "change"] if summary.has_money else []
    headers += ["elided", "out of\nreach"]
    return table([_cells(summary, r) for r in rows], headers, right=range(1, len(headers)))


def _cells(summary: Summary, row: PolicyRow) -> list[str]:
    cells = [row.policy, count(row.input_tokens), say.change(row.paired.ratio), say.sureness(row.paired)]
    cells.append("-" if row.recorded_ratio is None else say.change(row.recorded_ratio))
    cells.append(say.percent(row.cached_warm / row.input_tokens if row.input_tokens else None))
    if summary.has_evidence:
        e = row.evidence
        cells += ["-", "-"] if e is None else [say.percent(e.all_visible), count(e.at_risk_requests)]
    if summary.has_money:
        m = row.money
        cells += ["-", "-"] if m is None else [say.usd(m.warm), say.change(m.paired.ratio)]
    return [*cells, size(row.elided_bytes), size(row.unreachable_bytes)]


def _by_format(summary: Summary) -> str:
    parts = [c.name for c in summary.formats]
    rows = [[r.policy, *(say.change(summary.row(p, r.policy).paired.ratio) for p in parts)] for r in summary.part(ALL)]
    heading = "change of input tokens by format (measured, share of visible content)"
    return f"{heading}\n{table(rows, ['policy', *parts], right=range(1, len(parts) + 1))}"
