"""What a policy makes unrecoverable: estimated, in windows, beside how much later requests depend on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.replay.sections.grid import Grid
from harness.statistics.estimate import Estimate, pooled, typical

LOST = "losses"
OF = "borne"


@dataclass(frozen=True)
class Losses:
    """windows: parts of results that a request depends on and that nothing brings back; each hides one dependency or
    more, so they are no more than `of`, all dependencies. bill: their ratio over the whole; typical: in a typical
    cluster."""

    windows: int
    of: int
    bill: Estimate
    typical: Estimate


def losses(part: Grid, clusters: list[str]) -> list[Losses | None]:
    """One a policy; `None` throughout if the run estimated nothing."""
    if not part.has(LOST, OF):
        return [None] * len(part.policies)
    of = part.column(OF)[:, 0]
    some = of > 0
    own = [c for c, s in zip(clusters, some.tolist(), strict=True) if s]
    lost, of = part.column(LOST)[some].T, of[some]
    bills, usual = pooled(lost, of, own), typical(lost / of, own)
    return [Losses(int(np.nansum(lost[i])), int(of.sum()), bills[i], usual[i]) for i in range(len(part.policies))]
