"""Paired comparison of a policy with a reference over the same transcripts.

The unit is the paired difference, the independent unit the cluster (a task or a repository). Two questions, two
answers: the ratio of totals says what the whole corpus would have cost, the mean of per-transcript log ratios what a
typical transcript would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
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
    saving (share of a typical transcript) that a sample like this finds with 80 % power at the 5 % level. `None`
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
    """Compare paired values, (n,) each, with the cluster of every pair; see `compare_all`."""
    return compare_all(np.asarray(values, np.float64)[None, :], reference, clusters)[0]


def compare_all(values: Floats, reference: Sequence[float] | Floats, clusters: Sequence[str]) -> list[Paired]:
    """Compare every row of `values`, (policies, n), with `reference`, (n,).

    Bootstrap over clusters, percentile (BCa covers worse on heavy-tailed totals); cluster-robust OLS on log ratios with
    t(G-1); sign-flip permutation over cluster differences. All rows share the resamples and the flips.
    """
    b = np.asarray(reference, np.float64)
    names, member = _members(clusters)
    groups = len(names)
    found = [_settled(a, b, groups) for a in values]
    rest = [i for i, paired in enumerate(found) if paired.why == _OPEN]
    if rest:
        sums = np.array([_sums(member, values[i], groups) for i in rest])
        base = _sums(member, b, groups)
        intervals = _bootstrap_ratios(sums, base)
        ps = sign_flips(sums - base)
        for i, interval, p in zip(rest, intervals, ps, strict=True):
            logs, both = _log_ratios(values[i], b)
            typical_interval, detectable = _robust(logs, member[both])
            found[i] = replace(
                found[i], interval=interval, typical_interval=typical_interval, p=p, detectable=detectable, why=""
            )
    return found


_OPEN = "to be resampled"


def _settled(a: Floats, b: Floats, groups: int) -> Paired:
    """What needs no resampling; `why` is `_OPEN` if the rest does."""
    total, base = float(a.sum()), float(b.sum())
    ratio = total / base if base else None
    logs, _ = _log_ratios(a, b)
    typical = float(np.exp(logs.mean())) if logs.size else None
    known = Paired(len(a), groups, total, base, ratio, None, typical, None, None, None, False, _OPEN)
    if ratio is None:
        return replace(known, why="the reference is zero")
    constant = np.allclose(a, b * ratio, rtol=1e-12, atol=0)
    if constant and (ratio == 1 or groups >= FEWEST_CLUSTERS):
        edge, p = (ratio, ratio), 1.0 if ratio == 1 else None
        return replace(known, interval=edge, typical_interval=edge, p=p, exact=True, why="constant: exact")
    if groups < FEWEST_CLUSTERS:
        return replace(known, why=f"{groups} cluster{'s' * (groups != 1)}, fewer than {FEWEST_CLUSTERS}: no interval")
    return known


def _log_ratios(a: Floats, b: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    both = (a > 0) & (b > 0)
    return np.log(a[both] / b[both]), both


def _members(clusters: Sequence[str]) -> tuple[NDArray[np.str_], NDArray[np.int64]]:
    names, member = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    return names, member


def _sums(member: NDArray[np.int64], values: Floats, groups: int) -> Floats:
    return np.bincount(member, values, groups).astype(np.float64)


def _bootstrap_ratios(a: Floats, b: Floats) -> list[Interval]:
    """Intervals of the ratios of totals: rows of `a`, (k, groups), over `b`, (groups,).

    What is resampled is the clusters' numbers; how often each was drawn weighs its sums.
    """
    groups = len(b)

    def ratios(drawn: NDArray[np.int64], axis: int) -> Floats:
        places = drawn + groups * np.arange(len(drawn))[:, None]
        weights = np.bincount(places.ravel(), minlength=drawn.size).reshape(drawn.shape).T.astype(np.float64)
        return np.asarray((a @ weights) / (b @ weights))

    found = stats.bootstrap(
        (np.arange(groups),),
        ratios,
        vectorized=True,
        method="percentile",
        n_resamples=RESAMPLES,
        batch=1 + 2**21 // groups,
        confidence_level=LEVEL,
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return [(float(low), float(high)) for low, high in np.column_stack([found.low, found.high])]


def _robust(logs: Floats, member: NDArray[np.int64]) -> tuple[Interval | None, float | None]:
    groups = len(np.unique(member))
    if groups < FEWEST_CLUSTERS:
        return None, None
    fit = sm.OLS(logs, np.ones_like(logs)).fit(cov_type="cluster", cov_kwds={"groups": member}, use_t=True)
    low, high = fit.conf_int(alpha=1 - LEVEL)[0]
    quantiles = stats.t.ppf(0.5 + LEVEL / 2, groups - 1) + stats.t.ppf(POWER, groups - 1)
    return (math.exp(low), math.exp(high)), -math.expm1(-float(quantiles * fit.bse[0]))


def sign_flip(differences: Sequence[float] | Floats) -> float:
    """Two-sided p of the mean of independent differences being zero, by flipping signs; see `sign_flips`."""
    return sign_flips(np.asarray(differences, np.float64)[None, :])[0]


def sign_flips(differences: Floats) -> list[float]:
    """`sign_flip` of every row of `differences`, (k, groups), with the same flips: exact for few, sampled for many."""
    groups = differences.shape[1]
    found = stats.permutation_test(
        (np.ones(groups), np.zeros(groups)),
        lambda x, y, axis: (x - y) @ differences.T,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=1 + 2**21 // groups,
        rng=np.random.default_rng(SEED),
    ).pvalue
    return [float(p) if row.any() else 1.0 for p, row in zip(found, differences, strict=True)]


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


def means_with_intervals(
    values: Floats, clusters: Sequence[str], untouched: float | None = 0.0
) -> list[tuple[float | None, Interval | None]]:
    """Per row of `values`, (k, n), the mean of per-transcript values, such as a share, and its percentile bootstrap
    over clusters. Constant values are not resampled: from 8 clusters on they are their own interval; under that only if
    they are `untouched`, what a policy has that changes nothing (0 for a difference, 1 for a share that is visible,
    None for what has no such value).
    """
    if not values.shape[1]:
        return [(None, None)] * len(values)
    names, member = _members(clusters)
    groups = len(names)
    means = values.mean(axis=1)
    found: list[tuple[float | None, Interval | None]] = [
        (float(x[0]), (float(x[0]), float(x[0])))
        if np.ptp(x) == 0 and (groups >= FEWEST_CLUSTERS or x[0] == untouched)
        else (float(mean), None)
        for x, mean in zip(values, means, strict=True)
    ]
    rest = [i for i, (_, interval) in enumerate(found) if interval is None]
    if rest and groups >= FEWEST_CLUSTERS:
        sums = np.array([_sums(member, values[i], groups) for i in rest])
        intervals = _bootstrap_ratios(sums, np.bincount(member, minlength=groups).astype(np.float64))
        for i, interval in zip(rest, intervals, strict=True):
            found[i] = (found[i][0], interval)
    return found


def mean_with_interval(
    values: Sequence[float] | Floats, clusters: Sequence[str], untouched: float | None = 0.0
) -> tuple[float | None, Interval | None]:
    """The mean of per-transcript values, (n,), with its interval; see `means_with_intervals`."""
    return means_with_intervals(np.asarray(values, np.float64)[None, :], clusters, untouched)[0]
