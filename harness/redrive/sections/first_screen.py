"""What a reader needs first of a re-drive: how much of it can be compared, whether the engine says anything, and what
each policy changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.redrive.tables import IDENTITY
from harness.redrive.words import Row, fits, is_weak
from harness.report.screen import Fact, Screen
from harness.report.table import Column, Table
from harness.report.units import NAME, PART, POINTS, RATIO, SHARE, TOKENS, estimate
from harness.text import count, number, short

if TYPE_CHECKING:
    from harness.redrive.sections.part import Redrive


FIGURES = (
    Column("subject", "policy", NAME),
    Column(("fit", "requests"), "requests that fit", PART),
    Column("same_arguments", "same arguments", SHARE, main=True, absent="-"),
    Column(
        tuple(f"same_arguments_difference{end}" for end in ("", "_low", "_high")),
        "against identity, 95 %",
        estimate(POINTS),
    ),
    Column("grounded", "all grounded", SHARE, absent="-"),
    Column("prompt_tokens", "prompt tokens", TOKENS, kind="measured", absent="-"),
    Column(
        tuple(f"tokens_ratio{end}" for end in ("", "_low", "_high")), "times identity's", estimate(RATIO), "measured"
    ),
)


def screen(part: Redrive) -> Screen:
    """What each policy changes, by engine where there are several."""
    several = len(part.run.engines) > 1
    rows = [
        {
            **part.row("agreement", engine, policy),
            **part.row("costs", engine, policy),
            **part.row("fit", engine, policy),
            "subject": f"{short(engine)}, {policy}" if several else policy,
        }
        for engine in part.run.engines
        for policy in part.run.policies
    ]
    return Screen(headline(part), Table("answers", "Policies", "live", columns=FIGURES, data=rows), facts(part))


def headline(part: Redrive) -> str:
    """A sentence or two an engine."""
    return " ".join(_said(part, engine) for engine in part.run.engines)


def _said(part: Redrive, engine: str) -> str:
    said = f"{short(engine)}: {fits(part.rows['fit'], engine)}."
    whole = part.row("agreement", engine, IDENTITY)
    if not whole.get("calls"):
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
    return SHARE.text(row[key])


def facts(part: Redrive) -> tuple[Fact, ...]:
    """What everything rests on."""
    manifest, frame = part.run.manifest, part.run.redrive
    asked = frame.drop_duplicates(["transcript", "request"])
    told = ", ".join(f"{kind} {count(n)}" for kind, n in sorted(manifest["tools_from"].items())) or "none"
    about = (
        f"of {number(manifest['corpus']['transcripts'], 'transcript')} in "
        f"{number(asked['cluster'].nunique(), 'cluster')}; "
        f"{count(int((asked['recorded_calls'] > 0).sum()))} of the recorded actions are calls"
    )
    if manifest["without_prompt"]:
        about += f"; left out for want of a recorded prompt: {number(manifest['without_prompt'], 'request')}"
    if manifest["problems"] or manifest["skipped"]:
        about += (
            f"; {number(len(manifest['problems']), 'problem')} in the recordings, "
            f"{number(len(manifest['skipped']), 'file')} skipped (in the manifest)"
        )
    found = [
        Fact("Corpus", "recorded", number(len(asked), "request"), about),
        Fact("Tool definitions", "recorded", told, "transcripts; what is derived has names and arguments only"),
    ]
    for engine in manifest["engines"]:
        live = "" if engine["identity"]["live"] else ", a recording: no times of this machine"
        told = f"tokens of {short(engine['label'])}, {_whose[engine['window_from']]}{live}"
        found.append(Fact("Window", "recorded", count(engine["window"]), told))
    return tuple(found)


_whose = {"engine": "as it says itself", "given": "as given"}
