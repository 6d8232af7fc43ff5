"""What a reader needs first of a re-drive: how much of it can be compared, whether the engine says anything, and what
each policy changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.redrive.tables import IDENTITY
from harness.redrive.words import TABLES, Row, fits, is_weak
from harness.report.first_screen import Fact
from harness.report.sections import Screen
from harness.report.wording import NOT_IDENTIFIED
from harness.text import count, number, short

if TYPE_CHECKING:
    from harness.redrive.sections.part import Redrive


def screen(part: Redrive) -> Screen:
    """Figures across, engines and policies down."""
    places = [(engine, policy) for engine in part.run.engines for policy in part.run.policies]
    several = len(part.run.engines) > 1
    return Screen(
        headline(part),
        "live",
        "Policies",
        tuple((name, said) for name, said, _ in FIGURES),
        [
            (
                f"{short(engine)}, {policy}" if several else policy,
                False,
                [answer(part, engine, policy) for *_, answer in FIGURES],
            )
            for engine, policy in places
        ],
        facts(part),
    )


def headline(part: Redrive) -> str:
    """A sentence or two an engine."""
    return " ".join(_said(part, engine) for engine in part.run.engines)


def _said(part: Redrive, engine: str) -> str:
    said = f"{short(engine)}: {fits(part.rows['fit'], engine)}."
    whole = part.row("agreement", engine, IDENTITY)
    if whole is None or not whole["calls"]:
        return f"{said} Nothing can be compared."
    said += (
        f" Under identity it repeats the recorded tools in {_share(whole, 'same_tools')} of {count(whole['calls'])} "
        f"requests that call, and their arguments in {_share(whole, 'same_arguments')}"
    )
    if is_weak(part.rows["agreement"], engine):
        return f"{said}: so seldom that its differences say little about policies."
    others = [row for row in part.rows["agreement"] if row["engine"] == engine and row["policy"] != IDENTITY]
    return said + "".join(f"; under {row['policy']} in {_share(row, 'same_arguments')}" for row in others) + "."


def _share(row: Row, key: str) -> str:
    return NOT_IDENTIFIED if row[key] is None else f"{100 * row[key]:.1f} %"


def _cell(table: str, heading: str, nth: int = 0) -> Answer:
    """A cell of a table as it is written there, by its heading; the nth of that name."""
    cell = [cell for name, cell in TABLES[table].columns if name == heading][nth]

    def answer(part: Redrive, engine: str, policy: str) -> str:
        row = part.row(table, engine, policy)
        return "-" if row is None else cell(row)

    return answer


if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[Redrive, str, str], str]

FIGURES: list[tuple[str, str, Answer]] = [
    ("fit", "share of requests", _cell("fit", "share")),
    ("same arguments", "", _cell("agreement", "same arguments")),
    ("against identity", "points, 95 %", _cell("agreement", "difference", 1)),
    ("all grounded", "", _cell("agreement", "all grounded")),
    ("prompt tokens", "times identity's, measured", _cell("costs", "ratio")),
]


def facts(part: Redrive) -> list[Fact]:
    """What everything rests on."""
    manifest, frame = part.run.manifest, part.run.redrive
    asked = frame.drop_duplicates(["transcript", "request"])
    told = ", ".join(f"{kind} {count(n)}" for kind, n in sorted(manifest["tools_from"].items())) or "none"
    found = [
        Fact(
            "Corpus",
            "recorded",
            number(len(asked), "request"),
            f"of {number(manifest['corpus']['transcripts'], 'transcript')} in "
            f"{number(asked['cluster'].nunique(), 'cluster')}; "
            f"{count(int((asked['recorded_calls'] > 0).sum()))} of the recorded actions are calls",
        ),
        Fact("Tool definitions", "recorded", told, "transcripts; what is derived has names and arguments only"),
    ]
    for engine in manifest["engines"]:
        live = "" if engine["identity"]["live"] else ", a recording: no times of this machine"
        told = f"tokens of {short(engine['label'])}, {_whose[engine['window_from']]}{live}"
        found.append(Fact("Window", "recorded", count(engine["window"]), told))
    return found


_whose = {"engine": "as it says itself", "given": "as given"}
