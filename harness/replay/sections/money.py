"""What a policy costs: the figures of a report, in USD at the run's prices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.replay.sections.grid import Floats, Grid
from harness.statistics.paired import Paired, compare_all

COLUMNS = ("cost_no_cache", "cost_warm", "cost_recorded")


@dataclass(frozen=True)
class Money:
    """Of one policy over one part of a corpus.

    no_cache, warm: totals over the `priced` transcripts; `paired` compares `warm` with identity. recorded: the total
    over the `timed` transcripts, whose recorded times say which cache entries still lived. Ratios are over identity on
    the same transcripts. `None` where there are none.
    """

    priced: int
    timed: int
    no_cache: float
    no_cache_ratio: float | None
    warm: float
    paired: Paired
    recorded: float | None
    recorded_ratio: float | None


def money(part: Grid, clusters: list[str]) -> list[Money | None]:
    """One a policy; `None` throughout if the run priced nothing."""
    if not part.has(*COLUMNS):
        return [None] * len(part.policies)
    plain, warm, recorded = (part.column(name) for name in COLUMNS)
    priced = np.asarray(np.isfinite(plain + warm).all(axis=1))
    timed = np.asarray(np.isfinite(recorded).all(axis=1))
    if not priced.any():
        return [None] * len(part.policies)
    own = [c for c, p in zip(clusters, priced.tolist(), strict=True) if p]
    plain, warm = plain[priced], warm[priced]
    pairs = compare_all(warm.T, warm[:, 0], own)
    totals, kept, lived = plain.sum(axis=0), warm.sum(axis=0), recorded[timed].sum(axis=0)
    return [
        Money(
            priced=len(plain),
            timed=int(timed.sum()),
            no_cache=float(totals[i]),
            no_cache_ratio=_ratio(totals, i),
            warm=float(kept[i]),
            paired=pairs[i],
            recorded=float(lived[i]) if timed.any() else None,
            recorded_ratio=_ratio(lived, i),
        )
        for i in range(len(part.policies))
    ]


def _ratio(totals: Floats, i: int) -> float | None:
    return float(totals[i] / totals[0]) if totals[0] else None
