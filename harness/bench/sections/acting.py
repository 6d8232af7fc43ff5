"""What acting on an engine's calls would bring, by the rule that decides; and why it flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bench.acting import acting, causes
from harness.bench.rates import Rate
from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME, NOTHING, SHARE, between

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


COLUMNS = (
    Column("engine", "engine", NAME),
    Column("rule", "acts on"),
    Column("acted", "turns acted on", COUNT),
    Column("coverage", "coverage", SHARE, absent=NOTHING),
    Column("wrong", "wrong", COUNT),
    Column("risk", "risk", SHARE, absent=NOTHING),
    Column(("risk_low", "risk_high"), "95 % interval", between(SHARE), absent=NOTHING),
    Column("done", "of turns that need a call, done right", SHARE, absent=NOTHING),
)


def section(part: Engines) -> Table:
    """Risk and coverage of every rule."""
    rows = [
        {"engine": engine, "rule": rule, "acted": found.coverage.count, "coverage": found.coverage.value}
        | _risk(found.risk)
        | {"done": found.done.value}
        for engine in part.engines
        for rule, found in acting(part.first(engine)).items()
    ]
    return Table(
        "acting",
        "Acting on calls",
        "live",
        "What running the calls would bring. Coverage: turns acted on, of all. Risk: of these, turns whose calls are "
        "not right, turns that need none among them. calls() are all calls that came; grounded_calls() is empty where "
        "the engine's validation flags an argument or a negation, and is all of them where it reports none; the "
        "harness's check acts where it traces every argument of these calls. A gate on confidence that was read off "
        "these turns does a little worse on others.",
        COLUMNS,
        rows,
    )


def _risk(risk: Rate) -> dict[str, float | int | None]:
    low, high = risk.interval or (None, None)
    return {"wrong": risk.count, "risk": risk.value, "risk_low": low, "risk_high": high}


FLAGS = (
    Column("engine", "engine", NAME),
    Column("cause", "cause"),
    Column("turns", "turns", COUNT),
    Column("called", "with calls", COUNT),
    Column("right", "right as they came", COUNT),
    Column("traced", "harness traces all", COUNT),
)


def flags(part: Engines) -> Table | None:
    """Why the engine flagged a turn or held calls back; and calls that break their tool's schema."""
    rows = []
    for engine in part.engines:
        turns = part.first(engine)
        found = {cause: (f.turns, f.called, f.right, f.traced) for cause, f in causes(turns).items()}
        broken = turns[turns["schema_breaks"].fillna(0) > 0]
        if len(broken):
            right = int(broken["right"].fillna(False).astype("bool").sum())
            traced = int((broken["ungrounded"].fillna(0) == 0).sum())
            found["arguments break the schema (told by the harness)"] = (len(broken), len(broken), right, traced)
        rows += [
            {"engine": engine, "cause": cause} | dict(zip(("turns", "called", "right", "traced"), numbers, strict=True))
            for cause, numbers in found.items()
        ]
    if not rows:
        return None
    return Table(
        "flags",
        "Causes of flags",
        "live",
        "Distinct turns that the engine flagged or of which it held a call back, by cause; several that came together "
        "are joined. Right as they came: with the calls that it let through. The last rows are calls whose arguments "
        "do not keep to their tool's schema.",
        FLAGS,
        rows,
    )
