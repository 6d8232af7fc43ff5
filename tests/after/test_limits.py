"""At the limit: what is found where a jump is planted, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from harness.after.limits import at_limits, find_limit
from harness.statistics.discontinuity import density_jump, jump
from tests.benchmarks.limit_coverage import JUMP, LIMIT, corpus, tally


def test_a_planted_jump_is_covered_and_no_jump_raises_no_alarm() -> None:
    found = tally(range(4))
    assert found["identified"] >= 0.75
    assert found["coverage"] == 1
    assert found["false_alarms"] == 0
    assert (found["heaping_found"], found["middle_refused"]) == (1.0, 1.0)


def test_the_limit_is_found() -> None:
    (row,) = at_limits(corpus(1, JUMP))
    assert row["limit"] == pytest.approx(LIMIT, rel=0.01)
    assert find_limit(np.array([1.0, 5.0, 9.0]), np.array([2.0, 6.0, 8.0])) is None


def test_too_few_are_refused() -> None:
    (row,) = at_limits(corpus(1, JUMP).iloc[::12])
    assert row["why"].startswith("too few")
    assert row["jump"] is None


def test_unknown_sizes_are_refused() -> None:
    frame = corpus(1, JUMP)
    frame["whole_size"] = frame["whole_size"].where((frame["cut"] == "") | (frame.index % 5 > 0)).astype("Int64")
    (row,) = at_limits(frame)
    assert row["why"].startswith("the whole size is told of")


def test_calls_that_limit_themselves_are_left_out() -> None:
    frame = corpus(1, JUMP)
    frame["limited"] = frame["cut"] == ""
    assert at_limits(frame)[0]["why"] == "too few results on a side"


def test_the_jump_without_noise_is_exact() -> None:
    x = np.linspace(-1, 1, 401)
    found = jump(x, 0.2 + 0.1 * x + 0.3 * (x >= 0), [str(n % 20) for n in range(401)], 0.5)
    assert found is not None
    assert found.value == pytest.approx(0.3)


def test_a_density_without_a_jump_and_one_with() -> None:
    draw = np.random.default_rng(3)
    x = draw.normal(0, 1, 4000)
    smooth, stopped = density_jump(x), density_jump(np.where((x > 0) & (x < 0.3), -0.01, x))
    assert smooth is not None
    assert stopped is not None
    assert smooth > 0.05 > stopped
