"""What a reader needs first of a loop: whether its drivers say anything, what passes at what cost, how far off the
estimate is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.loop.sections import wording as say
from harness.loop.validity import IDENTITY, validity
from harness.loop.words import CHECK, weak_lines, worst_line
from harness.report.screen import Fact, Screen
from harness.report.table import Column, Row, Table, records
from harness.report.units import (
    CHANGE,
    COUNT,
    MEAN,
    NAME,
    NOT_IDENTIFIED,
    OF,
    SHARE,
    TEXT,
    Unit,
    between,
    fewer,
)
from harness.text import count, number

if TYPE_CHECKING:
    from harness.loop.sections.part import Loop

PAIR = Unit("counts", lambda *values: ", ".join(map(COUNT.text, values)))
ERRORS = Unit("means", lambda *values: " / ".join(map(MEAN.text, values)))
ANSWERS = (
    Column("driver", "driver", NAME),
    Column("tasks", "tasks", COUNT),
    Column("passed", "passed under identity", SHARE, main=True),
    Column("cheapest", "cheapest that passes no fewer", NAME, main=True, absent=NOT_IDENTIFIED),
    Column("cheapest_ratio", "its input tokens", CHANGE, instead="_none"),
    Column("ablest", "most passed of the other policies", TEXT, absent=NOT_IDENTIFIED),
    Column(("unanswered", "runs"), "runs that ended without an answer", OF),
    Column(("handles_needed", "handles_used"), "handles needed, used", PAIR),
    Column(("handles_wrong", "handles_invented"), "handles wrong, invented", PAIR),
    Column("covered", "estimate covers", SHARE, "estimated", main=True),
    Column(("covered_low", "covered_high"), "95 % interval", between(SHARE), "estimated"),
    Column("covered_passed", "of the runs that passed", SHARE, "estimated"),
    Column("width", "mean width of the estimate, calls", MEAN, "estimated"),
    Column(
        ("error_evidence", "error_low", "error_high"), "mean absolute error: evidence / low / high", ERRORS, "estimated"
    ),
    Column("rank_correlation", "rank correlation over policies", MEAN, "estimated"),
)


def screen(part: Loop) -> Screen:
    """Drivers across, figures down."""
    answers = Table("answers", "Drivers", "live", columns=ANSWERS, data=[_answers(part, d) for d in part.drivers])
    return Screen(headline(part), answers, facts(part), "said")


def _answers(part: Loop, driver: str) -> Row:
    own, known = part.run.loop[part.run.loop.driver == driver], part.driver_row(driver)
    identifies = part.identifies(driver)
    cheapest = _cheapest(part, driver) if identifies else None
    handles = {name: int(own[f"handles_{name}"].sum()) for name in ("needed", "used", "wrong", "invented")}
    table = part.validity_of_drivers
    validity = next(iter(records(table[table.driver == driver])), {}) if len(table) else {}
    return {
        **validity,
        "driver": say.called(driver),
        "said": "" if identifies else "identifies nothing about policies",
        "tasks": known.tasks,
        "passed": known.passed / known.tasks,
        "cheapest": None if not identifies else "none" if cheapest is None else str(cheapest.policy),
        "cheapest_ratio": None if cheapest is None else float(cheapest.ratio),
        "_none": "-" if identifies and cheapest is None else "",
        "ablest": _ablest(part, driver) if identifies else None,
        "unanswered": int((own.stopped != "answered").sum()),
        "runs": len(own),
        **{f"handles_{name}": n for name, n in handles.items()},
        "handles_needed": handles["needed"] or None,
    }


def _cheapest(part: Loop, driver: str) -> Any:
    """The row of the cheapest other policy under which no fewer tasks pass than under identity; `None` if none is."""
    rows = part.outcomes(driver)
    whole = rows[rows.policy == IDENTITY].iloc[0]
    enough = rows[(rows.policy != IDENTITY) & (rows.passed >= whole.passed)].sort_values("ratio")
    return None if enough.empty else enough.iloc[0]


def _ablest(part: Loop, driver: str) -> str | None:
    rows = part.outcomes(driver)
    others = rows[rows.policy != IDENTITY].sort_values(["passed", "ratio"], ascending=[False, True])
    return None if others.empty else f"{others.iloc[0].policy}: {SHARE.text(others.iloc[0].passed)}"


def headline(part: Loop) -> str:
    """A sentence a driver: what its runs say of policies, or that they say nothing."""
    return " ".join([*weak_lines(part.run.loop), *(_said(part, d) for d in part.drivers if part.identifies(d))])


def _said(part: Loop, driver: str) -> str:
    rows = part.outcomes(driver)
    whole = rows[rows.policy == IDENTITY].iloc[0]
    one = _cheapest(part, driver)
    said = f"The {say.called(driver)} passes {SHARE.text(whole.passed)} of {count(whole.runs)} tasks under identity"
    if one is None:
        best = rows[rows.policy != IDENTITY].sort_values(["passed", "ratio"], ascending=[False, True])
        if best.empty:
            return f"{said}."
        most = best.iloc[0]
        return f"{said}; under every other policy fewer, most under {most.policy} ({SHARE.text(most.passed)})."
    return (
        f"{said} and no fewer under {one.policy}, with {fewer(one.ratio)} input tokens "
        f"(95 % interval {between(CHANGE).text(one.ratio_low, one.ratio_high)})."
    )


def facts(part: Loop) -> tuple[Fact, ...]:
    """What everything rests on."""
    frame = part.run.loop
    tasks = frame.drop_duplicates("task")
    templates = tasks.groupby(["family", "template"], observed=True).ngroups
    families = tasks.groupby("family", observed=True).size()
    found = [
        Fact(
            "Tasks",
            "recorded",
            f"{count(len(tasks))} tasks",
            f"of {templates} templates, with known answers and tools that really run: "
            + ", ".join(f"{name} {n}" for name, n in families.items()),
        ),
        Fact(
            "Runs",
            "live",
            number(len(frame), "run"),
            f"of {number(frame.driver.nunique(), 'driver')}, under {frame.policy.nunique()} policies",
        ),
    ]
    if line := worst_line(frame):
        family, _, rest = line.partition(" least ")
        found.append(
            Fact("Worst family", "estimated", family.removeprefix("The estimate covers "), f"is covered least {rest}")
        )
    if len(part.validity_of_drivers):
        readers = frame[frame.temperament.astype(str) != ""].driver.nunique()
        found.append(Fact("What validity says", "estimated", f"of {number(readers, 'reader')}:", CHECK))
    return tuple(found)


def by_driver(frame: pd.DataFrame) -> pd.DataFrame:
    """Validity over all families, a row a driver."""
    return validity(frame, ["driver"])
