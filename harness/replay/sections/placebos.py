"""Whether what a policy shows is more than chance would: visible less placebo, in points, with its interval (METHOD,
section 3). Two placebos: one random cut a result, and as many windows kept at random places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from harness.replay.sections.chance import word
from harness.replay.sections.grid import Grid
from harness.statistics.estimate import Estimate, pooled

PLACEBOS = {"a random cut": "placebo", "random windows": "windows"}
EASY = 0.9
"""A placebo that shows so much leaves nothing to be skilful in."""


@dataclass(frozen=True)
class Against:
    """One policy against one placebo, over the whole: `of` requests with all visible, or dependencies visible.

    visible, chance: shares. difference: the first less the second. skill: of what chance would not have shown, the
    share that the policy shows; `None` where chance shows nine tenths.
    """

    policy: str
    placebo: str
    of: str
    visible: float
    chance: float
    difference: Estimate

    @property
    def skill(self) -> float | None:
        return (self.visible - self.chance) / (1 - self.chance) if self.chance < EASY else None

    @property
    def word(self) -> str:
        return word(self.difference)


REQUESTS, ATOMS = "requests with all visible", "dependencies visible"


def against_chance(part: Grid, clusters: Sequence[str]) -> list[Against]:
    """Every policy but identity, against both placebos; empty if the run has none."""
    return [
        found
        for placebo, prefix in PLACEBOS.items()
        for of in (REQUESTS, ATOMS)
        for found in _against(part, clusters, placebo, prefix, of)
    ]


def _against(part: Grid, clusters: Sequence[str], placebo: str, prefix: str, of: str) -> Iterator[Against]:
    own, drawn, whole = (
        ("at_risk_requests", f"{prefix}_at_risk", "bearing_requests")
        if of == REQUESTS
        else ("visible", f"{prefix}_visible", "borne")
    )
    if not part.has(own, drawn, whole):
        return
    weight = part.column(whole)[:, 0]
    some = weight > 0
    if not some.any():
        return
    weight = weight[some]
    counted, chance = (part.column(name)[some] for name in (own, drawn))
    if of == REQUESTS:
        counted, chance = weight[:, None] - counted, weight[:, None] - chance
    named = [c for c, s in zip(clusters, some.tolist(), strict=True) if s]
    for i, found in enumerate(pooled((counted - chance).T, weight, named)[1:], 1):
        shown, drawn_by = (float(np.nansum(values[:, i]) / weight.sum()) for values in (counted, chance))
        yield Against(part.policies[i], placebo, of, shown, drawn_by, found)
