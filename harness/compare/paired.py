"""Paired comparison of a policy with a reference over the same transcripts.

The unit is the paired difference, the independent unit the cluster (a task or a repository). Two questions, two
answers: the ratio of totals says what the whole corpus would have cost, the mean of per-transcript log ratios what a
typical transcript would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests

FEWEST_CLUSTERS = 8
RESAMPLES = 4999
LEVEL = 0.95
POWER = 0.8
SEED = 20260101

Floats = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Paired:
    """One comparison.

    n: transcripts. clusters: independent units among them. ratio: sum over the policy / sum over the reference;
    `interval` is its percentile bootstrap over clusters. typical: exp of the mean log ratio per transcript;
    `typical_interval` from a cluster-robust t. p: two-sided sign-flip test over clusters. detectable: the smallest
    relative change of a typical transcript that a sample like this finds with 80 % power at the 5 % level. `None`
    where it is not identified; `why` says for what reason. exact: every pair of at least 8 clusters has the same
    ratio, or all are equal, so nothing was resampled.
    """

    n: int
    clusters: int
    total: float
    reference: float
    ratio: float | None
    interval: Interval | None
    typical: float | None
    typical_interval: Interval | None
    p: float | None
    detectable: float | None
    exact: bool
    why: str = ""

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def compare(values: Sequence[float] | Floats, reference: Sequence[float] | Floats, clusters: Sequence[str]) -> Paired:
    """Compare paired values, (n,) each, with the cluster of every pair.

    Bootstrap over clusters, percentile (BCa covers worse on heavy-tailed totals); cluster-robust OLS on log ratios with
    t(G-1); sign-flip permutation over cluster differences.
    """
    a, b = np.asarray(values, np.float64), np.asarray(reference, np.float64)
    names, member = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    groups = len(names)
    total, base = float(a.sum()), float(b.sum())
    ratio = total / base if base else None
    both = (a > 0) & (b > 0)
    logs = np.log(a[both] / b[both])
    typical = float(np.exp(logs.mean())) if logs.size else None
    head = (len(a), groups, total, base, ratio)
    if ratio is None:
        return Paired(*head, None, typical, None, None, None, False, "the reference is zero")
    constant = np.allclose(a, b * ratio, rtol=1e-12, atol=0)
    if constant and (ratio == 1 or groups >= FEWEST_CLUSTERS):
        edge = (ratio, ratio)
        return Paired(*head, edge, typical, edge, 1.0 if ratio == 1 else None, None, True, "constant: exact")
    if groups < FEWEST_CLUSTERS:
        why = f"{groups} clusters, fewer than {FEWEST_CLUSTERS}: no interval"
        return Paired(*head, None, typical, None, None, None, False, why)
    sums_a, sums_b = _sums(member, a, groups), _sums(member, b, groups)
    typical_interval, detectable = _robust(logs, member[both])
    return Paired(
        *head,
        _bootstrap_ratio(sums_a, sums_b),
        typical,
        typical_interval,
        sign_flip(sums_a - sums_b),
        detectable,
        False,
    )


def _sums(member: NDArray[np.int64], values: Floats, groups: int) -> Floats:
    return np.bincount(member, values, groups).astype(np.float64)


def _bootstrap_ratio(a: Floats, b: Floats) -> Interval:
    def ratio(x: Floats, y: Floats, axis: int) -> Floats:
        return np.asarray(x.sum(axis=axis) / y.sum(axis=axis))

    found = stats.bootstrap(
        (a, b),
        ratio,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=RESAMPLES,
        confidence_level=LEVEL,
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)


def _robust(logs: Floats, member: NDArray[np.int64]) -> tuple[Interval | None, float | None]:
    groups = len(np.unique(member))
    if groups < FEWEST_CLUSTERS:
        return None, None
    fit = sm.OLS(logs, np.ones_like(logs)).fit(cov_type="cluster", cov_kwds={"groups": member}, use_t=True)
    low, high = fit.conf_int(alpha=1 - LEVEL)[0]
    quantiles = stats.t.ppf(0.5 + LEVEL / 2, groups - 1) + stats.t.ppf(POWER, groups - 1)
    return (math.exp(low), math.exp(high)), math.expm1(float(quantiles * fit.bse[0]))


def sign_flip(differences: Sequence[float] | Floats) -> float:
    """Two-sided p of the mean of independent differences being zero, by flipping signs (exact for few, sampled for
    many)."""
    d = np.asarray(differences, np.float64)
    if not d.any():
        return 1.0
    found = stats.permutation_test(
        (d, np.zeros_like(d)),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(SEED),
    )
    return float(found.pvalue)


def corrected(ps: Sequence[float | None], method: str) -> list[float | None]:
    """p-values corrected over a family: `holm` for the figures of a gate, `fdr_bh` for exploratory tables."""
    known = [i for i, p in enumerate(ps) if p is not None]
    out: list[float | None] = [None] * len(ps)
    if known:
        adjusted = multipletests([ps[i] for i in known], method=method)[1]
        for i, p in zip(known, adjusted, strict=True):
            out[i] = float(p)
    return out


def not_worse(found: Paired, margin: float) -> bool | None:
    """Non-inferiority: whether the interval of the ratio ends below 1 + margin. `None` where there is no interval."""
    return None if found.interval is None else found.interval[1] < 1 + margin


def mean_with_interval(
    values: Sequence[float] | Floats, clusters: Sequence[str]
) -> tuple[float | None, Interval | None]:
    """The mean of per-transcript values, such as a share, and its percentile bootstrap over clusters."""
    x = np.asarray(values, np.float64)
    if not x.size:
        return None, None
    names, member = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    groups = len(names)
    if np.ptp(x) == 0:
        return float(x[0]), (float(x[0]), float(x[0]))
    if groups < FEWEST_CLUSTERS:
        return float(x.mean()), None
    return float(x.mean()), _bootstrap_ratio(_sums(member, x, groups), _sums(member, np.ones_like(x), groups))
