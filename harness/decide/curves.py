"""Two families over their budgets, as arrays, and the gap between them at equal cost.

The gap is what A shows at a budget, less what B shows at the budget at which it costs as much; B's budget is found anew
in every resample, between neighbouring budgets in a straight line. On the bill cost and evidence are sums; typical they
are means over clusters, of log ratios and of shares.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from harness.statistics.bounds import held_by_weight
from harness.statistics.clusters import Clusters, effective
from harness.statistics.resampling import ENOUGH
from harness.statistics.significance import LEVEL, SEED, Interval

Floats = NDArray[np.float64]
Weighting = Literal["bill", "typical"]
WEIGHTINGS: tuple[Weighting, ...] = ("bill", "typical")
DRAWS = 1999
TOO_CHEAP = "B has no budget that costs so little"


@dataclass(frozen=True)
class Ground:
    """T transcripts. clusters: (T,). bearing: (T,) requests with dependencies. identity: (T,) the cost of doing
    nothing."""

    clusters: Clusters
    bearing: Floats
    identity: Floats


@dataclass(frozen=True)
class Curve:
    """A family over P budgets. cost, hidden: (T, P) what is paid, and requests that miss something."""

    cost: Floats
    hidden: Floats

    def only(self, at: int) -> Curve:
        return Curve(self.cost[:, [at]], self.hidden[:, [at]])


@dataclass(frozen=True)
class Gap:
    """A's share less B's at equal cost. interval: None where there is none, and why. budget: where B costs as much,
    as a place between its budgets (3.5 lies between the fourth and the fifth); seen: what A shows there."""

    weighting: Weighting
    value: float | None
    interval: Interval | None
    why: str
    seen: float | None
    other: float | None
    budget: float | None
    clusters: int

    def is_above(self, floor: float = 0.0) -> bool:
        return self.interval is not None and self.interval[0] > floor

    def is_below(self, ceiling: float = 0.0) -> bool:
        return self.interval is not None and self.interval[1] < ceiling

    def is_within(self, margin: float) -> bool:
        return self.interval is not None and -margin < self.interval[0] and self.interval[1] < margin


@dataclass(frozen=True)
class Summed:
    """A curve by clusters, so that any draw of them is a product: what is averaged for cost and for evidence, (G, P),
    and their weights, (G,)."""

    cost: Floats
    hidden: Floats
    cost_weight: Floats
    weight: Floats

    def at(self, drawn: Floats) -> tuple[Floats, Floats]:
        """Cost and share visible, (N, P), of draws, (N, G)."""
        cost = (drawn @ self.cost) / (drawn @ self.cost_weight)[:, None]
        return cost, 1 - (drawn @ self.hidden) / (drawn @ self.weight)[:, None]


@dataclass(frozen=True)
class Pair:
    """Two families over the same transcripts."""

    ground: Ground
    a: Curve
    b: Curve

    def gap(self, weighting: Weighting, at: int, level: float = LEVEL) -> Gap:
        """At a budget of A."""
        one, other = self.summed(weighting, self.a.only(at)), self.summed(weighting, self.b)
        value, seen, shown, budget = _gap(one, other, np.ones((1, len(one.weight))))
        clusters = int((one.weight > 0).sum())
        if math.isnan(value[0]):
            return Gap(
                weighting, None, None, "B has no budget that costs so little", float(seen[0]), None, None, clusters
            )
        found = Gap(weighting, float(value[0]), None, "", float(seen[0]), float(shown[0]), float(budget[0]), clusters)
        interval, why = self._interval(one, other, weighting, float(value[0]), level)
        return Gap(**{**vars(found), "interval": interval, "why": why})

    def sideways(self, weighting: Weighting, at: int) -> tuple[float | None, Interval | None]:
        """At equal evidence: B's cost over A's, where B shows as much."""
        one, other = self.summed(weighting, self.a.only(at)), self.summed(weighting, self.b)
        whole = _ratio(one, other, np.ones((1, len(one.weight))), weighting)[0]
        if not math.isfinite(whole):
            return None, None
        gap = self.gap(weighting, at)
        if gap.interval is None or gap.budget is None:
            return float(whole), None
        held = self._held(one, weighting)
        if held is None:
            return float(whole), None
        ratios = _ratio(one, other, _drawn(held), weighting)
        ratios = ratios[np.isfinite(ratios)]
        if len(ratios) < 0.95 * DRAWS:
            return float(whole), None
        low, high = np.quantile(ratios, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        return float(whole), (float(low), float(high))

    def summed(self, weighting: Weighting, curve: Curve) -> Summed:
        """By clusters."""
        groups, bearing, identity = self.ground.clusters, self.ground.bearing, self.ground.identity
        own = self._membership
        if weighting == "bill":
            return Summed(own @ curve.cost, own @ curve.hidden, own @ identity, own @ bearing)
        members, bears = groups.sums(np.ones(len(bearing))), groups.sums((bearing > 0).astype(np.float64))
        logs = np.log(np.maximum(curve.cost, 1e-9) / np.maximum(identity, 1e-9)[:, None])
        shares = curve.hidden / np.maximum(bearing, 1)[:, None]
        means = (own @ shares) / np.maximum(bears, 1)[:, None]
        return Summed((own @ logs) / members[:, None], means, np.ones(groups.count), (bears > 0).astype(np.float64))

    @cached_property
    def _membership(self) -> Floats:
        own = np.zeros((self.ground.clusters.count, len(self.ground.bearing)))
        own[self.ground.clusters.member, np.arange(own.shape[1])] = 1
        return own

    def _held(self, one: Summed, weighting: Weighting) -> NDArray[np.bool_] | None:
        """The clusters that are taken as they are; None where the others are too few."""
        some = one.weight > 0
        if some.sum() < ENOUGH:
            return None
        held = np.zeros(len(some), bool)
        if weighting == "bill":
            found = held_by_weight(one.weight[some])
            if found is None:
                return None
            held[some] = found
        return held

    def _interval(
        self, one: Summed, other: Summed, weighting: Weighting, value: float, level: float
    ) -> tuple[Interval | None, str]:
        held = self._held(one, weighting)
        if held is None:
            few = int((one.weight > 0).sum())
            whole = f"{few} clusters with dependencies, {effective(one.weight):.1f} effective"
            return None, f"{whole}, and no rest of them has {ENOUGH}"
        rest = int((~held).sum())
        values = _gap(one, other, _drawn(held))[0]
        values = values[~np.isnan(values)]
        if len(values) < 0.95 * DRAWS:
            return None, "in many resamples B has no budget that costs so little"
        from scipy.special import ndtri, stdtrit

        # A percentile interval of few clusters is too narrow: widened as t is against normal.
        wide = float(stdtrit(rest - 1, 0.5 + level / 2)) / float(ndtri(0.5 + level / 2)) * math.sqrt(rest / (rest - 1))
        low, high = np.quantile(values, [0.5 - level / 2, 0.5 + level / 2])
        return (value - wide * (value - float(low)), value + wide * (float(high) - value)), ""


def _drawn(held: NDArray[np.bool_]) -> Floats:
    """How often each cluster is drawn, (DRAWS, G); those held once."""
    rest = int((~held).sum())
    rng = np.random.default_rng(SEED)
    found = np.ones((DRAWS, len(held)))
    found[:, ~held] = rng.multinomial(rest, np.full(rest, 1 / rest), DRAWS)
    return found


def _gap(one: Summed, other: Summed, drawn: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Per draw: the gap, what A and B show, and B's place; NaN where B has no budget that costs so little."""
    cost, seen = (values[:, 0] for values in one.at(drawn))
    costs, shares = other.at(drawn)
    # Where A costs more than B ever does, B's last budget stands against it: doing nothing, which shows all.
    budget = _place(np.maximum.accumulate(costs, axis=1), cost)
    shown = _between(shares, budget)
    return seen - shown, seen, shown, budget


def _place(rising: Floats, wanted: Floats) -> Floats:
    """Where each row, (N, P), first reaches a value, (N,), as a place between its columns; the last one where it never
    does, NaN where it begins above."""
    last = rising.shape[1] - 1
    at = np.clip((rising < wanted[:, None]).sum(axis=1), 1, max(last, 1)) if last else np.zeros(len(wanted), np.int64)
    before, rows = np.maximum(at - 1, 0), np.arange(len(rising))
    low, high = rising[rows, before], rising[rows, at]
    part = np.divide(wanted - low, high - low, out=np.zeros(len(wanted)), where=high > low)
    return np.where(wanted < rising[:, 0], np.nan, before + np.clip(part, 0, 1))


def _between(values: Floats, place: Floats) -> Floats:
    """The values at places between the columns; NaN where there is none."""
    known = np.nan_to_num(place)
    before = np.minimum(known.astype(np.int64), values.shape[1] - 1)
    after, rows = np.minimum(before + 1, values.shape[1] - 1), np.arange(len(values))
    found = values[rows, before] + (known - before) * (values[rows, after] - values[rows, before])
    return np.where(np.isnan(place), np.nan, found)


def _ratio(one: Summed, other: Summed, drawn: Floats, weighting: Weighting) -> Floats:
    """Per draw, B's cost over A's where B shows as much as A; NaN where it never does, or always."""
    cost, seen = (values[:, 0] for values in one.at(drawn))
    costs, shares = other.at(drawn)
    rising = np.maximum.accumulate(shares, axis=1)
    there = _between(costs, _place(rising, seen))
    there = np.where(rising[:, -1] < seen, np.nan, there)
    return np.exp(there - cost) if weighting == "typical" else there / cost
