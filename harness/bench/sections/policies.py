"""Grounding by policy: the same values, shown to the engine under truncation and under a preview with a handle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bench.rates import Rates, rates
from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME, PART, PART_OF, SHARE, between

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.bench.sections.part import Engines

FIGURES = ("right", "grounded", "grounded_needed", "traced")
HIDDEN = {"all": "all turns", "shown": "what the call needs is shown", "hidden": "what the call needs is hidden"}


COLUMNS = (
    Column("policy", "policy", NAME),
    Column("engine", "engine", NAME),
    Column("_with", "turns with"),
    Column("turns", "turns", COUNT),
    Column(("right", "right_of"), "right", PART),
    Column(("right_low", "right_high"), "95 % interval", between(SHARE)),
    Column(("grounded", "grounded_of"), "grounded, of checked", PART_OF),
    Column(("grounded_needed", "grounded_needed_of"), "grounded, call needed", PART_OF),
    Column(("traced", "traced_of"), "traced by the harness", PART_OF),
    Column("no call", "no call", COUNT),
    Column("withheld", "withheld", COUNT),
    Column("failed", "failed", COUNT),
)


def section(part: Engines) -> Table:
    rows = []
    for engine, policy, which, found in by_policy(part):
        counts = {state: found.states[state] for state in ("no call", "withheld", "failed")}
        record: dict[str, object] = {"engine": engine, "policy": policy, "turns_with": which, "turns": found.turns}
        for name in FIGURES:
            one = getattr(found, name)
            low, high = one.interval or (None, None)
            record |= {name: one.count, f"{name}_of": one.total, f"{name}_low": low, f"{name}_high": high}
        rows.append(record | counts | {"_with": HIDDEN[which]})
    return Table(
        "by_policy",
        "Grounding by policy",
        "live",
        "Tasks that show the engine a tool result as a policy renders it, and then ask for a call with a value from "
        "it. Where the policy hides that value, a grounded and right answer is to pass a reference, to ask, or to "
        "make no call; a value that stands nowhere in the input is invented.",
        COLUMNS,
        rows,
    )


def by_policy(part: Engines) -> Iterator[tuple[str, str, str, Rates]]:
    """Engine, policy, which of its turns, and their rates; identity first."""
    shown = part.run.engine[part.run.engine["policy"].astype("str") != ""]
    for policy in sorted(dict.fromkeys(shown["policy"].astype("str")), key="identity".__ne__):
        for engine in part.engines:
            own = shown[(shown["policy"].astype("str") == policy) & (shown["engine"] == engine)]
            hidden = own["hidden"].fillna(False).astype("bool")
            parts = {"all": own, "shown": own[~hidden], "hidden": own[hidden]}
            for which, turns in parts.items():
                if len(turns) and (which == "all" or len(turns) < len(own)):
                    yield engine, policy, which, rates(turns)
