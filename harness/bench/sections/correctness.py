"""What exactly is right: tools, arguments, whole turns, refusals; and the same by what the tasks are about and test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.rates import Rate, Rates, rate
from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME, OF, PART, PART_OF, REPORTED, SHARE, between

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

TITLES = {"family": "what the task is about", "case": "what the turn tests"}


COLUMNS = (
    Column("engine", "engine", NAME),
    Column("_said", "what"),
    Column(("count", "total"), "count", OF),
    Column("value", "share", REPORTED),
    Column(("low", "high"), "95 % interval", between(SHARE)),
)


def section(part: Engines) -> Table:
    """Over the whole run."""
    rows = []
    for engine in part.engines:
        for name, said, found in _parts(part.first(engine), part.summary.rates[engine]):
            low, high = found.interval or (None, None)
            counted = {"count": found.count, "total": found.total, "value": found.value, "low": low, "high": high}
            rows.append({"engine": engine, "what": name, "_said": said} | counted)
    return Table(
        "correctness",
        "What is right",
        "live",
        "Calls are compared as a multiset, unless a task says that their order matters. Exact: JSON values as they "
        "are. With alternatives: also what the task accepts instead, case and 3.0 for 3 aside. Arguments are counted "
        "over the calls that agree in name. 95 % Wilson intervals; arguments of one turn belong together, so their "
        "interval is too narrow.",
        COLUMNS,
        rows,
    )


def _parts(turns: pd.DataFrame, rates: Rates) -> list[tuple[str, str, Rate]]:
    answered = turns[turns["matched_names"].notna()]
    needs = answered[answered["needs_call"]]
    same = (needs["matched_names"] == needs["expected_calls"]) & (needs["calls"] == needs["expected_calls"])
    asked = int(turns["needs_call"].sum())
    wanted, right = int(needs["expected_arguments"].sum()), int(needs["right_arguments"].sum())
    given = right + int(needs["extra_arguments"].sum())
    exact = (turns["exact"].fillna(False).astype("bool") & turns["needs_call"]).sum()
    return [
        ("tools", "all tools, and no other, of the turns that need a call", rate(int(same.sum()), asked)),
        ("arguments", "arguments that agree, of those there should be", rate(right, wanted)),
        (
            "missing",
            "arguments left out, of those there should be",
            rate(int(needs["missing_arguments"].sum()), wanted),
        ),
        ("extra", "arguments that no right call has, of those given and right", rate(given - right, given)),
        ("exact", "all calls exact, of the turns that need a call", rate(int(exact), asked)),
        ("right", "all calls right with alternatives, of the turns that need a call", rates.called_right),
        ("refused", "no call, of the turns that need none", rates.refused),
    ]


def by_family(part: Engines) -> Table | None:
    return _by(part, "family")


def by_case(part: Engines) -> Table | None:
    return _by(part, "case")


def _by(part: Engines, column: str) -> Table | None:
    found = part.summary.rates_by(column)
    names = sorted({name for groups in found.values() for name in groups})
    if len(names) < 2:
        return None
    rows = [
        {column: name, "engine": engine, "turns": one.turns} | _flat(one)
        for name in names
        for engine in part.engines
        if (one := found[engine].get(name)) is not None
    ]
    return Table(
        f"by_{column}",
        f"Right by {TITLES[column]}",
        "live",
        "Few turns make wide intervals: rows whose intervals overlap may well be the same. A dash: no such turn, or "
        "nothing reported.",
        (Column(column, column, NAME), *BY),
        rows,
    )


BY = (
    Column("engine", "engine", NAME),
    Column("turns", "turns", COUNT),
    Column(("right", "right_of"), "right", OF),
    Column(("right", "right_of"), "share", PART),
    Column(("right_low", "right_high"), "95 % interval", between(SHARE)),
    Column(("exact", "exact_of"), "exact", PART),
    Column(("called_right", "called_right_of"), "right, call needed", PART_OF),
    Column(("refused", "refused_of"), "right, none needed", PART_OF),
    Column(("grounded", "grounded_of"), "grounded, of checked", PART_OF),
    Column(("traced", "traced_of"), "traced by the harness", PART_OF),
)


def _flat(one: Rates) -> dict[str, object]:
    found: dict[str, object] = {}
    for name in ("right", "exact", "called_right", "refused", "grounded", "traced"):
        figure: Rate = getattr(one, name)
        low, high = figure.interval or (None, None)
        found |= {name: figure.count, f"{name}_of": figure.total, f"{name}_low": low, f"{name}_high": high}
    return found
