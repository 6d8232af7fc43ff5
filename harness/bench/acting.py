"""What acting on an engine's calls brings: how often one would act, and how often that would be wrong.

    acting(turns)["calls()"].risk       # Rate: wrong turns of those acted on

A rule says of a turn whether its calls are run. `calls()` and `grounded_calls()` are those of the reference (cactus-rs
0.1.0): all calls that came, and all of them where the engine's validation flags nothing (or is absent). The harness's
check acts where it traces every argument of these calls; a gate where the confidence is at least so high.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pandas as pd

from harness.bench.rates import Rate, rate
from harness.grounding import Source

TRACED: Final = (Source.USER, Source.RESULT, Source.SCHEMA)
"""What is no invention."""
GATES: Final = (0.5, 0.7, 0.9)
"""Confidences of the gates in the table; every one is in the curve."""


@dataclass(frozen=True, slots=True)
class Acting:
    """coverage: turns acted on, of all. risk: of these, turns whose calls are not right, those that need none among
    them. done: turns that need a call and are acted on rightly, of all that need one."""

    coverage: Rate
    risk: Rate
    done: Rate


def acting(turns: pd.DataFrame) -> dict[str, Acting]:
    """Every rule by its name. turns: distinct turns of one engine. Gates only where a confidence is reported."""
    called = turns["calls"].fillna(0) > 0
    rules = {
        "calls()": called,
        "grounded_calls()": turns["grounded_calls"].fillna(0) > 0,
        "harness traces all": called & (turns["ungrounded_let_through"].fillna(0) == 0),
    }
    rules["grounded_calls() and harness"] = rules["grounded_calls()"] & rules["harness traces all"]
    rules["keeps to the schema"] = called & (turns["schema_breaks"].fillna(0) == 0)
    if turns["confidence"].notna().any():
        rules |= {f"confidence ≥ {gate}": called & (turns["confidence"].fillna(-1.0) >= gate) for gate in GATES}
    return {name: _acting(turns, acts.astype("bool")) for name, acts in rules.items()}


def _acting(turns: pd.DataFrame, acts: pd.Series) -> Acting:
    right = turns["right"].fillna(False).astype("bool")
    needs = turns["needs_call"].astype("bool")
    return Acting(
        rate(int(acts.sum()), len(turns)),
        rate(int((acts & ~right).sum()), int(acts.sum())),
        rate(int((acts & right & needs).sum()), int(needs.sum())),
    )


@dataclass(frozen=True, slots=True)
class Cause:
    """Turns that the engine flagged or held back for one cause or several together. called: those whose calls came
    nevertheless; right: of all, as they came; traced: of all, every argument traced by the harness."""

    turns: int
    called: int
    right: int
    traced: int


def causes(turns: pd.DataFrame) -> dict[str, Cause]:
    """By cause: `ungrounded`, `negation`, `suppressed`, those that came together joined by +."""
    marks = {
        "ungrounded": turns["flagged"].fillna(0) > 0,
        "negation": turns["negation"].fillna(False).astype("bool"),
        "suppressed": turns["suppressed"].fillna(0) > 0,
    }
    names = pd.Series("", index=turns.index)
    for name, mark in marks.items():
        names = names.where(~mark, names.where(names == "", names + " + ") + name)
    right = turns["right"].fillna(False).astype("bool")
    return {
        str(name): Cause(
            len(part),
            int((part["calls"].fillna(0) > 0).sum()),
            int(right[part.index].sum()),
            int((part["ungrounded"].fillna(0) == 0).sum()),
        )
        for name, part in turns.groupby(names)
        if name
    }


def sources(turns: pd.DataFrame) -> dict[Source, dict[str, int | None]]:
    """Arguments by what they are traced to; passes, flags: of turns that the engine checked, None if it never did."""
    found: dict[Source, dict[str, int | None]] = {}
    for source, arguments, flagged in _entries(turns["sources"]):
        own = found.setdefault(source, {"arguments": 0, "passes": None, "flags": None})
        own["arguments"] = (own["arguments"] or 0) + arguments
        if flagged is not None:
            own["flags"] = (own["flags"] or 0) + flagged
            own["passes"] = (own["passes"] or 0) + arguments - flagged
    return {source: found[source] for source in Source if source in found}


def _entries(column: pd.Series) -> Iterator[tuple[Source, int, int | None]]:
    for entry in column.fillna("").astype("str").str.split("|").explode():
        if entry:
            source, arguments, flagged = str(entry).split(":")
            yield Source(source), int(arguments), None if flagged == "-" else int(flagged)
