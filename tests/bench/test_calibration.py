"""Reliability in bins of equal mass, the error over them, and the gate."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bench.calibration import BINS, Bin, Gate, calibration

TURNS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=200)


@given(TURNS)
def test_bins_hold_every_turn_once_in_order(turns: list[tuple[float, bool]]) -> None:
    found = calibration([c for c, _ in turns], [r for _, r in turns])
    assert found is not None
    assert sum(b.count for b in found.bins) == len(turns)
    assert len(found.bins) <= BINS
    assert all(earlier.high < later.low for earlier, later in zip(found.bins, found.bins[1:], strict=False))
    for b in found.bins:
        own = [r for c, r in turns if b.low <= c <= b.high]
        assert (len(own), sum(own) / len(own)) == (b.count, pytest.approx(b.accuracy))
    assert 0 <= found.error <= 1


@given(TURNS)
def test_the_curve_says_what_acting_above_a_threshold_gives(turns: list[tuple[float, bool]]) -> None:
    found = calibration([c for c, _ in turns], [r for _, r in turns])
    assert found is not None
    assert found.curve[-1].coverage == 1
    for gate in found.curve:
        passed = [r for c, r in turns if c >= gate.threshold]
        assert gate.count == len(passed)
        assert gate.accuracy == pytest.approx(sum(passed) / len(passed))
        if gate.accuracy >= 0.95:
            assert found.gate is not None
            assert found.gate.count >= gate.count
    assert found.gate is None or found.gate.accuracy >= 0.95


def test_ten_bins_of_equal_mass() -> None:
    found = calibration([n / 100 for n in range(100)], [True] * 100)
    assert found is not None
    assert [b.count for b in found.bins] == [10] * 10
    assert found.bins[0] == Bin(0.0, 0.09, 10, pytest.approx(0.045), 1.0)


def test_turns_of_one_confidence_stay_together() -> None:
    found = calibration([1.0] * 60 + [0.5] * 40, [True] * 30 + [False] * 30 + [True] * 40)
    assert found is not None
    assert [(b.low, b.count, b.accuracy) for b in found.bins] == [(0.5, 40, 1.0), (1.0, 60, 0.5)]
    assert found.error == pytest.approx((40 * 0.5 + 60 * 0.5) / 100)
    assert found.curve == (Gate(1.0, 0.6, 0.5, 60), Gate(0.5, 1.0, 0.7, 100))
    assert found.gate is None


def test_an_honest_engine_has_little_error_and_a_boastful_one_much() -> None:
    draw = random.Random(1)
    confidence = [draw.random() for _ in range(20_000)]
    honest = calibration(confidence, [draw.random() < c for c in confidence])
    boastful = calibration([1.0] * 20_000, [draw.random() < 0.6 for _ in range(20_000)])
    assert honest is not None
    assert boastful is not None
    assert honest.error < 0.02
    assert boastful.error == pytest.approx(0.4, abs=0.02)


def test_nothing_comes_from_nothing() -> None:
    assert calibration([], []) is None
