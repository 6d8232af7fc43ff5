"""Rates with their counts: over distinct turns, failures never dropped, silence earning nothing."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from harness.bench.rates import Rates, Square, rate, rates, rates_by
from harness.runs.engine_schema import ENGINE

BLANK: dict[str, Any] = {c.name: None for c in ENGINE} | {"repetition": 1, "turn": 1, "needs_call": True}
GROUNDED = {"state": "grounded", "right": True, "exact": True, "calls": 1, "checked": 2, "ungrounded": 0}
FLAGGED = {"state": "flagged", "right": True, "exact": False, "calls": 1, "checked": 1, "ungrounded": 0, "flagged": 1}
WITHHELD = {"state": "withheld", "right": False, "calls": 0, "suppressed": 1, "checked": 2, "ungrounded": 1}
SILENT = {"state": "no call", "right": False, "calls": 0, "checked": 0, "ungrounded": 0}
FAILED = {"state": "failed", "failure": "crash"}


def frame(*turns: dict[str, Any]) -> pd.DataFrame:
    rows = [BLANK | {"task": f"t{n}"} | turn for n, turn in enumerate(turns)]
    return pd.DataFrame(rows).astype({c.name: c.dtype for c in ENGINE if c.dtype != "category"} | {"turn": "int32"})


@pytest.fixture(autouse=True)
def filled() -> None:
    for number in ("stretch", "input_bytes", "tools"):
        BLANK[number] = 0
    BLANK["started"] = 0.0


def found(*turns: dict[str, Any]) -> Rates:
    return rates(frame(*turns))


def counts(result: Rates, name: str) -> tuple[int, int]:
    one = getattr(result, name)
    return one.count, one.total


def test_each_rate_has_its_own_whole() -> None:
    refused = SILENT | {"right": True, "exact": True, "needs_call": False}
    result = found(GROUNDED, GROUNDED | {"right": False, "exact": False}, FLAGGED, WITHHELD, SILENT, FAILED, refused)
    assert result.turns == 7
    assert result.states == {
        "grounded": 2,
        "flagged": 1,
        "withheld": 1,
        "no call": 2,
        "not reported": 0,
        "failed": 1,
    }
    assert counts(result, "answered") == (6, 7)
    assert counts(result, "right") == (3, 7)
    assert counts(result, "exact") == (2, 7)
    assert counts(result, "called_right") == (2, 6)
    assert counts(result, "refused") == (1, 1)
    assert counts(result, "grounded") == (2, 4)
    assert counts(result, "grounded_needed") == (2, 6)
    assert counts(result, "traced") == (3, 4)
    assert counts(result, "arguments") == (6, 7)
    assert result.failures == {"crash": 1}


def test_the_two_checks_side_by_side() -> None:
    result = found(GROUNDED, GROUNDED | {"right": False}, FLAGGED, WITHHELD, GROUNDED | {"ungrounded": 1}, SILENT)
    assert result.grounding.checks == Square(both=2, first_only=1, second_only=1, neither=1)
    assert result.grounding.engine == Square(both=2, first_only=1, second_only=1, neither=1)
    assert result.grounding.harness == Square(both=2, first_only=1, second_only=1, neither=1)


def test_a_turn_asked_again_is_not_another_turn() -> None:
    again = [turn | {"task": "t", "repetition": n} for n, turn in enumerate((GROUNDED, FAILED, GROUNDED), 1)]
    result = found(*again)
    assert counts(result, "right") == (1, 1)
    assert counts(result, "failed") == (1, 3)
    assert result.unsteady == 1


def test_confidence_counts_only_where_calls_were_made_and_it_is_reported() -> None:
    sure = GROUNDED | {"confidence": 0.9}
    result = found(sure, sure | {"right": False}, GROUNDED, SILENT | {"confidence": 0.2}, FAILED)
    assert result.calibration is not None
    assert [(b.count, b.accuracy) for b in result.calibration.bins] == [(2, 0.5)]
    assert found(GROUNDED, FAILED).calibration is None


def test_wilson() -> None:
    assert rate(0, 0).value is None
    assert rate(0, 0).interval is None
    assert rate(10, 10).interval == (pytest.approx(0.7225, abs=1e-4), pytest.approx(1.0))
    assert rate(0, 20).interval == (pytest.approx(0.0), pytest.approx(0.1611, abs=1e-4))


def test_by_a_column() -> None:
    turns = frame(GROUNDED | {"policy": "car"}, FLAGGED | {"policy": "car"}, WITHHELD | {"policy": "head"})
    assert {name: counts(part, "grounded") for name, part in rates_by(turns, "policy")} == {
        "car": (1, 2),
        "head": (0, 1),
    }


def test_an_engine_that_reports_no_grounding_has_none_to_count() -> None:
    unchecked = GROUNDED | {"state": "not reported"}
    result = found(unchecked, unchecked, SILENT)
    assert counts(result, "grounded") == (0, 0)
    assert counts(result, "grounded_needed") == (0, 0)
    assert counts(found(GROUNDED, unchecked, SILENT), "grounded_needed") == (1, 2)
