"""How often: rates over turns with counts and Wilson intervals, and the two checks of grounding side by side.

Rates are over distinct turns, in their first repetition: a turn asked again is the same turn, not another one. Failures
are counted over all repetitions too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from harness.bench.calibration import Calibration, calibration
from harness.engines.envelope import TurnState

READ = (
    *("task", "turn", "repetition", "needs_call", "state", "failure", "calls", "confidence"),
    *("exact", "right", "checked", "ungrounded"),
)
"""The columns of a turn on which rates rest."""

CHECKED = (TurnState.GROUNDED, TurnState.FLAGGED, TurnState.WITHHELD)


@dataclass(frozen=True, slots=True)
class Rate:
    """count of total. value and the 95 % interval (Wilson) are None where the total is zero."""

    count: int
    total: int
    value: float | None
    interval: tuple[float, float] | None

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def rate(count: int, total: int) -> Rate:
    """A rate with its Wilson interval."""
    if not total:
        return Rate(count, total, None, None)
    low, high = proportion_confint(count, total, alpha=0.05, method="wilson")
    return Rate(count, total, count / total, (float(low), float(high)))


@dataclass(frozen=True, slots=True)
class Square:
    """A 2×2 table of turns."""

    both: int
    first_only: int
    second_only: int
    neither: int

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def square(first: pd.Series, second: pd.Series) -> Square:
    """How often two marks of the same turns come together."""
    a, b = first.astype("bool"), second.astype("bool")
    return Square(int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum()))


@dataclass(frozen=True, slots=True)
class Grounding:
    """checks: turns that the engine passes (grounded) against turns whose every argument the harness traces.
    engine, harness: turns that each passes against turns that are right. Over the turns that the engine checked;
    `harness` over those with arguments, whether the engine checks anything or not."""

    checks: Square
    engine: Square
    harness: Square


@dataclass(frozen=True, slots=True)
class Rates:
    """One engine's rates.

    states: turns by state. failed: turns that failed, over all repetitions. unsteady: distinct turns whose state or
    correctness differs between repetitions. answered, right, exact: of all turns. called_right: of the turns that
    need a call. refused: of those that need none. grounded: of the turns that the engine checked. grounded_needed:
    grounded turns, of the turns that need a call, silent and failed ones too, but not those whose calls the engine
    did not report on; not reported for an engine that checks nothing. traced: turns whose every argument the harness
    traces to the input, of those with any argument; arguments: values so traced (several values of one turn belong
    together, so their interval is too narrow).
    """

    turns: int
    states: dict[str, int]
    failures: dict[str, int]
    failed: Rate
    unsteady: int
    answered: Rate
    right: Rate
    exact: Rate
    called_right: Rate
    refused: Rate
    grounded: Rate
    grounded_needed: Rate
    traced: Rate
    arguments: Rate
    grounding: Grounding
    calibration: Calibration | None


def rates(turns: pd.DataFrame) -> Rates:
    """turns: rows of one engine, of the frame `engine` of a run, all repetitions or some part of them."""
    turns = turns[list(READ)]
    first = turns[turns["repetition"] == turns["repetition"].min()]
    state = first["state"].astype("str")
    right, exact = (first[name].fillna(False).astype("bool") for name in ("right", "exact"))
    needs = first["needs_call"].astype("bool")
    grounded, checked = state == TurnState.GROUNDED, state.isin(CHECKED)
    reported = needs & (state != TurnState.NOT_REPORTED) & checked.any()
    with_values = first["checked"].fillna(0) > 0
    traced = first["ungrounded"].fillna(0) == 0
    values, invented = int(first["checked"].sum()), int(first["ungrounded"].sum())
    failed = turns["state"].astype("str") == TurnState.FAILED
    return Rates(
        turns=len(first),
        states={str(s): int((state == s).sum()) for s in TurnState},
        failures=dict(turns.loc[failed, "failure"].astype("str").value_counts()),
        failed=rate(int(failed.sum()), len(turns)),
        unsteady=_unsteady(turns),
        answered=rate(int((state != TurnState.FAILED).sum()), len(first)),
        right=rate(int(right.sum()), len(first)),
        exact=rate(int(exact.sum()), len(first)),
        called_right=rate(int((right & needs).sum()), int(needs.sum())),
        refused=rate(int((right & ~needs).sum()), int((~needs).sum())),
        grounded=rate(int(grounded.sum()), int(checked.sum())),
        grounded_needed=rate(int((grounded & needs).sum()), int(reported.sum())),
        traced=rate(int((traced & with_values).sum()), int(with_values.sum())),
        arguments=rate(values - invented, values),
        grounding=Grounding(
            square(grounded[checked], traced[checked]),
            square(grounded[checked], right[checked]),
            square(traced[with_values], right[with_values]),
        ),
        calibration=_calibration(first[(first["calls"].fillna(0) > 0) & first["confidence"].notna()]),
    )


def rates_by(turns: pd.DataFrame, column: str) -> Iterator[tuple[str, Rates]]:
    """The same for every value of a column (`family`, `case`, `policy`, `hidden`, `band`)."""
    for value, part in turns.groupby(column, observed=True, dropna=True):
        yield str(value), rates(part)


def _calibration(called: pd.DataFrame) -> Calibration | None:
    return calibration(list(called["confidence"].astype("float64")), list(called["right"].fillna(False).astype("bool")))


def _unsteady(turns: pd.DataFrame) -> int:
    said = turns["state"].astype("str") + turns["right"].astype("object").map(str)
    kinds = said.groupby([turns["task"].astype("str"), turns["turn"]]).nunique()
    return int((kinds > 1).sum())
