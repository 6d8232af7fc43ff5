"""The choice, and that what is reported had no part in it."""

from __future__ import annotations

import numpy as np

from harness.tune.choose import choose, cross_fitted, folds_of, front, mean_share, picked

COST = np.array([9.0, 2, 2, 5, 7])
EVIDENCE = np.array([1.0, 0.5, 0.6, 0.9, 0.9])


def test_the_cheapest_with_enough_evidence() -> None:
    assert choose(COST, EVIDENCE, 0.9) == 3
    assert choose(COST, EVIDENCE, 0.55) == 2
    assert choose(COST, EVIDENCE, 0.3) == 2
    assert choose(COST, EVIDENCE[:4].max() - np.array([0.1, 0.2, 0.1, 0.3, 0.4]), 1) == 2


def test_the_front_has_no_setting_that_another_beats() -> None:
    assert front(COST, EVIDENCE) == [2, 3, 0]


def test_means_are_over_transcripts_that_bear_any() -> None:
    part, whole = np.array([[1.0, 0, 6], [2, 0, 0]]), np.array([2.0, 0, 6])
    assert mean_share(part, whole, np.ones(3, bool)).tolist() == [0.75, 0.5]
    assert mean_share(part, whole, np.array([False, True, False])).tolist() == [1, 1]


def test_folds_keep_clusters_together_and_are_of_equal_size() -> None:
    clusters = [f"c{n % 10}" for n in range(40)]
    fold = folds_of(clusters, 5)
    assert [len({c for c, f in zip(clusters, fold, strict=True) if f == k}) for k in range(5)] == [2] * 5
    assert all(len({int(f) for c, f in zip(clusters, fold, strict=True) if c == name}) == 1 for name in clusters)
    assert folds_of(clusters[::-1], 5).tolist() == fold[::-1].tolist()


def test_a_fold_does_not_see_itself() -> None:
    """Setting 1 is cheap; it hides all evidence of the last cluster, so only the others choose it there."""
    clusters = ["a", "b", "c", "d"]
    fold = folds_of(clusters, 4)
    cost = np.array([[9.0] * 4, [1.0] * 4])
    visible = np.array([[5.0] * 4, [5, 5, 5, 0]])
    chosen = cross_fitted(cost, visible, np.full(4, 5.0), fold, 0.99, 0)
    assert chosen.tolist() == [0, 0, 0, 1]
    assert picked(visible, chosen).tolist() == [5, 5, 5, 0]
    assert cross_fitted(cost, visible, np.full(4, 5.0), fold, None, 1).tolist() == [1, 1, 1, 1]
