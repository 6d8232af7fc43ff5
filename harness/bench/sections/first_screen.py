"""What a reader needs first of engines: how often right and grounded, how fast, how large, and on what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.throughput import ALL
from harness.engines.envelope import TurnState
from harness.report.screen import Fact, Screen
from harness.report.table import Column, Row, Table
from harness.report.units import COUNT, MEGABYTES, NAME, NOT_REPORTED, NUMBER, REPORTED, SECONDS, SHARE, Unit, between
from harness.text import count, number

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

COUNTED = (TurnState.WITHHELD, TurnState.FAILED, TurnState.NO_CALL, TurnState.NOT_REPORTED)


REPEATED = Unit("count", lambda turns, repetitions: f"{count(turns)} × {repetitions}")
CONTENDED = Unit(
    "count of total",
    lambda busy, total, unknown: f"{busy} of {total}" + (f", {unknown} not known" if unknown else ""),
)
ANSWERS = (
    Column("engine", "engine", NAME),
    Column("build", "build", kind="recorded", absent=NOT_REPORTED, detail=True),
    Column("hashes", "sha256", kind="recorded", absent=NOT_REPORTED, detail=True),
    Column(("turns", "repetitions"), "turns × repetitions", REPEATED),
    Column("right", "right", REPORTED, main=True),
    Column(("right_low", "right_high"), "95 % interval", between(SHARE)),
    Column("grounded", "grounded, of turns it checked", REPORTED, main=True),
    Column(("grounded_low", "grounded_high"), "95 % interval", between(SHARE)),
    Column("traced", "arguments traced by the harness, by turn", REPORTED),
    *(Column(str(state), f"turns: {state}", COUNT, detail=state is not TurnState.FAILED) for state in COUNTED),
    Column("decode", "decode, tokens/s", NUMBER, main=True, absent=NOT_REPORTED),
    Column(("decode_low", "decode_high"), "95 % interval of the median", between(NUMBER), detail=True),
    Column("prefill", "prefill, tokens/s", NUMBER, absent=NOT_REPORTED, detail=True),
    Column(("prefill_low", "prefill_high"), "95 % interval of the median", between(NUMBER), detail=True),
    Column("first_seconds", "first token, median", SECONDS, detail=True),
    Column("turn_seconds", "whole turn, median", SECONDS, detail=True),
    Column("peak_mb", "peak memory, seen by the system", MEGABYTES, main=True),
    Column("claimed_mb", "peak memory, as reported", MEGABYTES, detail=True),
    Column(("contended", "stretches", "not_known"), "stretches contended", CONTENDED),
)


def screen(part: Engines) -> Screen:
    """Engines across, figures down."""
    rows = [_answers(part, engine) for engine in part.engines]
    return Screen(headline(part), Table("answers", "Engines", "live", columns=ANSWERS, data=rows), facts(part), "said")


def _answers(part: Engines, engine: str) -> Row:
    identity, rates = _identity(part, engine), part.summary.rates[engine]
    busy, unknown, total = part.summary.contended[engine]
    found: dict[str, object] = {
        "engine": engine,
        "said": f"live, {identity['name']}" if identity["live"] else "recorded envelopes",
        "build": str(identity["build"] or "") or None,
        "hashes": _hashes(identity["hashes"]) or None,
        "turns": rates.turns,
        "repetitions": int(part.turns(engine)["repetition"].nunique()),
        "traced": rates.traced.value,
        "first_seconds": part.median("times", engine, time="first"),
        "turn_seconds": part.median("times", engine, time="turn"),
        "peak_mb": part.summary.memory[engine]["peak"],
        "claimed_mb": _claimed_memory(part, engine),
        "contended": busy,
        "stretches": total,
        "not_known": unknown,
    }
    for name in ("right", "grounded"):
        rate = getattr(rates, name)
        low, high = rate.interval or (None, None)
        found |= {name: rate.value, f"{name}_low": low, f"{name}_high": high}
    for name in ("decode", "prefill"):
        found |= _throughput(part, engine, name)
    return found | {str(state): rates.states[state] for state in COUNTED}


def headline(part: Engines) -> str:
    """One sentence an engine; every figure in it is live."""
    said = []
    for engine, found in part.summary.rates.items():
        grounded = (
            f"{REPORTED.text(found.grounded.value)} of the turns that it checked are grounded"
            if found.grounded.total
            else "it reports no grounding"
        )
        said.append(
            f"{engine} is right on {REPORTED.text(found.right.value)} of {count(found.turns)} turns "
            f"(95 % interval {between(SHARE).text(*(found.right.interval or (None, None)))}); {grounded}."
        )
    return " ".join(said)


def _identity(part: Engines, engine: str) -> dict[str, object]:
    return next(e["identity"] for e in part.run.manifest["engines"] if e["label"] == engine)


def _hashes(hashes: object) -> str:
    assert isinstance(hashes, dict)
    return ", ".join(f"{what} {digest[:12]}" for what, digest in hashes.items())


def _throughput(part: Engines, engine: str, rate: str) -> Row:
    table = part.summary.throughput
    row = table[(table["engine"] == engine) & (table["band"] == ALL) & (table["rate"] == rate)] if len(table) else table
    if row.empty:
        return {}
    one = row.iloc[0]
    return {rate: one["median"], f"{rate}_low": one["low"], f"{rate}_high": one["high"]}


def _claimed_memory(part: Engines, engine: str) -> float | None:
    claimed = part.turns(engine)["claimed_memory"].max()
    return None if pd.isna(claimed) else float(claimed)


def facts(part: Engines) -> tuple[Fact, ...]:
    """What everything rests on."""
    turns = part.run.engine
    first = turns[(turns["engine"] == part.engines[0]) & (turns["repetition"] == turns["repetition"].min())]
    tasks, machine = part.run.manifest["tasks"], part.run.manifest["environment"]["machine"]
    families = first.groupby("family", observed=True).size().sort_values(ascending=False)
    named = ", ".join(f"{name} {n}" for name, n in families.items())
    needs = int(first["needs_call"].sum())
    found = [
        Fact(
            "Tasks",
            "recorded",
            number(tasks["tasks"], "task"),
            f"with {number(len(first), 'turn')}: {count(needs)} need a call, {count(len(first) - needs)} need none; "
            f"{named}",
        ),
        Fact(
            "Machine",
            "recorded",
            f"{machine['cpus']} CPUs",
            f"{machine['model'] or machine['processor']}, {machine['system']}; only one engine runs at a time",
        ),
        _quiet(part),
    ]
    share = part.summary.harness_share
    if share is not None:
        running, judging = part.summary.harness_seconds
        found.append(
            Fact(
                "The harness's own work",
                "live",
                f"{100 * share:.2f} %",
                f"of the wall time was CPU time of the harness, outside of the engines' calls: {running:.2f} s while "
                f"they ran, {judging:.2f} s to judge the turns afterwards",
            )
        )
    return tuple(found)


def _quiet(part: Engines) -> Fact:
    busy = sum(b for b, _, _ in part.summary.contended.values())
    unknown = sum(u for _, u, _ in part.summary.contended.values())
    total = sum(t for _, _, t in part.summary.contended.values())
    note = f"of {count(total)} stretches: something else used the machine, so times of these say less"
    if unknown == total:
        note = f"whether something else used the machine in any of {count(total)} stretches"
    elif unknown:
        note += f"; of {count(unknown)} it cannot be told"
    return Fact("Contended", "live", "not known" if unknown == total else count(busy), note)
