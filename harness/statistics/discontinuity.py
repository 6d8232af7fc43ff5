"""The jump of an outcome at a limit, and whether the sizes themselves jump there.

The interval is robust and bias-corrected (Calonico, Cattaneo and Titiunik 2014): with one bandwidth for the estimate
and for its bias, the bias-corrected local linear jump is the local quadratic one (their remark 7). Triangular weights;
the bandwidth is that of Imbens and Kalyanaraman (2012); errors are by clusters, with t quantiles over them. The density
test is McCrary's (2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
LEVEL = 0.95


@dataclass(frozen=True)
class Jump:
    """value: the bias-corrected jump from below to above. interval: 95 %, p: against none. bandwidth: in units of x.
    below, above: results, and clusters_below, clusters_above: clusters within it."""

    value: float
    interval: tuple[float, float]
    p: float
    bandwidth: float
    below: int
    above: int
    clusters_below: int
    clusters_above: int


def jump(x: Floats, y: Floats, clusters: Sequence[str], bandwidth: float | None = None) -> Jump | None:
    """The jump of y where x passes 0, (n,) each; `None` where a side has too little to fit a curve."""
    h = bandwidth or optimal_bandwidth(x, y)
    if h is None:
        return None
    near = np.abs(x) < h
    if min((near & (x < 0)).sum(), (near & (x >= 0)).sum()) < 8:
        return None
    x, y = x[near], y[near]
    names = np.unique(np.asarray(clusters, dtype=object)[near].astype(str), return_inverse=True)[1]
    above = (x >= 0).astype(float)
    design = np.column_stack([np.ones_like(x), above, x, x * above, x**2, x**2 * above])
    found = clustered(design, y, 1 - np.abs(x) / h, names)
    if found is None:
        return None
    value, error, groups = found[0][1], found[1][1], found[2]
    reach = float(stats.t.ppf((1 + LEVEL) / 2, groups - 1)) * error
    p = 2 * float(stats.t.sf(abs(value) / error, groups - 1)) if error > 0 else float(value == 0)
    sides = [(int(side.sum()), len(np.unique(names[side]))) for side in (above == 0, above == 1)]
    return Jump(value, (value - reach, value + reach), p, h, sides[0][0], sides[1][0], sides[0][1], sides[1][1])


def clustered(
    design: Floats, y: Floats, weight: Floats, groups: NDArray[np.int64]
) -> tuple[Floats, Floats, int] | None:
    """Weighted least squares: coefficients, their errors by clusters (CR1), and how many clusters there are."""
    import statsmodels.api as sm

    count = len(np.unique(groups))
    if count < 3 or np.linalg.matrix_rank(design * np.sqrt(weight)[:, None]) < design.shape[1]:
        return None
    fit = sm.WLS(y, design, weights=weight).fit(cov_type="cluster", cov_kwds={"groups": groups})
    return np.asarray(fit.params), np.asarray(fit.bse), count


def optimal_bandwidth(x: Floats, y: Floats) -> float | None:
    """The bandwidth of Imbens and Kalyanaraman (2012) for triangular weights; `None` where it cannot be told."""
    below, above = x < 0, x >= 0
    n, sizes = len(x), (int(below.sum()), int(above.sum()))
    spread = float(np.std(x))
    if min(sizes) < 20 or spread == 0:
        return None
    pilot = 1.84 * spread * math.pow(n, -0.2)
    inside = [side & (np.abs(x) < pilot) for side in (below, above)]
    if min(int(i.sum()) for i in inside) < 5:
        return None
    density = float(sum(int(i.sum()) for i in inside)) / (2 * n * pilot)
    noise = [float(np.var(y[i], ddof=1)) for i in inside]
    if sum(noise) == 0:
        return pilot
    middle = (x >= np.median(x[below])) & (x <= np.median(x[above]))
    cubic = np.column_stack([np.ones_like(x), x >= 0, x, x**2, x**3])[middle].astype(float)
    third = 6 * float(np.linalg.lstsq(cubic, y[middle], rcond=None)[0][4])
    curvature, penalty = [], 0.0
    for side, size, variance in zip((below, above), sizes, noise, strict=True):
        h = 3.56 * (max(variance, 1e-12) / (density * max(third**2, 1e-3))) ** (1 / 7) * size ** (-1 / 7)
        own = side & (np.abs(x) < h)
        if own.sum() < 10:
            own, h = side, float(np.abs(x[side]).max())
        fit = np.linalg.lstsq(np.column_stack([np.ones(own.sum()), x[own], x[own] ** 2]), y[own], rcond=None)[0]
        curvature.append(2 * float(fit[2]))
        penalty += 2160 * variance / (int(own.sum()) * h**4)
    bend = (curvature[1] - curvature[0]) ** 2 + penalty
    return 3.4375 * math.pow(sum(noise) / (density * bend * n), 0.2) if bend > 0 else pilot


def density_jump(x: Floats) -> float | None:
    """p of no jump of the density of x at 0 (McCrary 2008); `None` where a side has under 20 values."""
    n, spread = len(x), float(np.std(x))
    if min((x < 0).sum(), (x >= 0).sum()) < 20 or spread == 0:
        return None
    width = 2 * spread / math.sqrt(n)
    h = min(0.5 * spread, 0.9 * float(np.abs(x).max()))
    low, high = math.floor(-h / width), math.ceil(h / width)
    edges = np.arange(low, high + 1) * width
    counts = np.histogram(x, edges)[0] / (n * width)
    at = (edges[:-1] + edges[1:]) / 2
    heights = []
    for side in (at < 0, at > 0):
        weight = np.sqrt(np.clip(1 - np.abs(at[side]) / h, 0, None))
        design = np.column_stack([np.ones(side.sum()), at[side]])
        heights.append(float(np.linalg.lstsq(design * weight[:, None], counts[side] * weight, rcond=None)[0][0]))
    if min(heights) <= 0:
        return 0.0
    error = math.sqrt(24 / 5 / (n * h) * (1 / heights[0] + 1 / heights[1]))
    return 2 * float(stats.norm.sf(abs(math.log(heights[1] / heights[0])) / error))
