"""Tests and their reach: sign flips over clusters, corrections for many of them, the least effect that one finds.

What takes a second to import is imported where it is called: a corpus of one session never asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Interval = tuple[float, float]
Met = Literal["met", "not shown", "missed"]

LEVEL = 0.95
POWER = 0.8
SEED = 20260101
FLIPS = 4999
FEWEST_UNITS = 8
"""Independent units, of one weight each and nearly normal, below which a t interval of their mean says too little."""


def sign_flip(differences: Sequence[float] | Floats) -> float:
    """Two-sided p of the mean of independent differences being zero, by flipping signs; see `sign_flips`."""
    return sign_flips(np.asarray(differences, np.float64)[None, :])[0]


def sign_flips(differences: Floats) -> list[float]:
    """`sign_flip` of every row of `differences`, (k, groups), with the same flips: exact for few, sampled for many."""
    from scipy.stats import permutation_test

    groups = differences.shape[1]
    found = permutation_test(
        (np.ones(groups), np.zeros(groups)),
        lambda x, y, axis: (x - y) @ differences.T,
        permutation_type="samples",
        vectorized=True,
        n_resamples=FLIPS,
        batch=1 + 2**21 // groups,
        rng=np.random.default_rng(SEED),
    ).pvalue
    return [float(p) if row.any() else 1.0 for p, row in zip(found, differences, strict=True)]


def corrected(ps: Sequence[float | None], method: str) -> list[float | None]:
    """p-values corrected over a family: `holm` for the figures of a gate, `fdr_bh` for exploratory tables."""
    known = [i for i, p in enumerate(ps) if p is not None]
    if all(ps[i] == 1 for i in known):
        return list(ps)
    from statsmodels.stats.multitest import multipletests

    out: list[float | None] = [None] * len(ps)
    adjusted = multipletests([ps[i] for i in known], method=method)[1]
    for i, p in zip(known, adjusted, strict=True):
        out[i] = float(p)
    return out


def level_z(family: int = 1) -> float:
    """How many standard errors an interval at the level reaches to one side; for tests that share it, of each."""
    from scipy.special import ndtri

    return float(ndtri(1 - (1 - LEVEL) / (2 * family)))


def power_z() -> float:
    """How many standard errors beyond what a test calls significant an effect lies that it finds with the power."""
    from scipy.special import ndtri

    return float(ndtri(POWER))


def detectable_z() -> float:
    """How many standard errors the least effect measures that one test finds with the power at the level."""
    return level_z() + power_z()


def least_detectable(error: float, effective: float, family: int = 1, margin: float = 0.0) -> float | None:
    """The smallest effect that 80 % of samples like this one call significant and larger than the margin.

    error: standard error of the figure, from its influence values. effective: clusters that carry it. family: tests
    that share the 5 % level, each held to its part of it. By normal approximation, solved for an effect in proportion
    to the clusters' weights, which widens what flipped signs can reach by chance: δ = a √(error² + δ²/effective) +
    b error. None where no effect is large enough.
    """
    a, b = level_z(family), power_z()
    room = 1 - a * a / effective
    if error <= 0 or room <= 0:
        return None
    found = error * (b + a * math.sqrt(1 + (b * b - a * a) / effective)) / room
    return max(found, margin + b * error)


def at_least(interval: Interval | None, asked: float) -> Met:
    """Non-inferiority against what was asked for, where more is better."""
    if interval is None:
        return "not shown"
    return "met" if interval[0] >= asked else "missed" if interval[1] < asked else "not shown"


def at_most(interval: Interval | None, asked: float) -> Met:
    """The same where less is better."""
    if interval is None:
        return "not shown"
    return "met" if interval[1] <= asked else "missed" if interval[0] > asked else "not shown"
