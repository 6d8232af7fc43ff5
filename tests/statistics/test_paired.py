"""Paired statistics: known answers, coverage of the intervals, and what is not identified."""

from __future__ import annotations

import numpy as np
import pytest

from harness.statistics.clusters import effective
from harness.statistics.estimate import pooled, typical
from harness.statistics.paired import compare, mean_with_interval, not_worse
from harness.statistics.resampling import ENOUGH, fixed
from harness.statistics.significance import at_least, corrected, sign_flip


def names(n: int) -> list[str]:
    return [f"task-{i}" for i in range(n)]


def test_a_policy_against_itself_is_exactly_equal() -> None:
    found = compare([5, 7, 9], [5, 7, 9], names(3))
    assert (found.ratio, found.interval, found.p, found.exact) == (1.0, (1.0, 1.0), 1.0, True)


def test_a_constant_ratio_is_exact_and_not_resampled() -> None:
    reference = [10.0 * 2**i for i in range(12)]
    found = compare([x / 2 for x in reference], reference, names(12))
    assert found.exact
    assert found.ratio == 0.5
    assert found.interval == (0.5, 0.5)


def test_under_twelve_clusters_there_is_no_interval_and_the_reason_is_given() -> None:
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
    effect = np.repeat(rng.normal(0.7, 0.1, 20), 20)
    reference = rng.lognormal(8, 0.3, 400)
    values = reference * effect
    apart = compare(values, reference, names(400))
    together = compare(values, reference, [f"task-{i // 20}" for i in range(400)])
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
    small, large = compare(values[:40], reference[:40], names(40)), compare(values, reference, names(200))
    assert small.detectable is not None
    assert large.detectable is not None
    assert 0 < large.detectable < small.detectable < 1


def test_a_mean_over_transcripts_has_an_interval_from_twelve_clusters_on() -> None:
    mean, interval = mean_with_interval([0.0, 1.0] * 12, names(24))
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
    assert mean_with_interval([0.5] * 12, names(12)) == (0.5, (0.5, 0.5))


def test_a_giant_is_fixed_and_the_rest_resampled() -> None:
    rng = np.random.default_rng(4)
    weight = np.r_[5000.0, rng.lognormal(3, 0.3, 30)]
    change = -weight * rng.uniform(0.1, 0.5, 31)
    (found,) = pooled(change[None, :], weight, names(31), base=1.0)
    assert found.fixed == ("task-0",)
    assert found.rest == 30
    assert found.effective == pytest.approx(effective(weight))
    assert found.effective < 2
    assert found.interval is not None
    assert found.value is not None
    assert found.interval[0] < found.value < found.interval[1]
    assert found.without[0][0] == "task-0"
    assert found.without[0][1] == pytest.approx(1 + change[1:].sum() / weight[1:].sum())


def test_where_the_rest_never_reaches_twelve_there_is_no_interval() -> None:
    weight = np.array([2.0**-n for n in range(40)])
    assert fixed(weight, weight) is None
    (found,) = pooled(-weight[None, :] / np.arange(1, 41), weight, names(40), base=1.0)
    assert (found.interval, found.p) == (None, None)
    assert f"no rest of them has {ENOUGH}" in found.why


def test_typical_is_a_mean_over_clusters_of_the_cluster_s_mean() -> None:
    clusters = ["a"] * 3 + [f"c{n}" for n in range(19)]
    values = np.r_[1.0, 2.0, 3.0, np.arange(19) / 10]
    (found,) = typical(values[None, :], clusters)
    assert found.value == pytest.approx((2.0 + np.arange(19).sum() / 10) / 20)
    assert found.clusters == 20
    assert found.interval is not None


def test_the_interval_of_a_heavy_tailed_total_covers_with_its_giants_fixed() -> None:
    """METHOD's way, in small: what is drawn anew is the rest, the fixed clusters are in every draw."""
    rng = np.random.default_rng(5)
    weight = np.r_[[4000.0, 2500.0], rng.lognormal(3, 1.0, 4000)]
    change = -weight * rng.beta(2, 3, len(weight))
    own, of = change[:2].sum(), weight[:2].sum()
    truth = (own + 38 * change[2:].mean()) / (of + 38 * weight[2:].mean())
    hits = printed = 0
    for _ in range(120):
        drawn = np.r_[[0, 1], 2 + rng.choice(4000, 38, replace=False)]
        (found,) = pooled(change[None, drawn], weight[drawn], names(40))
        if found.interval:
            printed += 1
            hits += found.interval[0] <= truth <= found.interval[1]
    assert printed > 100
    assert hits / printed >= 0.9


def test_a_floor_is_met_missed_or_not_shown() -> None:
    assert [at_least(interval, 0.95) for interval in ((0.96, 1.0), (0.9, 0.94), (0.9, 1.0), None)] == [
        *("met", "missed", "not shown", "not shown")
    ]
