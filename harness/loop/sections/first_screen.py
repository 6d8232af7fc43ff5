"""What a reader needs first of a loop: whether its drivers say anything, what passes at what cost, how far off the
estimate is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.loop.sections import wording as say
from harness.loop.validity import IDENTITY, validity
from harness.loop.words import CHECK, weak_lines, worst_line
from harness.report import by_hand
from harness.report import wording as base
from harness.report.screen import Fact, Screen
from harness.text import count, number

if TYPE_CHECKING:
    from harness.loop.sections.part import Loop

Answer = Callable[[str], str]


def screen(part: Loop) -> Screen:
    """Drivers across, figures down."""
    return by_hand.screen(
        headline(part),
        "live",
        "Drivers",
        tuple((say.called(d), "" if part.identifies(d) else "identifies nothing about policies") for d in part.drivers),
        [(question, main, [answer(driver) for driver in part.drivers]) for question, main, answer in _questions(part)],
        facts(part),
    )


def headline(part: Loop) -> str:
    """A sentence a driver: what its runs say of policies, or that they say nothing."""
    return " ".join([*weak_lines(part.run.loop), *(_said(part, d) for d in part.drivers if part.identifies(d))])


def _said(part: Loop, driver: str) -> str:
    rows = part.outcomes(driver)
    whole = rows[rows.policy == IDENTITY].iloc[0]
    kept = rows[(rows.policy != IDENTITY) & (rows.passed >= whole.passed)].sort_values("ratio")
    base_said = f"The {say.called(driver)} passes {say.share(whole.passed)} of {count(whole.runs)} tasks under identity"
    if kept.empty:
        best = rows[rows.policy != IDENTITY].sort_values(["passed", "ratio"], ascending=[False, True])
        if best.empty:
            return f"{base_said}."
        most = best.iloc[0]
        return f"{base_said}; under every other policy fewer, most under {most.policy} ({say.share(most.passed)})."
    one = kept.iloc[0]
    return (
        f"{base_said} and no fewer under {one.policy}, with {base.fewer(one.ratio)} input tokens "
        f"(95 % interval {say.ratios(one.ratio_low, one.ratio_high)})."
    )


def _questions(part: Loop) -> list[tuple[str, bool, Answer]]:
    return [
        ("tasks", False, lambda d: count(part.driver_row(d).tasks)),
        ("passed under identity", True, lambda d: say.share(part.driver_row(d).passed / part.driver_row(d).tasks)),
        ("cheapest that passes no fewer", True, lambda d: _frugal(part, d)[0]),
        ("its input tokens", False, lambda d: _frugal(part, d)[1]),
        ("most passed of the other policies", False, lambda d: _ablest(part, d)),
        ("runs that ended without an answer", False, lambda d: _unanswered(part, d)),
        ("handles needed, used", False, lambda d: _handles(part, d)),
        ("handles wrong, invented", False, lambda d: _faults(part, d)),
        ("estimate covers (estimated)", True, lambda d: say.share(_validity(part, d, "covered"))),
        ("95 % interval", False, lambda d: _covered(part, d)),
        ("of the runs that passed", False, lambda d: say.share(_validity(part, d, "covered_passed"))),
        ("mean width of the estimate, calls (estimated)", False, lambda d: say.mean(_validity(part, d, "width"))),
        ("mean absolute error: evidence / low / high", False, lambda d: _errors(part, d)),
        ("rank correlation over policies", False, lambda d: say.mean(_validity(part, d, "rank_correlation"))),
    ]


def _frugal(part: Loop, driver: str) -> tuple[str, str]:
    if not part.identifies(driver):
        return base.NOT_IDENTIFIED, base.NOT_IDENTIFIED
    rows = part.outcomes(driver)
    whole = rows[rows.policy == IDENTITY].iloc[0]
    kept = rows[(rows.policy != IDENTITY) & (rows.passed >= whole.passed)].sort_values("ratio")
    return ("none", "-") if kept.empty else (str(kept.iloc[0].policy), base.change(kept.iloc[0].ratio))


def _ablest(part: Loop, driver: str) -> str:
    rows = part.outcomes(driver)
    others = rows[rows.policy != IDENTITY].sort_values(["passed", "ratio"], ascending=[False, True])
    if others.empty or not part.identifies(driver):
        return base.NOT_IDENTIFIED
    return f"{others.iloc[0].policy}: {say.share(others.iloc[0].passed)}"


def _unanswered(part: Loop, driver: str) -> str:
    own = part.run.loop[part.run.loop.driver == driver]
    return f"{count(int((own.stopped != 'answered').sum()))} of {count(len(own))}"


def _handles(part: Loop, driver: str) -> str:
    own = part.run.loop[part.run.loop.driver == driver]
    needed = int(own.handles_needed.sum())
    return f"{count(needed)}, {count(int(own.handles_used.sum()))}" if needed else base.NOT_IDENTIFIED


def _faults(part: Loop, driver: str) -> str:
    own = part.run.loop[part.run.loop.driver == driver]
    return f"{count(int(own.handles_wrong.sum()))}, {count(int(own.handles_invented.sum()))}"


def _validity(part: Loop, driver: str, column: str) -> Any:
    table = part.validity_of_drivers
    row = table[table.driver == driver] if len(table) else table
    return None if row.empty else row.iloc[0][column]


def _covered(part: Loop, driver: str) -> str:
    low, high = _validity(part, driver, "covered_low"), _validity(part, driver, "covered_high")
    return say.shares(low, high)


def _errors(part: Loop, driver: str) -> str:
    found = [_validity(part, driver, f"error_{name}") for name in ("evidence", "low", "high")]
    return base.NOT_IDENTIFIED if say.missing(found[0]) else " / ".join(map(say.mean, found))


def facts(part: Loop) -> list[Fact]:
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
    return found


def by_driver(frame: pd.DataFrame) -> pd.DataFrame:
    """Validity over all families, a row a driver."""
    return validity(frame, ["driver"])
