"""The jump against another program's."""

from __future__ import annotations

import numpy as np
import pytest

from harness.statistics.discontinuity import jump, optimal_bandwidth


@pytest.mark.parametrize(("h", "theirs"), [(0.5, 0.05518733), (0.8, 0.06803375)])
def test_the_bias_corrected_jump_is_that_of_rdrobust(h: float, theirs: float) -> None:
    """rdrobust 2.1.1 with h = b, by clusters, without its handling of mass points, on the same numbers."""
    draw = np.random.default_rng(7)
    x, groups = draw.normal(0, 0.8, 3000), draw.integers(0, 60, 3000)
    y = 0.25 + 0.1 * x - 0.03 * x**2 + 0.15 * (x >= 0) + draw.normal(0, 0.05, 60)[groups] + draw.normal(0, 0.4, 3000)
    found = jump(x, y, [str(group) for group in groups], h)
    assert found is not None
    assert found.value == pytest.approx(theirs, abs=1e-8)
    assert found.interval[0] < found.value < found.interval[1]
    width = optimal_bandwidth(x, y)
    assert width is not None
    assert 0.3 < width < 1.0


def test_too_little_on_a_side_has_no_jump() -> None:
    x = np.linspace(-1, 0.02, 60)
    assert jump(x, np.zeros(60), ["a", "b", "c"] * 20, 0.5) is None
    assert optimal_bandwidth(x, np.zeros(60)) is None
