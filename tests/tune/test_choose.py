"""The choice: the cheapest whose lower bound meets the floor, and that what is reported had no part in it."""

from __future__ import annotations

import numpy as np
import pytest

from harness.errors import HarnessError
from harness.statistics.bounds import lower_bounds
from harness.tune.choose import Ground, folds_of, front
from harness.tune.floor import floor_of

COST = np.array([9.0, 2, 2, 5, 7])
EVIDENCE = np.array([1.0, 0.5, 0.6, 0.9, 0.9])


def ground(count: int, bearing: float = 10.0) -> Ground:
    return Ground([f"c{n}" for n in range(count)], np.full(count, bearing), np.ones(count, bool))


def test_the_front_has_no_setting_that_another_beats() -> None:
    assert front(COST, EVIDENCE) == [2, 3, 0]


def test_folds_keep_clusters_together_and_are_of_equal_size() -> None:
    clusters = [f"c{n % 10}" for n in range(40)]
    fold = folds_of(clusters, 5)
    assert [len({c for c, f in zip(clusters, fold, strict=True) if f == k}) for k in range(5)] == [2] * 5
    assert all(len({int(f) for c, f in zip(clusters, fold, strict=True) if c == name}) == 1 for name in clusters)
    assert folds_of(clusters[::-1], 5).tolist() == fold[::-1].tolist()


def test_a_value_on_the_floor_is_not_enough_where_it_varies() -> None:
    """Settings: one that hides everything of 2 clusters in 40 (95 % visible), one that hides 5 % of each."""
    varied, even = np.full(40, 10.0), np.full(40, 9.5)
    varied[:2] = 0
    whole = np.stack([varied, even])
    bound, value, identified = ground(40).evidence(whole)
    assert identified
    assert value.tolist() == pytest.approx([0.95, 0.95])
    assert bound[1] == pytest.approx(0.95)
    assert bound[0] == pytest.approx(0.95 - 1.6849 * np.sqrt(0.0475 / 39), abs=1e-3)
    cost = np.array([np.full(40, 1.0), np.full(40, 2.0)])
    assert ground(40).choose(cost, whole, 0.95) == 1
    assert ground(40).choose(cost, whole, 0.85) == 0
    assert ground(40).choose(cost, whole, 0.96) is None


def test_both_weightings_must_meet_the_floor() -> None:
    """What is hidden lies in one cluster of 30 that has half of the requests."""
    bearing = np.full(30, 10.0)
    bearing[0] = 290
    whole = bearing.copy()
    whole[0] = 232
    some = Ground([f"c{n}" for n in range(30)], bearing, np.ones(30, bool))
    bound, value, _ = some.evidence(whole[None, :])
    assert value[0] == pytest.approx(1 - 58 / 580)
    assert bound[0] <= value[0]


def test_with_few_clusters_there_is_no_bound() -> None:
    bound, value, identified = ground(8).evidence(np.full((1, 8), 9.0))
    assert (bound[0], identified) == (value[0], False)
    assert np.isnan(lower_bounds(np.ones((1, 8)), np.full(8, 10.0))[0]).all()


def test_what_hides_nothing_meets_every_floor_exactly() -> None:
    assert lower_bounds(np.zeros((1, 20)), np.arange(1.0, 21))[0][0] == 1


def test_those_held_out_have_no_part_in_a_choice() -> None:
    """Setting 1 is cheap; it hides all of the last three clusters, so only without these is it chosen."""
    whole = np.full((2, 20), 10.0)
    whole[1, -3:] = 0
    cost = np.array([np.full(20, 9.0), np.full(20, 1.0)])
    assert ground(20).choose(cost, whole, 0.95) == 0
    held = np.arange(20) >= 17
    assert ground(20).without(held).choose(cost, whole, 0.95) == 1


@pytest.mark.parametrize(
    ("given", "share"), [("95%", 0.95), (95, 0.95), (0.95, 0.95), ("0.5", 0.5), (1, 1), ("100%", 1)]
)
def test_a_floor_is_what_must_stay_visible(given: object, share: float) -> None:
    assert floor_of(given) == pytest.approx(share)


@pytest.mark.parametrize("given", [0.02, "5%", 0, -1, 101, "much"])
def test_a_loss_is_refused_with_what_it_would_mean(given: object) -> None:
    with pytest.raises(HarnessError, match="evidence"):
        floor_of(given)


def test_it_says_what_a_loss_would_mean() -> None:
    with pytest.raises(HarnessError, match=r"let 98% of them miss something; a loss of at most 2% is written 98%"):
        floor_of("0.02")
