"""Paired statistics: known answers, coverage of the intervals, and what is not identified."""

from __future__ import annotations

import numpy as np
import pytest

from harness.statistics.paired import compare, corrected, mean_with_interval, not_worse, sign_flip


def names(n: int) -> list[str]:
    return [f"task-{i}" for i in range(n)]


def test_a_policy_against_itself_is_exactly_equal() -> None:
    found = compare([5, 7, 9], [5, 7, 9], names(3))
    assert (found.ratio, found.interval, found.p, found.exact) == (1.0, (1.0, 1.0), 1.0, True)


def test_a_constant_ratio_is_exact_and_not_resampled() -> None:
    reference = [10.0 * 2**i for i in range(8)]
    found = compare([x / 2 for x in reference], reference, names(8))
    assert found.exact
    assert found.ratio == 0.5
    assert found.interval == (0.5, 0.5)


def test_under_eight_clusters_there_is_no_interval_and_the_reason_is_given() -> None:
    found = compare([1, 2, 3], [4, 4, 4], ["a", "b", "b"])
    assert found.clusters == 2
    assert found.interval is None
    assert found.p is None
    assert "2 clusters" in found.why


def test_one_transcript_is_no_constant() -> None:
    found = compare([5], [10], names(1))
    assert (found.ratio, found.interval, found.exact) == (0.5, None, False)


def test_the_ratio_is_of_totals_and_the_typical_one_of_transcripts() -> None:
    found = compare([1, 900], [2, 1000], names(2))
    assert found.ratio == pytest.approx(901 / 1002)
    assert found.typical == pytest.approx(np.sqrt(0.5 * 0.9))


def test_clusters_widen_the_interval() -> None:
    rng = np.random.default_rng(1)
    effect = np.repeat(rng.normal(0.7, 0.1, 10), 20)
    reference = rng.lognormal(8, 0.3, 200)
    values = reference * effect
    apart = compare(values, reference, names(200))
    together = compare(values, reference, [f"task-{i // 20}" for i in range(200)])
    assert apart.interval is not None
    assert together.interval is not None
    assert together.interval[1] - together.interval[0] > 1.5 * (apart.interval[1] - apart.interval[0])


def test_the_interval_covers_the_true_ratio_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(60):
        reference = rng.lognormal(8, 0.5, 40)
        values = reference * rng.normal(0.8, 0.1, 40)
        found = compare(values, reference, names(40))
        assert found.interval is not None
        hits += found.interval[0] <= 0.8 <= found.interval[1]
    assert hits >= 51


def test_sign_flip_finds_a_clear_difference_and_no_other() -> None:
    assert sign_flip([3.0] * 12) < 0.01
    assert sign_flip([1, -1, 1, -1, 1, -1, 1, -1]) == pytest.approx(1.0)
    assert sign_flip([0, 0, 0]) == 1.0


def test_correction_leaves_unknown_values_unknown() -> None:
    assert corrected([0.01, None, 0.04], "holm") == [pytest.approx(0.02), None, pytest.approx(0.04)]


def test_not_worse_needs_an_interval() -> None:
    assert not_worse(compare([1, 3], [2, 4], ["a", "a"]), 0.05) is None
    equal = compare([5, 7], [5, 7], names(2))
    assert not_worse(equal, 0.05) is True
    assert not_worse(equal, 0.0) is False


def test_the_detectable_effect_shrinks_with_the_sample() -> None:
    rng = np.random.default_rng(3)
    reference = rng.lognormal(8, 0.5, 200)
    values = reference * rng.lognormal(-0.1, 0.2, 200)
    small, large = compare(values[:10], reference[:10], names(10)), compare(values, reference, names(200))
    assert small.detectable is not None
    assert large.detectable is not None
    assert 0 < large.detectable < small.detectable < 1


def test_a_mean_over_transcripts_has_an_interval_from_eight_clusters_on() -> None:
    mean, interval = mean_with_interval([0.0, 1.0] * 8, names(16))
    assert mean == 0.5
    assert interval is not None
    assert interval[0] < 0.5 < interval[1]
    assert mean_with_interval([0.0, 1.0], names(2)) == (0.5, None)
    assert mean_with_interval([], []) == (None, None)


def test_a_mean_over_few_clusters_is_exact_only_where_a_policy_changes_nothing() -> None:
    """One cluster in which half is visible says nothing about the next."""
    assert mean_with_interval([0.5], names(1), untouched=1) == (0.5, None)
    assert mean_with_interval([0.0] * 3, names(3), untouched=None) == (0.0, None)
    assert mean_with_interval([0.0] * 3, names(3), untouched=1) == (0.0, None)
    assert mean_with_interval([1.0] * 3, names(3), untouched=1) == (1.0, (1.0, 1.0))
    assert mean_with_interval([0.0] * 3, names(3)) == (0.0, (0.0, 0.0))
    assert mean_with_interval([0.5] * 8, names(8)) == (0.5, (0.5, 0.5))
