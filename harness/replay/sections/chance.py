"""What a policy shows beyond chance: dependencies visible under it, less those visible if as many bytes of each result
were cut at a random place (the placebo of `harness.evidence.controls`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.replay.sections.grid import Grid
from harness.report.units import NOT_IDENTIFIED
from harness.statistics.estimate import Estimate, typical

WITHIN = 0.02
"""A difference whose whole interval is smaller is called none."""

CUT, WINDOWS = "placebo_visible", "windows_visible"
"""One random cut a result, and as many windows kept at random places (or other results hidden whole)."""
MORE, LESS, SAME, NOT_SHOWN, NOTHING_CUT = "more", "less", "no more", "not shown", "-"


def word(difference: Estimate) -> str:
    """What the interval of visible less placebo says."""
    if difference.interval is None:
        return NOT_SHOWN
    low, high = difference.interval
    if low > 0:
        return MORE
    if high < 0:
        return LESS
    return SAME if max(-low, high) <= WITHIN else NOT_SHOWN


@dataclass(frozen=True)
class BeyondChance:
    """Visible share less the placebo's: bill over all dependencies; typical over clusters, with its interval."""

    bill: float
    typical: Estimate

    @property
    def word(self) -> str:
        """More or less than chance where the interval in a typical cluster excludes 0, no more where it lies within
        two points, else not shown."""
        return NOTHING_CUT if self.typical.exact and not self.typical.value else word(self.typical)

    @property
    def text(self) -> str:
        """The word with points and interval in a typical cluster: `more: +4.1 points [1.0, 7.2]`."""
        found = self.typical
        if self.word == NOTHING_CUT:
            return NOTHING_CUT
        if found.value is None:
            return NOT_IDENTIFIED
        said = f"{self.word}: {100 * found.value:+.1f} points"
        return f"{said} [{100 * found.interval[0]:.1f}, {100 * found.interval[1]:.1f}]" if found.interval else said


def beyond_chance(part: Grid, clusters: list[str], placebo: str = CUT) -> list[BeyondChance | None]:
    """One a policy; `None` throughout if the run has no such placebo."""
    if not part.has("borne", "visible", placebo):
        return [None] * len(part.policies)
    borne = part.column("borne")[:, 0]
    some = borne > 0
    own = [c for c, s in zip(clusters, some.tolist(), strict=True) if s]
    beyond = (part.column("visible") - part.column(placebo))[some].T.astype(np.float64)
    bills = beyond.sum(axis=1) / borne[some].sum() if some.any() else [float("nan")] * len(part.policies)
    usual = typical(beyond / borne[some], own)
    return [BeyondChance(float(bill), one) for bill, one in zip(bills, usual, strict=True)]


def words(
    found: Sequence[tuple[str, BeyondChance | None]], chance: str = "as large a cut at random"
) -> tuple[str, str]:
    """Of all policies by name: how many of those that cut show more than chance, and what follows."""
    by_word: dict[str, list[str]] = {}
    for name, one in found:
        if one is not None and one.word != NOTHING_CUT:
            by_word.setdefault(one.word, []).append(name)
    if not by_word:
        return "", ""
    cutting = sum(map(len, by_word.values()))
    value = f"{len(by_word.get(MORE, ()))} of {cutting}"
    said = [f"policies that cut show more of what is used later than {chance}"]
    heads = {MORE: "more", LESS: "less", SAME: "no more, within 2 points", NOT_SHOWN: "not shown"}
    said += [f"{head}: {_listed(by_word[key])}" for key, head in heads.items() if key in by_word]
    if MORE not in by_word and LESS not in by_word:
        said.append("so it is not shown here that it matters where a policy cuts")
    return value, "; ".join(said)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
