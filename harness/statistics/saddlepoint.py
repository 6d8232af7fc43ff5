"""The distribution of a bootstrap's sum without drawing it: Lugannani and Rice's saddlepoint approximation.

Its use in place of a second level of resampling: Davison and Hinkley, Bootstrap Methods and their Application (1997),
9.5. With a few dozen clusters it agrees with a million draws to a few parts in a thousand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEPS = 60
NEAR = 1e-2
"""Where the saddlepoint is so close to the mean that the formula divides by about nothing."""


def sum_at_most(shares: Floats, values: Floats, draws: int, total: float) -> Floats:
    """P(the sum of `draws` values ≤ total), (B,), each drawn with the shares of a row of `shares`, (B, m), from
    `values`, (m,)."""
    scale = float(np.abs(values - total / draws).max()) or 1.0
    z = (values - total / draws) / scale
    both = (shares[:, z > 0].sum(axis=1) > 0) & (shares[:, z < 0].sum(axis=1) > 0)
    found = np.where(shares @ z > 0, 0.0, 1.0)
    found[both] = _lugannani_rice(shares[both], z, draws)
    return found


def _lugannani_rice(shares: Floats, z: Floats, draws: int) -> Floats:
    """P(mean ≤ 0) of rows whose values lie on both sides of 0, scaled to at most 1 from it."""
    tilt = np.zeros(len(shares))
    for _ in range(STEPS):
        _, slope, curve = _cumulants(shares, z, tilt)
        step = np.clip(slope / np.maximum(curve, 1e-12), -2 - np.abs(tilt), 2 + np.abs(tilt))
        tilt = np.clip(tilt - step, -500, 500)
        if np.abs(step).max(initial=0.0) < 1e-6:
            break
    value, _, curve = _cumulants(shares, z, tilt)
    root = np.sign(tilt) * np.sqrt(np.maximum(-2 * draws * value, 0))
    scaled = tilt * np.sqrt(draws * np.maximum(curve, 1e-300))
    near = (np.abs(root) < NEAR) | (scaled == 0)
    correction = np.zeros(len(root))
    np.divide(1, root, out=correction, where=~near)
    correction[~near] -= 1 / scaled[~near]
    found = _normal(root) + _density(root) * correction
    return np.clip(np.where(near, _edgeworth(shares, z, draws), found), 0, 1)


def _cumulants(shares: Floats, z: Floats, tilt: Floats) -> tuple[Floats, Floats, Floats]:
    """The cumulant generating function at `tilt`, its slope and its curvature."""
    highest = np.where(tilt > 0, tilt * z.max(), tilt * z.min())
    weights = shares * np.exp(tilt[:, None] * z - highest[:, None])
    mass = weights.sum(axis=1)
    slope = (weights @ z) / mass
    return np.log(mass) + highest, slope, (weights @ (z * z)) / mass - slope**2


def _edgeworth(shares: Floats, z: Floats, draws: int) -> Floats:
    """The same by the first Edgeworth correction, which is best where the other fails."""
    mean = shares @ z
    centred = z - mean[:, None]
    variance = np.maximum((shares * centred**2).sum(axis=1), 1e-300)
    skew = (shares * centred**3).sum(axis=1) / variance**1.5 / np.sqrt(draws)
    x = -mean * np.sqrt(draws / variance)
    return np.asarray(_normal(x) - _density(x) * skew / 6 * (x**2 - 1), np.float64)


def _normal(x: Floats) -> Floats:
    """The normal distribution. Of SciPy it is the quick part; `scipy.stats` takes a second to import."""
    from scipy.special import ndtr

    return np.asarray(ndtr(x), np.float64)


def _density(x: Floats) -> Floats:
    return np.asarray(np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), np.float64)
