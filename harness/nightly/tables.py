"""The tables of a night, of a comparison and of the history: what stands in each column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from harness.nightly.engines import HISTORY, Judged
from harness.nightly.measured import Change
from harness.report.table import Column, Table
from harness.report.units import COUNT, EXACT, FLAG, GROWTH, NAME, QUANTITY, TEXT, P, between

CHANGES = (
    Column("subject", "part/policy", NAME),
    Column("figure", "figure"),
    Column(("before", "unit"), "baseline", QUANTITY),
    Column(("after", "unit"), "now", QUANTITY),
    Column("share", "change", GROWTH, absent="from zero"),
    Column("verdict", "verdict"),
    Column("cause", "cause"),
)


def changes(found: Sequence[Change], hide: Callable[[str], str]) -> Table:
    """Measured figures that are others than in the baseline. hide: masks secrets."""
    rows = [
        {
            "subject": hide(f"{c.part}/{c.policy}"),
            "figure": c.figure + (f" ({c.unit})" if c.unit not in ("", "share", c.figure) else ""),
            "unit": c.unit,
            "before": c.before,
            "after": c.after,
            "share": c.share,
            "verdict": _judgement(c),
            "cause": hide("; ".join(c.causes)) if c.fails or c.scope == "common" else "corpus, see above",
        }
        for c in found
    ]
    return Table("changes", "Changes", "measured", columns=CHANGES, data=rows)


def _judgement(change: Change) -> str:
    if change.muted:
        return f"muted: {change.muted}"
    if change.fails:
        return f"worse; allowed {100 * change.tolerance:g} %"
    if change.scope == "corpus":
        return "other transcripts"
    if change.worse > 0:
        return f"worse, within {100 * change.tolerance:g} %"
    return "better" if change.worse < 0 else "neither better nor worse"


JUDGED = (
    Column("subject", "part/engine", NAME),
    Column("figure", "figure"),
    Column("reference", "against", NAME, instead="_history"),
    Column("effect", "worse by", GROWTH),
    Column(("low", "high"), "95 % interval", between(GROWTH), absent="none"),
    Column("p", "p (Holm)", P, absent="none"),
    Column("detectable", "least detectable", GROWTH),
    Column("verdict", "verdict", TEXT),
    Column("units", "n", COUNT),
)


def judged(found: Sequence[Judged], hide: Callable[[str], str]) -> Table:
    """Live figures against a reference that ran beside, or against earlier nights. hide: masks secrets."""
    rows = [
        {
            "subject": hide(f"{j.part}/{j.engine}"),
            "figure": j.figure,
            "reference": hide(j.reference),
            "_history": "earlier nights" if j.reference == HISTORY else "",
            "effect": j.effect,
            "low": j.interval[0] if j.interval else None,
            "high": j.interval[1] if j.interval else None,
            "p": j.p,
            "detectable": j.detectable,
            "verdict": hide(_why(j)),
            "units": j.units,
        }
        for j in found
    ]
    return Table("judged", "Timings and live figures", "live", columns=JUDGED, data=rows)


def _why(judged: Judged) -> str:
    said = judged.why if judged.why.startswith(judged.state) else f"{judged.state}: {judged.why}"
    return f"{said} (muted: {judged.muted})" if judged.muted else said


def compared(kind: str, subject: str, rows: Sequence[dict[str, Any]]) -> Table:
    """Two runs: figures before and after. subject: what stands in the first column (`policy`, `engine`)."""
    columns = (
        Column(subject, subject, NAME),
        Column("figure", "figure"),
        Column("before", "before", EXACT),
        Column("after", "after", EXACT),
        Column("change", "change", GROWTH),
        Column("said", "cause" if kind == "measured" else "verdict"),
    )
    return Table("compared", "What changed", kind, columns=columns, data=rows)


STEPS = (
    Column("part", "part", NAME),
    Column("subject", "policy or engine", NAME),
    Column("figure", "figure"),
    Column("since", "since", NAME),
    Column("before", "before", EXACT),
    Column("after", "after", EXACT),
    Column("change", "change", GROWTH),
    Column("accepted", "accepted", FLAG),
)


def steps(found: Sequence[dict[str, Any]]) -> Table:
    """Steps of the history, one a row."""
    rows = [step | {"change": _share(float(step["before"]), float(step["after"]))} for step in found]
    return Table("steps", "Steps", "measured or live", columns=STEPS, data=rows)


def _share(before: float, after: float) -> float | None:
    return (after - before) / before if before else None
