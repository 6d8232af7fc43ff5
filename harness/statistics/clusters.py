"""Independent units: which recordings belong together, and how many such groups a sum really rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.transcript import cluster_of

Floats = NDArray[np.float64]


def clusters_of(frame: pd.DataFrame) -> list[str]:
    """The cluster of every row; `frame` has the columns `cluster` and `transcript`."""
    pairs = zip(frame["cluster"].astype(str), frame["transcript"].astype(str), strict=True)
    return [cluster_of(cluster, transcript) for cluster, transcript in pairs]


def effective(weights: Floats) -> float:
    """Kish's effective number of units, (Σw)² / Σw²; 0 where nothing has weight."""
    squares = float((weights * weights).sum())
    return float(weights.sum()) ** 2 / squares if squares else 0.0


@dataclass(frozen=True)
class Clusters:
    """Names, (G,) in order, and the number of each row's cluster, (n,)."""

    names: NDArray[np.str_]
    member: NDArray[np.int64]

    @classmethod
    def of(cls, clusters: Sequence[str]) -> Clusters:
        names, member = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
        return cls(names, member)

    @property
    def count(self) -> int:
        return len(self.names)

    def sums(self, values: Floats) -> Floats:
        """Sums by cluster, (G,), of values, (n,)."""
        return np.bincount(self.member, values, self.count).astype(np.float64)
