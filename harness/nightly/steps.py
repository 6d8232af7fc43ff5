"""Steps in one value a night.

PELT with an l2 cost (ruptures), on logarithms for times and rates; segments of at least three nights, and a floor of
3 % between the medians of neighbours. The penalty is `PENALTY` · s² · log n, with s from the median absolute difference
of successive nights. A night that stands alone is no step: further than `LONE` · s from the median of the five nights
around it, it counts as that median (a Hampel filter), and where it is tonight, nothing is decided. A step is told when
most of the last three nights are on it, and when it is `SURE` standard errors of the two medians or more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from harness.errors import HarnessError
from harness.nightly.engines import FLOOR, Judged
from harness.nightly.figures import is_ratio
from harness.runs.kind import Better

FEWEST_NIGHTS: Final = 3
PENALTY: Final = 6.0
LONE: Final = 3.0
SURE: Final = 4.0
FEW: Final = 4.0
"""Of few nights the noise is often underestimated: it is taken 1 + `FEW` / n times as large. These four are chosen by
simulation (tests/benchmarks/test_nights.py)."""
NO_RUPTURES: Final = (
    "change points need ruptures, which is not installed: pip install 'context-policy-harness[nightly]'"
)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """A change of level. at: index of the first night on the new one. share: of the level before."""

    at: int
    before: float
    after: float

    @property
    def share(self) -> float:
        return (self.after - self.before) / abs(self.before) if self.before else math.inf


def has_ruptures() -> bool:
    """Whether change points can be looked for."""
    from importlib.util import find_spec

    return find_spec("ruptures") is not None


def steps(values: Sequence[float] | Floats, logs: bool) -> list[Step]:
    """The steps in one value a night, oldest first. Raises `HarnessError` without ruptures."""
    bounds = segments(values, logs)
    x = np.asarray(values, np.float64)
    medians = [_median(x, bound) for bound in bounds]
    return [Step(bounds[i][0], medians[i - 1], medians[i]) for i in range(1, len(bounds))]


def segments(values: Sequence[float] | Floats, logs: bool) -> list[tuple[int, int]]:
    """Stretches of one level, [start, end); neighbours differ by the floor or more."""
    if not has_ruptures():
        raise HarnessError(NO_RUPTURES)
    import ruptures

    x = np.asarray(values, np.float64)
    if len(x) < 2 * FEWEST_NIGHTS or np.ptp(x) == 0:
        return [(0, len(x))]
    scaled = _without_lone_nights(_scaled(x, logs))
    penalty = PENALTY * _noise(scaled) ** 2 * math.log(len(x))
    found = ruptures.Pelt(model="l2", min_size=FEWEST_NIGHTS, jump=1).fit(scaled[:, None]).predict(pen=penalty)
    return _with_floor(scaled, [0, *(int(end) for end in found)])


def _scaled(x: Floats, logs: bool) -> Floats:
    return np.log(x) if logs and x.min() > 0 else x


def _without_lone_nights(x: Floats) -> Floats:
    """Nights that stand alone, replaced by the median of the five around them; of three and four at the ends."""
    around = np.array([np.median(x[max(0, i - 2) : i + 3]) for i in range(len(x))])
    return np.where(np.abs(x - around) > LONE * _noise(x), around, x)


def _with_floor(x: Floats, edges: list[int]) -> list[tuple[int, int]]:
    """Merge neighbours whose medians differ by less than the floor, the closest first."""
    while len(edges) > 2:
        medians = [float(np.median(x[a:b])) for a, b in pairwise(edges)]
        gaps = [abs(b - a) for a, b in pairwise(medians)]
        smallest = int(np.argmin(gaps))
        if gaps[smallest] >= math.log1p(FLOOR):
            break
        del edges[smallest + 1]
    return list(pairwise(edges))


def _noise(x: Floats) -> float:
    """Standard deviation of a night, from successive differences: a step adds but one of them."""
    spread = float(np.median(np.abs(np.diff(x)))) * 1.4826 / math.sqrt(2)
    return max(spread * (1 + FEW / (len(x) - 1)), 1e-4)


def levels(values: Sequence[float] | Floats, accepted: int, logs: bool) -> tuple[float, float, int]:
    """The level around the accepted night, that of the last night, and the nights since the last one began."""
    x = np.asarray(values, np.float64)
    bounds = segments(x, logs)
    first = next(bound for bound in bounds if bound[0] <= accepted < bound[1])
    return _median(x, first), _median(x, bounds[-1]), len(x) - bounds[-1][0]


def _median(x: Floats, bound: tuple[int, int]) -> float:
    return float(np.median(x[slice(*bound)]))


def judge_series(case: Judged, values: Sequence[float], accepted: int, better: Better) -> Judged:
    """The last night against the level that was accepted. values: one a night on one machine, tonight last. accepted:
    index of the night that the level is taken from."""
    x = np.asarray(values, np.float64)
    case = replace(case, units=len(x))
    if len(x) < 2 * FEWEST_NIGHTS:
        why = f"{len(x)} nights on this machine, a step needs {2 * FEWEST_NIGHTS}; or name a reference engine"
        return replace(case, why=why)
    if not has_ruptures():
        return replace(case, why=NO_RUPTURES)
    logs = is_ratio(case.figure)
    level, now, since = levels(x, accepted, logs)
    effect = series_effect(level, now, logs, better)
    scaled = _scaled(x, logs)
    noise = _noise(scaled)
    least = max(FLOOR, noise * math.sqrt(2 * PENALTY * math.log(len(x)) / FEWEST_NIGHTS))
    case = replace(case, effect=effect, detectable=float(least))
    if _without_lone_nights(scaled)[-1] != scaled[-1]:
        alone = 100 * series_effect(now, float(x[-1]), logs, better)
        return replace(
            case, why=f"tonight stands alone, {alone:+.3g} % worse than the nights before; a step needs more"
        )
    # The standard error of a median is sqrt(pi / 2) times that of a mean.
    error = noise * math.sqrt(math.pi / 2 * (1 / since + 1 / max(len(x) - since, FEWEST_NIGHTS)))
    if since < len(x) and effect >= max(case.margin, SURE * error):
        return replace(case, state="worse", why=f"a step of {100 * effect:+.3g} %, {since} nights ago")
    return replace(case, state="fine", why=f"no step of {100 * least:.3g} % or more in {len(x)} nights")


def series_effect(level: float, now: float, logs: bool, better: Better) -> float:
    """How much worse: a share of the level for times and rates, a difference for shares."""
    change = (now - level) / level if logs and level else now - level
    return change if better == "lower" else -change
