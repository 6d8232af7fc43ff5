"""`harness audit`: was every recording read right, and where did its records go?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.formats.corpus import Intake, find_copies, find_sources, format_named, read_source
from harness.formats.reading import Reached, Reading
from harness.formats.skeleton import skeleton
from harness.formats.source import Source
from harness.policies.spec import make_policy
from harness.replay.audit import Audit, audit
from harness.replay.ledger import Counter as TokenCounter
from harness.replay.ledger import Framing, account_of, lay_out
from harness.report.table import Column, Table
from harness.report.table_text import grid, width
from harness.report.units import COUNT, MEAN, NAME, OF, SHARE
from harness.show.inspect import intake_lines, intake_record
from harness.text import count, harmless, number
from harness.transcript import Transcript

MOST = 200


@dataclass
class Audited:
    """audits: per transcript its format, requests and audit. readings: per source that holds transcripts, how much of
    it was read."""

    audits: dict[str, tuple[str, int, Audit]] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)
    intake: Intake = field(default_factory=Intake)


def audit_paths(paths: list[Path], forced: str | None, counter: TokenCounter, framing: Framing) -> Audited:
    """Audit every transcript below some paths."""
    found = Audited()
    copies = find_copies(paths, forced)
    found.intake.copies += copies.pairs
    found.intake.ends.update(copies.ends)
    for source in find_sources(paths, found.intake):
        reached = Reached()
        read_as = ""
        for transcript in read_source(source, found.intake, forced):
            read_as = transcript.format
            reached.add(transcript)
            own = copies.own(transcript)
            if own is not None:
                audited = _audit(own, counter, framing)
                found.audits[own.id] = (own.format, len(own.requests()), audited)
        if read_as:
            noise: frozenset[str] = getattr(format_named(read_as), "noise", frozenset())
            found.readings[source.name] = reached.accounts(source, noise)
    return found


def _audit(transcript: Transcript, counter: TokenCounter, framing: Framing) -> Audit:
    layout = lay_out(transcript, counter, framing)
    prompts = account_of(layout, make_policy("identity"), counter).prompt
    return audit(transcript, prompts.tolist(), layout.boundary.tolist(), transcript.read)


def audit_record(found: Audited) -> dict[str, Any]:
    """For a program."""
    return {
        "transcripts": [
            {"transcript": name, "format": kind, "requests": requests} | one.to_record()
            for name, (kind, requests, one) in _ordered(found)
        ],
        "sources": [
            {
                "source": name,
                "records": dict(r.records),
                "lost": r.lost,
                "not_read": dict(r.unread),
                "text_read": r.share,
            }
            for name, r in found.readings.items()
        ],
        **intake_record(found.intake),
    }


COLUMNS = (
    Column("transcript", "transcript", NAME),
    Column("format", "format"),
    Column("requests", "requests", COUNT),
    Column("audit", "audit"),
    Column("read", "text read", SHARE),
    Column(("answered", "calls"), "calls answered", OF),
    Column("growth", "growth", MEAN),
    Column("count", "count / bill", MEAN),
)


def audit_text(found: Audited) -> str:
    """Doubtful ones first, then where the records went."""
    rows = [
        {"transcript": name, "format": kind, "requests": requests, "audit": one.verdict, "read": one.read}
        | {"answered": one.answered, "calls": one.calls, "growth": one.growth, "count": one.count}
        for name, (kind, requests, one) in _ordered(found)
    ]
    shown = Table("audits", "", "", columns=COLUMNS, data=rows[:MOST])
    parts = [grid(shown, shown.rows, width())] if rows else []
    if len(rows) > MOST:
        parts.append(f"… and {len(rows) - MOST} more (--json lists all)")
    verdicts = Counter(one.verdict for _, _, one in found.audits.values())
    parts.append(", ".join(f"{count(verdicts[v])} {v}" for v in ("audited", "doubtful", "not audited")))
    doubtful = [f"  {harmless(n)}: {one.why}" for n, (_, _, one) in _ordered(found) if one.why]
    parts += ["doubtful:\n" + "\n".join(doubtful[:MOST])] if doubtful else []
    return "\n\n".join([*parts, _records(found), *intake_lines(found.intake)])


def _records(found: Audited) -> str:
    ends: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for reading in found.readings.values():
        ends.update(reading.records)
        kinds.update(reading.unread)
    without = sum(1 for r in found.readings.values() if not r.records)
    said = ", ".join(f"{count(n)} {end}" for end, n in sorted(ends.items())) or "none"
    lines = [f"records: {count(ends.total())} in sources of JSON, of them {said}"]
    if kinds:
        lines.append("not read, by kind: " + ", ".join(f"{harmless(k)} {count(n)}" for k, n in kinds.most_common(12)))
    if without:
        lines.append(f"{number(without, 'source')} of another kind (archives, folders, databases): not identified")
    lost = sum(r.lost for r in found.readings.values())
    lines.append("every record is accounted for" if not lost else f"{number(lost, 'record')} not accounted for: a bug")
    return "\n".join(lines)


def _ordered(found: Audited) -> list[tuple[str, tuple[str, int, Audit]]]:
    order = {"doubtful": 0, "not audited": 1, "audited": 2}
    return sorted(found.audits.items(), key=lambda item: order[item[1][2].verdict])


def skeletons(paths: list[Path]) -> Iterator[dict[str, Any]]:
    """The skeleton of every source, under a number instead of its name."""
    for n, source in enumerate(find_sources(paths, Intake()), 1):
        yield {"source": n, "suffix": _suffix(source)} | skeleton(source)


def _suffix(source: Source) -> str:
    return "".join(Path(source.base).suffixes[-2:])[-12:]
