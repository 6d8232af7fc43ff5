"""A figure over a corpus, under one of two weightings, with what its interval speaks of.

*The bill* is a ratio of sums: what the corpus as a whole comes to. *Typical* is a mean over clusters of the cluster's
mean: what one may expect of the next one. Both are written as a change over a base (a ratio is 1 + Σ(a - b) / Σb, a
share visible is 1 - Σ hidden / Σ all), so that a policy which changes nothing has no change anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from harness.statistics.clusters import Clusters, Floats, effective
from harness.statistics.resampling import ENOUGH, ENOUGH_CHANGED, calibrated, fixed
from harness.statistics.significance import LEVEL, Interval, least_detectable, sign_flips

Weighting = Literal["bill", "typical"]


@dataclass(frozen=True)
class Estimate:
    """value: base + change. clusters, effective: in the denominator (1 each for *typical*). fixed: clusters that the
    interval takes as they are; it says what others like the rest would give. p: sign flips over the rest, against no
    change. error: standard error of the change, by influence values. without: the figure without the two clusters
    whose absence changes it most (of a total only). exact: nothing varies, so nothing was resampled. `None` where it
    is not identified; `why` says for what reason."""

    weighting: Weighting
    value: float | None
    clusters: int
    effective: float
    interval: Interval | None = None
    p: float | None = None
    error: float | None = None
    carrying: float = 0.0
    fixed: tuple[str, ...] = ()
    without: tuple[tuple[str, float], ...] = ()
    exact: bool = False
    why: str = ""

    def detectable(self, family: int = 1, margin: float = 0.0) -> float | None:
        """The least detectable change; see `least_detectable`."""
        return None if self.error is None else least_detectable(self.error, self.carrying, family, margin)

    @property
    def rest(self) -> int:
        """Clusters that were resampled."""
        return self.clusters - len(self.fixed)

    def through(self, scale: Callable[[float], float]) -> Estimate:
        """The figure on another scale, which must be increasing; tests and errors stay on the old one."""
        return replace(
            self,
            value=None if self.value is None else scale(self.value),
            interval=self.interval and (scale(self.interval[0]), scale(self.interval[1])),
            without=tuple((name, scale(value)) for name, value in self.without),
        )

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def pooled(change: Floats, weight: Floats, clusters: Sequence[str], base: float = 0.0) -> list[Estimate]:
    """*The bill*: base + Σ change / Σ weight, for every row of `change`, (k, n), with `weight`, (n,)."""
    groups = Clusters.of(clusters)
    sizes = groups.sums(weight)
    return [
        found.through(lambda x: base + x)
        for found in _estimates(
            "bill", np.array([groups.sums(row) for row in change]).reshape(len(change), groups.count), sizes, groups
        )
    ]


def typical(values: Floats, clusters: Sequence[str], base: float = 0.0) -> list[Estimate]:
    """*Typical*: base + the mean over clusters of the cluster's mean, for every row of `values`, (k, n)."""
    groups = Clusters.of(clusters)
    members = groups.sums(np.ones(values.shape[1]))
    means = np.array([groups.sums(row) for row in values]).reshape(len(values), groups.count) / np.maximum(members, 1)
    return [found.through(lambda x: base + x) for found in _estimates("typical", means, np.ones(groups.count), groups)]


def _estimates(weighting: Weighting, change: Floats, weight: Floats, groups: Clusters) -> list[Estimate]:
    """change: (k, G); weight: (G,)."""
    known, flipped = [], np.zeros_like(change)
    for n, row in enumerate(change):
        found = Estimate(weighting, None, groups.count, effective(weight))
        if not weight.sum():
            known.append(replace(found, why="nothing to divide by"))
            continue
        value = float(row.sum() / weight.sum())
        found = replace(found, value=value, why="-")
        if not row.any():
            known.append(replace(found, interval=(0.0, 0.0), p=1.0, exact=True, why="nothing changes: exact"))
        elif groups.count >= ENOUGH and np.allclose(row, value * weight, rtol=1e-12, atol=0):
            known.append(replace(found, interval=(value, value), exact=True, why="constant: exact"))
        else:
            found = replace(found, without=_without(row, weight, groups) if weighting == "bill" else ())
            found, flipped[n] = _resampled(found, row, weight, groups)
            known.append(found)
    tested = [n for n, found in enumerate(known) if found.interval and not found.exact]
    if tested:
        for n, p in zip(tested, sign_flips(flipped[tested]), strict=True):
            known[n] = replace(known[n], p=p)
    return known


def _resampled(found: Estimate, change: Floats, weight: Floats, groups: Clusters) -> tuple[Estimate, Floats]:
    """The estimate with its interval, and the differences whose signs are flipped: those of the rest, to which the
    fixed clusters' change is added in proportion, so that the test is of the figure itself."""
    held = fixed(change, weight)
    if found.weighting == "typical" and held is not None and held.any():
        held = None
    if held is None:
        return replace(found, why=_too_few(change, weight)), change
    rest = ~held
    value = change.sum() / weight.sum()
    influence = np.where(rest, change - value * weight, 0) / weight.sum()
    spread = influence[rest] - influence[rest].mean()
    error = math.sqrt(float((spread**2).sum()) * rest.sum() / (rest.sum() - 1))
    if found.weighting == "typical":
        from scipy.special import stdtrit

        half = error * float(stdtrit(groups.count - 1, 0.5 + LEVEL / 2))
        interval = (float(value - half), float(value + half))
    else:
        interval = calibrated(change, weight, held)
    differences = np.where(rest, change + change[held].sum() * weight / weight[rest].sum(), 0)
    found = replace(
        found,
        interval=interval,
        error=error,
        carrying=effective(weight[rest]),
        fixed=tuple(str(name) for name in groups.names[held]),
        why="",
    )
    return found, differences


def _too_few(change: Floats, weight: Floats) -> str:
    if len(weight) < ENOUGH:
        return f"{len(weight)} cluster{'s' * (len(weight) != 1)}, fewer than {ENOUGH}"
    if fixed(weight, weight) is None:
        return f"{len(weight)} clusters, {effective(weight):.1f} effective, and no rest of them has {ENOUGH}"
    changed = effective(np.abs(change))
    return f"the change lies in {changed:.1f} effective clusters, and no rest of them has {ENOUGH_CHANGED}"


def _without(change: Floats, weight: Floats, groups: Clusters) -> tuple[tuple[str, float], ...]:
    """The figure without each of the two clusters whose absence changes it most."""
    if groups.count < 3:
        return ()
    left = weight.sum() - weight
    ratios = np.divide(change.sum() - change, left, out=np.full(len(weight), np.nan), where=left > 0)
    moved = np.nan_to_num(np.abs(ratios - change.sum() / weight.sum()))
    most = np.argsort(-moved, kind="stable")[:2]
    return tuple((str(groups.names[i]), float(ratios[i])) for i in most if moved[i] > 0)
