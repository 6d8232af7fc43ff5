"""One-sided lower bounds of what is visible, for many settings at once: by these a tuning chooses.

Choosing the cheapest setting whose *value* meets a floor picks one that is lucky on the recordings at hand: on others
it meets the floor in one case of six. So a setting has to meet it with the lower end of a one-sided 95 % interval.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from harness.statistics.clusters import Floats
from harness.statistics.resampling import ENOUGH
from harness.statistics.significance import LEVEL


def lower_bounds(hidden: Floats, bearing: Floats) -> tuple[Floats, Floats]:
    """Of the share visible, (C,) each: on the bill and typical; NaN where there are too few clusters.

    hidden: (C, G) requests that miss something, by setting and cluster. bearing: (G,) requests with dependencies, all
    above 0. On the bill clusters are taken as they are, largest first, until the rest has 12 effective ones; its error
    is by influence values, with the t of the rest's clusters. Typical is the mean over clusters.
    """
    share = hidden / bearing
    return _bound(hidden, bearing, held_by_weight(bearing)), _bound(
        share, np.ones(len(bearing)), np.zeros(len(bearing), bool)
    )


def _bound(hidden: Floats, weight: Floats, held: NDArray[np.bool_] | None) -> Floats:
    if held is None or (~held).sum() < ENOUGH:
        return np.full(len(hidden), np.nan)
    from scipy.special import stdtrit

    lost = hidden.sum(axis=1) / weight.sum()
    influence = (hidden - lost[:, None] * weight)[:, ~held] / weight.sum()
    count = influence.shape[1]
    error = influence.std(axis=1) * math.sqrt(count * count / (count - 1))
    bound = 1 - lost - float(stdtrit(count - 1, LEVEL)) * error
    return np.where(hidden.any(axis=1), bound, 1.0)


def held_by_weight(weight: Floats) -> NDArray[np.bool_] | None:
    """The largest clusters, without which the others are 12 effective ones or more; None where they never are."""
    order = np.argsort(-weight, kind="stable")
    rest = weight[order][::-1]
    effective = (np.cumsum(rest) ** 2 / np.cumsum(rest * rest))[::-1]
    enough = effective >= ENOUGH - 1e-9
    if not enough.any():
        return None
    held = np.zeros(len(weight), bool)
    held[order[: int(np.argmax(enough))]] = True
    return held
