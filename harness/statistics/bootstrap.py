"""Percentile intervals of a mean over units of one weight, and of one over clusters of them.

Efron and Tibshirani, An Introduction to the Bootstrap (1993), 13.3. Resamples are drawn as counts, a batch at a time,
so that memory does not grow with the number of units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from harness.statistics.clusters import Clusters, Floats
from harness.statistics.resampling import RESAMPLES, draws
from harness.statistics.significance import LEVEL, SEED

CELLS = 2**22
"""Counts held at once."""
KEPT = 1000
"""Units up to which the draws are kept for the next interval."""


def mean_intervals(values: Floats) -> NDArray[np.float64]:
    """The 95 % interval of the mean of each row of `values`, (k, n): (k, 2)."""
    return ratio_intervals(values, np.ones(values.shape[1]))


def clustered_intervals(values: Floats, clusters: Sequence[str]) -> NDArray[np.float64]:
    """The same with whole clusters drawn, however many units each has: (k, 2)."""
    groups = Clusters.of(clusters)
    sums = np.array([groups.sums(row) for row in values])
    return ratio_intervals(sums, groups.sums(np.ones(values.shape[1])))


def ratio_intervals(tops: Floats, weights: Floats) -> NDArray[np.float64]:
    """The 95 % interval of Σ top / Σ weight over units, (k, n) and (n,): (k, 2)."""
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    drawn = np.concatenate([counts @ tops.T / (counts @ weights)[:, None] for counts in _draws(len(weights))])
    return np.asarray(np.quantile(drawn, tails, axis=0).T, np.float64)


def _draws(units: int) -> Iterator[Floats]:
    """How often each unit was drawn, batches of (b, units)."""
    if units <= KEPT:
        yield draws(units)
        return
    rng = np.random.default_rng(SEED)
    batch = max(1, CELLS // units)
    for start in range(0, RESAMPLES, batch):
        size = min(batch, RESAMPLES - start)
        drawn = rng.integers(units, size=(size, units)) + units * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units)
        yield counts.astype(np.float64)
