"""The choice of a setting, and what it is worth on transcripts that had no part in it.

Chosen is the cheapest setting whose one-sided 95 % lower bound of what stays visible meets the floor, on the bill and
typical. Where there are too few clusters for a bound, the value on the corpus takes its place, and that is said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.statistics.bounds import lower_bounds
from harness.statistics.clusters import Clusters

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


AT_ONCE = 256
"""Settings whose bounds are found together, the cheapest first."""


def folds_of(clusters: Sequence[str], folds: int) -> Ints:
    """The fold of every transcript, (T,): whole clusters, dealt out in an order that only their names decide."""
    names = sorted(set(clusters), key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    fold = {name: number % folds for number, name in enumerate(names)}
    return np.array([fold[name] for name in clusters], np.int64)


@dataclass(frozen=True)
class Ground:
    """What a choice is made on: T transcripts. among: those that have a part in it. bearing: (T,) requests with
    dependencies."""

    clusters: Sequence[str]
    bearing: Floats
    among: Mask

    def without(self, held: Mask) -> Ground:
        """The same without some transcripts."""
        return Ground(self.clusters, self.bearing, self.among & ~held)

    def evidence(self, whole: Floats) -> tuple[Floats, Floats, bool]:
        """Of settings, (C, T): the lower bound of the share visible, the smaller of the bill's and the typical one, and
        the smaller of the two shares, (C,) each; and whether the bound is one. Everything is visible where nothing is
        borne."""
        some = self.among & (self.bearing > 0)
        if not some.any():
            return np.ones(len(whole)), np.ones(len(whole)), True
        groups = Clusters.of([c for c, s in zip(self.clusters, some.tolist(), strict=True) if s])
        own = np.zeros((int(some.sum()), groups.count))
        own[np.arange(len(own)), groups.member] = 1
        hidden = self.bearing[some] - whole[:, some]
        bearing = self.bearing[some]
        members = own.sum(axis=0)
        lost = hidden @ own
        # A typical cluster is the mean of its transcripts' shares; the bill, the sum of their requests.
        shares = (hidden / bearing) @ own / members
        value = np.minimum(1 - lost.sum(axis=1) / bearing.sum(), 1 - shares.mean(axis=1))
        bill, _ = lower_bounds(lost, bearing @ own)
        _, typical = lower_bounds(shares, np.ones(groups.count))
        bound = np.minimum(bill, typical)
        identified = not bool(np.isnan(bound).any())
        return (bound if identified else value), value, identified

    def choose(self, cost: Floats, whole: Floats, floor: float) -> int | None:
        """The cheapest setting that meets the floor, of equals the one that shows more; None where none does."""
        some = self.among & (self.bearing > 0)
        shown = whole[:, some].sum(axis=1)
        total = cost[:, self.among].sum(axis=1)
        # No bound is above the share on the bill, so what misses the floor there needs no bound.
        able = np.flatnonzero(shown >= (floor - 1e-12) * self.bearing[some].sum())
        able = able[np.lexsort((able, -shown[able], total[able]))]
        for start in range(0, len(able), AT_ONCE):
            part = able[start : start + AT_ONCE]
            enough = np.flatnonzero(self.evidence(whole[part])[0] >= floor - 1e-12)
            if len(enough):
                return int(part[enough[0]])
        return None


def front(cost: Floats, evidence: Floats) -> list[int]:
    """The settings that no other beats in both, cheapest first; of equal ones the first."""
    found: list[int] = []
    best = -np.inf
    for n in np.lexsort((np.arange(len(cost)), -evidence, cost)):
        if evidence[n] > best:
            found.append(int(n))
            best = evidence[n]
    return found
