"""The choice of a setting, and what it is worth on transcripts that had no part in it.

minimise the cost subject to evidence visible >= 1 - e, on all clusters but a fold's; report on that fold
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def folds_of(clusters: Sequence[str], folds: int) -> Ints:
    """The fold of every transcript, (T,): whole clusters, dealt out in an order that only their names decide."""
    names = sorted(set(clusters), key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    fold = {name: number % folds for number, name in enumerate(names)}
    return np.array([fold[name] for name in clusters], np.int64)


def mean_share(part: Floats, whole: Floats, among: Mask) -> Floats:
    """Per setting the mean over transcripts of part / whole, (S, T) by (T,), of those in `among` that have any; 1 where
    none has."""
    counted = among & (whole > 0)
    if not counted.any():
        return np.ones(len(part))
    return np.asarray((part[:, counted] / whole[counted]).mean(axis=1), np.float64)


def choose(cost: Floats, evidence: Floats, floor: float) -> int:
    """The cheapest setting with enough evidence, (S,) each; of equals the one that shows more. Where none has enough,
    the one with most."""
    enough = evidence >= floor - 1e-12
    if not enough.any():
        enough = evidence >= evidence.max() - 1e-12
    order = np.lexsort((-evidence, cost))
    return int(next(n for n in order if enough[n]))


def front(cost: Floats, evidence: Floats) -> list[int]:
    """The settings that no other beats in both, cheapest first; of equal ones the first."""
    found: list[int] = []
    best = -np.inf
    for n in np.lexsort((np.arange(len(cost)), -evidence, cost)):
        if evidence[n] > best:
            found.append(int(n))
            best = evidence[n]
    return found


def cross_fitted(cost: Floats, visible: Floats, borne: Floats, fold: Ints, floor: float | None, default: int) -> Ints:
    """The setting for every transcript, (T,), chosen on the clusters of all other folds.

    cost and visible are (S, T), borne (T,). floor: the evidence asked for; `None` for as much as the setting `default`
    leaves on the part that is chosen on.
    """
    chosen = np.empty(len(fold), np.int64)
    for number in np.unique(fold):
        others = fold != number
        evidence = mean_share(visible, borne, others)
        chosen[~others] = choose(
            cost[:, others].sum(axis=1), evidence, float(evidence[default]) if floor is None else floor
        )
    return chosen


def picked(values: Floats, chosen: Ints) -> Floats:
    """Of values (S, T), those of the setting that was chosen for each transcript, (T,)."""
    return np.asarray(values[chosen, np.arange(len(chosen))], np.float64)
