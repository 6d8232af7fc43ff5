"""The tables of a replay: what a policy costs, hides, would add; where the bytes are; controls; what was not read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from harness.replay.sections.appendix import Appendix, appendices
from harness.replay.sections.columns import POLICY, brief, groups
from harness.replay.sections.frames import pairs_frame, quarantine_frame, skipped_frame
from harness.replay.sections.inventory import heat
from harness.replay.sections.movers import by_column
from harness.replay.sections.risk import is_known, lost_against
from harness.replay.sections.summary import ALL
from harness.report.table import Column, Table
from harness.report.units import BYTES, CHANGE, COUNT, NAME, SHARE, TEXT, Unit, count, whole_percent

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay

FIGURE = Unit("as it is written", str, "-", figure=True)

VERDICT = Unit("a word", str, "-", figure=True)

LISTED = 200
"""Rows of a list of files on a page; the CSV file has all."""


def policies(part: Replay) -> Iterator[Table]:
    """A table a group of figures; the first has all of them for a program."""
    frame = part.policies
    whole = frame[frame["part"] == ALL]
    for n, group in enumerate(groups(part.summary)):
        name, data = (group.name, ()) if n else ("policies", frame)
        note = _prices(part) if group.name == "money" else ""
        found = Table(name, group.title, group.kind, note, (POLICY, *group.columns), data, whole, "_stage")
        yield replace(found, targets=part.risk_targets(whole)) if group.name == "evidence" else found


def _prices(part: Replay) -> str:
    money = part.summary.part(ALL)[0].money
    if not part.summary.prices or money is None:
        return ""
    known = f"{count(money.priced)} of {count(part.summary.whole.transcripts)} transcripts"
    return f"Prices: {part.summary.prices}. Priced: {known}; known in full as recorded: {count(money.timed)}."


def overview(part: Replay, first: Collection[str], most: int) -> Table:
    """The few figures by which policies are chosen, a row a policy, those that rewrite history last; for a terminal and
    a pull request. first: policies that are there in any case, of the `most` that are shown."""
    frame = part.policies[(part.policies["part"] == ALL) & (part.policies["policy"] != "identity")]
    chosen = sorted(frame["policy"], key=lambda p: p not in first)[:most]
    shown = frame[frame["policy"].isin(chosen)].sort_values("stage", kind="stable")
    left = f", {len(shown)} of {len(frame)} policies" if len(shown) < len(frame) else ""
    chance = {name: one.word for name, one in part.summary.beyond.items() if one}
    acts = (Column("stage", "acts", TEXT),) if frame["stage"].nunique() > 1 else ()
    beyond = (Column("_chance", "against chance", VERDICT),) if any(chance) else ()
    columns = (POLICY, *acts, *brief(part.summary), *beyond)
    return Table(
        "answers", f"Against identity{left}", "measured", "", columns, shown.assign(_chance=shown["policy"].map(chance))
    )


def by_format(part: Replay) -> Iterator[Table]:
    """The change of input tokens by format, and every figure of each."""
    summary = part.summary
    if not summary.formats:
        return
    names = [f.name for f in summary.formats]
    columns = tuple(Column(f.name, f"{f.name} ({f.transcripts})", CHANGE) for f in summary.formats)
    rows = [
        {"policy": row.policy} | {name: summary.row(name, row.policy).paired.ratio for name in names}
        for row in summary.part(ALL)
    ]
    note = "Share of visible content; in brackets, how many transcripts."
    yield Table("formats", "Change of input tokens by format", "measured", note, (POLICY, *columns), (), rows)
    apart = part.policies[part.policies["part"] != ALL]
    for group in groups(summary):
        title, columns = f"{group.title}, by format", (POLICY, *group.columns)
        yield Table(f"formats-{group.name}", title, group.kind, "", columns, (), apart, "part", folded=True)


def against(part: Replay) -> Table | None:
    """Where one policy loses and another does not, in requests."""
    if not is_known(part.run):
        return None
    frame = lost_against(part.run)
    columns = (POLICY, *(Column(policy, f"not {policy}", COUNT) for policy in frame["policy"]))
    note = "Requests that the policy of the row puts at risk and that of the column does not."
    return Table(
        "against", "Where one policy loses and another does not", "measured", note, columns, frame, folded=True
    )


def bytes_by(part: Replay, column: str, name: str, title: str) -> Table:
    """Where the bytes of results are, and how many of them each policy shows."""
    found = heat(part.run, column, title)
    rows = [
        {"name": r.name, "results": r.results, "bytes": r.value_bytes, "share": r.share}
        | dict(zip(found.policies, r.kept, strict=True))
        for r in found.rows
    ]
    shown = Unit("share", whole_percent, "-")
    columns = (
        Column("name", title, NAME),
        Column("results", "results", COUNT),
        Column("bytes", "bytes", BYTES),
        Column("share", "share", SHARE, shade="bar"),
        *(Column(policy, policy, shown, shade="heat") for policy in found.policies),
    )
    note = (
        "Bytes of tool results as recorded, and the share of them that each policy shows; over 100 % where a rendering "
        "is larger than what it stands for."
    )
    data = by_column(part.run.results, column)
    return Table(name, f"Result bytes by {title}", "measured", note, columns, data, rows, folded=True)


def controls(part: Replay) -> Iterator[Table]:
    return (_control(found) for found in appendices(part.run))


def _control(found: Appendix) -> Table:
    units = [NAME, *[FIGURE] * (len(found.headings) - 1)]
    columns = tuple(Column(str(n), h, units[n]) for n, h in enumerate(found.headings))
    shown = [{str(n): text for n, text in enumerate(row)} for row in found.texts]
    return Table(found.name, found.title, found.kind, found.note, columns, found.frame, shown, folded=True)


def pairs(part: Replay) -> Table:
    """Transcripts that share answers; each answer counts once."""
    frame = pairs_frame(part.run)
    columns = (
        Column("copy", "transcript", NAME),
        Column("original", "shares answers with", TEXT),
        Column("kind", "as", TEXT),
        Column("answers", "answers", COUNT),
        Column("counted", "what of it is counted", TEXT),
    )
    note = (
        "An answer that stands in two places (a resumed or forked session, an archive, a copy, a conversion) counts "
        "once, where it is whole and earliest. Runs that are only much alike both count."
    )
    if len(frame) > LISTED:
        note += f" The first {LISTED} of {len(frame)}; all are in the CSV file."
    return Table("pairs", "Answers in two places", "recorded", note, columns, frame, frame.head(LISTED), folded=True)


def unread(part: Replay) -> Iterator[Table]:
    """What could not be read, and files that no format claims."""
    columns = (Column("place", "place", NAME), Column("reason", "reason", TEXT))
    for name, title, frame in (
        ("quarantine", "What could not be read", quarantine_frame(part.run)),
        ("skipped", "Files that no format claims", skipped_frame(part.run)),
    ):
        note = f"The first {LISTED} of {len(frame)}; all are in the CSV file." if len(frame) > LISTED else ""
        yield Table(name, title, "recorded", note, columns, frame, frame.head(LISTED), folded=True)
