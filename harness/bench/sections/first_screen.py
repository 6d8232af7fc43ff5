"""What a reader needs first of engines: how often right and grounded, how fast, how large, and on what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.sections import wording as say
from harness.bench.throughput import ALL
from harness.engines.envelope import TurnState
from harness.report import by_hand
from harness.report.screen import Fact, Screen
from harness.report.wording import NOT_REPORTED
from harness.text import count, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.bench.sections.part import Engines

COUNTED = (TurnState.WITHHELD, TurnState.FAILED, TurnState.NO_CALL, TurnState.NOT_REPORTED)


def screen(part: Engines) -> Screen:
    """Engines across, figures down."""
    return by_hand.screen(
        headline(part),
        "live",
        "Engines side by side",
        tuple((engine, _runs(part, engine)) for engine in part.engines),
        [(question, main, [answer(engine) for engine in part.engines]) for question, main, answer in _questions(part)],
        facts(part),
    )


def headline(part: Engines) -> str:
    """One sentence an engine; every figure in it is live."""
    said = []
    for engine, found in part.summary.rates.items():
        grounded = (
            f"{say.rate(found.grounded)} of the turns that it checked are grounded"
            if found.grounded.total
            else "it reports no grounding"
        )
        said.append(
            f"{engine} is right on {say.rate(found.right)} of {count(found.turns)} turns "
            f"(95 % interval {say.interval(found.right)}); {grounded}."
        )
    return " ".join(said)


def _runs(part: Engines, engine: str) -> str:
    identity = _identity(part, engine)
    return f"live, {identity['name']}" if identity["live"] else "recorded envelopes"


def _identity(part: Engines, engine: str) -> dict[str, object]:
    return next(e["identity"] for e in part.run.manifest["engines"] if e["label"] == engine)


def _questions(part: Engines) -> list[tuple[str, bool, Callable[[str], str]]]:
    rates = part.summary.rates
    found: list[tuple[str, bool, Callable[[str], str]]] = [
        ("build (recorded)", False, lambda e: str(_identity(part, e)["build"]) or NOT_REPORTED),
        ("sha256 (recorded)", False, lambda e: _hashes(_identity(part, e)["hashes"])),
        ("turns × repetitions", False, lambda e: f"{count(rates[e].turns)} × {part.turns(e)['repetition'].nunique()}"),
        ("right", True, lambda e: say.rate(rates[e].right)),
        ("95 % interval", False, lambda e: say.interval(rates[e].right)),
        ("grounded, of turns it checked", True, lambda e: say.rate(rates[e].grounded)),
        ("95 % interval", False, lambda e: say.interval(rates[e].grounded)),
        ("arguments traced by the harness, by turn", False, lambda e: say.rate(rates[e].traced)),
    ]
    for state in COUNTED:
        found.append((f"turns: {state}", False, lambda e, s=state: count(rates[e].states[s])))  # type: ignore[misc]
    for rate in ("decode", "prefill"):
        found.append((f"{rate}, tokens/s", rate == "decode", lambda e, r=rate: _throughput(part, e, r)[0]))  # type: ignore[misc]
        found.append(("95 % interval of the median", False, lambda e, r=rate: _throughput(part, e, r)[1]))  # type: ignore[misc]
    found += [
        ("first token, median", False, lambda e: say.seconds(_time(part, e, "first"))),
        ("whole turn, median", False, lambda e: say.seconds(_time(part, e, "turn"))),
        ("peak memory, seen by the system", True, lambda e: say.megabytes(part.summary.memory[e]["peak"])),
        ("peak memory, as reported", False, lambda e: say.megabytes(_claimed_memory(part, e))),
        ("stretches contended", False, lambda e: _contended(part, e)),
    ]
    return found


def _hashes(hashes: object) -> str:
    assert isinstance(hashes, dict)
    return ", ".join(f"{what} {digest[:12]}" for what, digest in hashes.items()) or NOT_REPORTED


def _throughput(part: Engines, engine: str, rate: str) -> tuple[str, str]:
    table = part.summary.throughput
    if table.empty:
        return NOT_REPORTED, "no interval"
    row = table[(table["engine"] == engine) & (table["band"] == ALL) & (table["rate"] == rate)]
    if row.empty:
        return NOT_REPORTED, "no interval"
    one = row.iloc[0]
    return say.number(one["median"]), say.between(one["low"], one["high"])


def _time(part: Engines, engine: str, name: str) -> float | None:
    return part.median("times", engine, time=name)


def _claimed_memory(part: Engines, engine: str) -> float | None:
    claimed = part.turns(engine)["claimed_memory"].max()
    return None if pd.isna(claimed) else float(claimed)


def _contended(part: Engines, engine: str) -> str:
    busy, unknown, total = part.summary.contended[engine]
    return f"{busy} of {total}" + (f", {unknown} not known" if unknown else "")


def facts(part: Engines) -> list[Fact]:
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
    return found


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
