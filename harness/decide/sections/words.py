"""What a decision says in words and rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.decide.curves import WEIGHTINGS, Gap, Weighting
from harness.decide.verdict import Decision
from harness.report.table import Column, Table
from harness.report.units import (
    CHANGE,
    COUNT,
    NAME,
    NO_INTERVAL,
    NOT_IDENTIFIED,
    NUMBER,
    POINTS,
    SHARE,
    TEXT,
    TOKENS,
    between,
)

KINDS = {"tokens": "measured", "with calls, low": "estimated", "with calls, high": "estimated"}


def sentence(found: Decision) -> str:
    """The verdict, and the figures that it stands on."""
    a, b = found.a.family, found.b.family
    said = {
        "A": f"{a} is better than {b}",
        "B": f"{b} is better than {a}",
        "equal": f"{a} and {b} are equal within {found.settings.margin:g} points",
        "depends": f"It depends on the budget whether {a} or {b} is better",
        "not shown": f"Not shown whether {a} or {b} is better",
    }[found.word]
    figures = "; ".join(f"{gap_words(found.first(w))} {_name(w)}" for w in WEIGHTINGS)
    seen = found.first("bill").seen
    shown = f" ({a} shows all at {SHARE.text(seen)} of them)" if seen is not None else ""
    return (
        f"{said} at equal tokens and {a}'s default budget: {found.why}. Requests with all dependencies visible, {a} "
        f"less {b}: {figures}{shown}."
    )


def _name(weighting: Weighting) -> str:
    return "on the bill" if weighting == "bill" else "typical"


def gap_words(gap: Gap) -> str:
    if gap.value is None:
        return f"{NOT_IDENTIFIED} ({gap.why})"
    interval = f"[{between(POINTS).text(*gap.interval)}]" if gap.interval else f"({gap.why})"
    return f"{POINTS.text(gap.value)} {interval}"


def budget_words(found: Decision, gap: Gap) -> str:
    """At which of B's budgets it costs as much."""
    if gap.budget is None:
        return NOT_IDENTIFIED
    sizes = [*found.b.sizes, float("inf")]
    low = int(gap.budget)
    if low >= len(found.b.sizes) - 1:
        return f"over {found.b.sizes[-1]:,.0f}" if gap.budget < len(sizes) - 1 else "doing nothing"
    return f"{sizes[low] * (sizes[low + 1] / sizes[low]) ** (gap.budget - low):,.0f}"


def paths(found: Decision) -> list[str]:
    """What was swept for each family."""
    return [
        f"{path.family}: {path.words}, {len(path.policies)} steps from {path.sizes[0]:,.0f} to {path.sizes[-1]:,.0f}, "
        f"default {path.sizes[path.default]:,.0f}"
        for path in (found.a, found.b)
    ]


def gaps_table(found: Decision) -> Table:
    """The verdict's figures: at equal cost, by what cost is and by weighting."""
    rows = [
        {"cost": cost, "kind": KINDS[cost], "weighting": weighting} | gap_row(gap, found)
        for cost, both in found.gaps.items()
        for weighting, gap in both.items()
    ]
    note = (
        f"A is {found.a.family} at its default budget, B {found.b.family} at the budget at which it costs as much, "
        "found anew in every resample of the clusters. With calls: recoveries by evidence; unrecoverable needs at "
        "nothing (low) and at their whole results read once, on arrival (high). The verdict is of tokens, and falls "
        "where an end of the calls shows the opposite."
    )
    return Table("gaps", "At equal cost", "measured", note, GAPS, rows)


def gap_row(gap: Gap, found: Decision) -> dict[str, Any]:
    low, high = gap.interval or (None, None)
    return {
        "gap": gap.value, "gap_low": low, "gap_high": high, "seen": gap.seen, "other": gap.other,
        "budget": budget_words(found, gap), "clusters": gap.clusters, "_why": gap.why and NO_INTERVAL,
    }  # fmt: skip


GAP = (
    Column("gap", "A less B", POINTS, meaning="requests with all dependencies visible"),
    Column(("gap_low", "gap_high"), "95 %", between(POINTS), instead="_why"),
)
SEEN = (
    Column("seen", "A", SHARE),
    Column("other", "B", SHARE),
    Column("budget", "B's size there", TEXT),
    Column("clusters", "clusters", COUNT, meaning="with dependencies"),
)
GAPS = (Column("cost", "equal", TEXT), Column("weighting", "weighting", TEXT), *GAP, *SEEN)


def along_table(found: Decision) -> Table:
    """The gap at every budget of A."""
    rows = [
        {"policy": policy, "size": size, "weighting": weighting, "_mark": "default" if n == found.a.default else ""}
        | gap_row(found.along[weighting][n], found)
        for weighting in WEIGHTINGS
        for n, (policy, size) in enumerate(zip(found.a.policies, found.a.sizes, strict=True))
    ]
    note = (
        "At equal measured tokens. A crossing is told only by wider intervals, that allow for looking at all of them."
    )
    columns = (Column("size", "A's size", NUMBER), Column("_mark", "", TEXT), *GAP, *SEEN)
    return Table("along", "At every budget", "measured", note, columns, rows, group="weighting", folded=True)


def frontier_table(found: Decision) -> Table:
    """What each family costs and shows."""
    rows = []
    bearing = max(float(found.ground.bearing.sum()), 1)
    whole = float(found.ground.identity.sum())
    for path in (found.a, found.b):
        curve, chance = found.curves[path.family], found.placebo[path.family]
        for n, (policy, size) in enumerate(zip(path.policies, path.sizes, strict=True)):
            cost = float(curve.cost[:, n].sum())
            rows.append(
                {
                    "family": path.family, "policy": policy, "size": size, "tokens": cost, "against": cost / whole,
                    "seen": 1 - float(curve.hidden[:, n].sum()) / bearing,
                    "placebo": 1 - float(chance[:, n].sum()) / bearing,
                }
            )  # fmt: skip
    return Table("frontiers", "Both families", "measured", PLACEBO, FRONTIERS, rows, group="family", folded=True)


PLACEBO = "On the bill. Placebo: as many bytes hidden of each result, at random places, mean of 20 seeds."
FRONTIERS = (
    Column("policy", "policy", NAME),
    Column("size", "size", NUMBER),
    Column("tokens", "input tokens", TOKENS),
    Column("against", "against identity", CHANGE),
    Column("seen", "all visible", SHARE),
    Column("placebo", "placebo", SHARE),
)


def sideways_table(found: Decision) -> Table:
    """At equal evidence."""
    rows = []
    for one in found.sideways:
        low, high = one.interval or (None, None)
        rows.append({"weighting": one.weighting, "ratio": one.ratio, "ratio_low": low, "ratio_high": high})
    note = f"The same curves read sideways, no second test: {found.b.family}'s tokens where it shows what A shows."
    columns = (
        Column("weighting", "weighting", TEXT),
        Column("ratio", "B's tokens against A's", CHANGE),
        Column(("ratio_low", "ratio_high"), "95 %", between(CHANGE)),
    )
    return Table("equal_evidence", "At equal evidence", "measured", note, columns, rows)


def sources_table(found: Decision) -> Table:
    """Per source."""
    rows = [
        {"source": one.name, "transcripts": one.transcripts, "share": one.share, "weighting": w} | gap_row(gap, found)
        for one in found.sources
        for w, gap in one.gaps.items()
    ]
    note = "At equal tokens within each source. One with under 5 % of the requests with dependencies reverses nothing."
    columns = (
        Column("source", "source", TEXT),
        Column("weighting", "weighting", TEXT),
        Column("transcripts", "transcripts", COUNT),
        Column("share", "of the requests", SHARE),
        *GAP,
        *SEEN,
    )
    return Table("sources", "Per source", "measured", note, columns, rows)


def changes_table(found: Decision) -> Table:
    """What would change the answer."""
    rows = [
        {"what": one.what, "subject": one.subject, "weighting": w}
        | gap_row(gap, found)
        | {"said": said(found, one.gaps)}
        for one in found.changes
        for w, gap in one.gaps.items()
    ]
    columns = (
        Column("what", "changed", TEXT),
        Column("subject", "so that", TEXT),
        Column("weighting", "weighting", TEXT),
        *GAP,
        Column("said", "the answer", TEXT),
    )
    note = "One thing changed at a time, at equal tokens (or money) and the default budget. No second verdict."
    return Table("changes", "What would change the answer", "measured", note, columns, rows)


def said(found: Decision, gaps: Mapping[Weighting, Gap]) -> str:
    """Whether both signs are what they are in the verdict's figures."""
    now = [_sign(found.first(w)) for w in WEIGHTINGS]
    then = [_sign(gaps[w]) for w in WEIGHTINGS]
    return "stays" if now == then else "changes sign"


def _sign(gap: Gap) -> int:
    return 0 if gap.value is None else (gap.value > 0) - (gap.value < 0)


def page(found: Decision, citation: str, command: str) -> str:
    """Twenty lines of Markdown for a pull request: nothing in it leads to a file that the reader does not have."""
    lines = [
        f"### {found.a.family} or {found.b.family}?",
        "",
        sentence(found),
        "",
        "| equal | bill | typical |",
        "| --- | --- | --- |",
    ]
    for cost, both in found.gaps.items():
        lines.append(f"| {cost} ({KINDS[cost]}) | {gap_words(both['bill'])} | {gap_words(both['typical'])} |")
    sideways = "; ".join(
        f"{CHANGE.text(one.ratio)} {_name(one.weighting)}" for one in found.sideways if one.ratio is not None
    )
    took = f"{found.b.family} against {found.a.family}: {sideways or NOT_IDENTIFIED}"
    lines += ["", f"Tokens at equal evidence, {took}."]
    turned = [f"{c.what} ({c.subject})" for c in found.changes if said(found, c.gaps) != "stays"]
    lines.append(f"Sign changed by: {', '.join(turned) or 'none of what was tried'}.")
    lines += [f"- {line}" for line in paths(found)]
    lines += ["", f"Margin {found.settings.margin:g} points; made by `{command}`.", citation]
    return "\n".join(lines) + "\n"
