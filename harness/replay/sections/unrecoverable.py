"""What a policy makes unrecoverable: estimated, in pairs of a request and a result that it depends on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.replay.sections.grid import Grid
from harness.statistics.estimate import Estimate, pooled, typical

GONE, UNKNOWN, OF = "unrecoverable", "unrecoverable_unknown", "pairs"


@dataclass(frozen=True)
class Unrecoverable:
    """pairs: those that no way of recovery brings back. unknown: more, unless a tool that the tool table does not know
    reads files. of: all pairs of a request and a result that it depends on. bill: the share of both over the whole;
    typical: in a typical cluster."""

    pairs: int
    unknown: int
    of: int
    bill: Estimate
    typical: Estimate


def unrecoverable(part: Grid, clusters: list[str]) -> list[Unrecoverable | None]:
    """One a policy; `None` throughout if the run estimated nothing."""
    if not part.has(GONE, UNKNOWN, OF):
        return [None] * len(part.policies)
    of = part.column(OF)[:, 0]
    some = of > 0
    own = [c for c, s in zip(clusters, some.tolist(), strict=True) if s]
    gone, unknown, of = part.column(GONE)[some].T, part.column(UNKNOWN)[some].T, of[some]
    bills, usual = pooled(gone + unknown, of, own), typical((gone + unknown) / of, own)
    return [
        Unrecoverable(int(np.nansum(gone[i])), int(np.nansum(unknown[i])), int(of.sum()), bills[i], usual[i])
        for i in range(len(part.policies))
    ]
