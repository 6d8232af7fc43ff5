"""A few simulated nights: noise raises no alarm, a step does; `tests/benchmarks/test_nights.py` has many."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import binom

from harness.nightly.engines import judge_engines
from harness.nightly.steps import judge_series, segments, steps
from tests.nightly.simulated import (
    BUSY,
    HERE,
    NEW,
    OLD,
    OPEN,
    STEPS,
    by_history,
    interleaved_night,
    recorded,
    simulate,
    turns,
)


def test_noise_alone_is_no_alarm_and_half_as_slow_again_is_one() -> None:
    rng = np.random.default_rng(1)
    assert [interleaved_night(rng, 1.0).state == "worse" for _ in range(4)] == [False] * 4
    slow = [interleaved_night(rng, 1.8) for _ in range(2)]
    assert [(j.state, j.confirmed) for j in slow] == [("worse", True)] * 2
    assert all(j.interval and 0 < j.interval[0] < (j.effect or 0) < j.interval[1] for j in slow)


def test_a_bad_night_slows_both_and_moves_nothing() -> None:
    quiet = judge_engines("turns", turns(np.random.default_rng(3), 1.1), OLD, {})
    loaded = judge_engines("turns", turns(np.random.default_rng(3), 1.1, machine=3.0), OLD, {})
    for a, b in zip(quiet, loaded, strict=True):
        assert (a.effect, a.p, a.state) == (pytest.approx(b.effect), b.p, b.state)


def test_the_verdict_says_what_it_rests_on() -> None:
    found = {j.figure: j for j in judge_engines("turns", turns(np.random.default_rng(4), 1.0), OLD, {})}
    turn = found["turn_seconds"]
    assert (turn.engine, turn.reference, turn.units) == (NEW, OLD, 20)
    assert turn.detectable is not None
    assert turn.interval is not None
    assert turn.detectable > (turn.interval[1] - turn.interval[0]) / 2 > 0
    assert found["correct_share"].effect == 0
    assert found["correct_share"].state == "fine"
    few = judge_engines("turns", turns(np.random.default_rng(4), 1.0, pairs=5), OLD, {})
    assert {(j.figure, j.state) for j in few if j.figure == "turn_seconds"} == {("turn_seconds", "inconclusive")}
    assert "5 units, fewer than 8: no interval" in next(j for j in few if j.figure == "turn_seconds").why


def test_a_share_of_right_answers_that_falls_is_told() -> None:
    frame = turns(np.random.default_rng(5), 1.0)
    lost = (frame["engine"] == NEW) & (frame["task"].str.endswith(("t0", "t1")))
    frame.loc[lost, "right"] = False
    found = {j.figure: j for j in judge_engines("turns", frame, OLD, {})}["correct_share"]
    assert found.state == "worse"
    assert found.effect == pytest.approx(lost.sum() / (frame["engine"] == NEW).sum())


def test_steps_need_three_nights_and_three_percent() -> None:
    pytest.importorskip("ruptures")
    rng = np.random.default_rng(2)
    noise = rng.normal(1, 0.01, 30)
    assert steps(noise, True) == []
    up = noise.copy()
    up[20:] *= 1.2
    (step,) = steps(up, True)
    assert step.at == 20
    assert step.share == pytest.approx(0.2, abs=0.02)
    one_bad = noise.copy()
    one_bad[15] *= 2
    assert steps(one_bad, True) == []
    small = noise.copy()
    small[20:] *= 1.02
    assert steps(small, True) == []
    assert segments(up[:21], True) == [(0, 21)]
    assert segments(np.ones(12), True) == [(0, 12)]


def test_a_night_that_stands_alone_decides_nothing() -> None:
    pytest.importorskip("ruptures")
    quiet = np.random.default_rng(2).normal(1, 0.01, 20)
    bad = judge_series(OPEN, [*quiet, 3.0], 0, "lower")
    assert (bad.state, bad.effect is not None) == ("inconclusive", True)
    assert bad.why.startswith("tonight stands alone, +2")
    after = [judge_series(OPEN, [*quiet, 3.0, *quiet[:n]], 0, "lower").state for n in range(1, 6)]
    assert after == ["fine"] * 5
    slow = [judge_series(OPEN, [*quiet, *[1.2] * n], 0, "lower").state for n in range(1, 4)]
    assert slow == ["inconclusive", "worse", "worse"]


def test_the_recorded_turns_are_many() -> None:
    assert len(recorded()) >= 8
    assert all(len(a) == len(b) >= 8 for a, b in recorded())


def promised() -> dict[tuple[str, str], list[str]]:
    """The table of docs/nightly.md: by what is planted and how it is judged, the other cells."""
    text = (HERE.parents[1] / "docs" / "nightly.md").read_text(encoding="utf-8")
    table = text.partition("| planted |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {(row[0], row[1]): row[2:] for row in rows}


def test_the_documentation_promises_what_a_small_simulation_finds() -> None:
    rows = promised()
    assert all(false.startswith("0 of ") for *_, false in rows.values())
    told, *_ = rows["an engine 20 % slower", "by a reference"]
    caught, nights = (int(n) for n in re.findall(r"[0-9]+", told)[:2])
    rng = np.random.default_rng(8)
    found = sum(interleaved_night(rng, 1.2).state == "worse" for _ in range(6))
    low, high = binom.interval(0.999, 6, caught / nights)
    assert low <= found <= high


def test_the_history_tells_as_late_as_the_documentation_says() -> None:
    pytest.importorskip("ruptures")
    _, late, _ = promised()["an engine 20 % slower", "by the history"]
    worst = int(re.findall(r"[0-9]+", late)[1])
    found = simulate(by_history, STEPS[1], 1, BUSY)
    assert found.false == 0
    assert found.delays
    assert found.delays[0] <= worst
