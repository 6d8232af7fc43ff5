"""Two engines that ran in turn: how much longer one takes than the other.

Each stretch of one engine has its neighbour of the other, over the same turns, so what drifts on the machine drifts for
both. Per pair of stretches the median over its turns of the log ratio of times; over the pairs the median, with the
distribution-free interval of a quantile (binomial, `scipy.stats.quantile_test`): a stalled turn or a stalled stretch
moves neither.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import stats

FEWEST_PAIRS: Final = 6
"""Fewer cannot carry a 95 % interval of a median: two in 2^5 samples lie wholly on one side of it."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Time of `engine` over that of `reference`, on the same turns. pairs: of stretches. interval: 95 %, None for few
    pairs."""

    engine: str
    reference: str
    turns: int
    pairs: int
    ratio: float
    interval: tuple[float, float] | None

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def time_ratio(turns: pd.DataFrame, engine: str, reference: str) -> Ratio | None:
    """The ratio over the turns that both answered; None where there is none.

    turns: the frame `engine` of a run.
    """
    keys = ["task", "turn", "repetition"]
    timed = turns[turns["seconds"].notna() & (turns["seconds"] > 0)]
    own, other = (timed[timed["engine"] == name][[*keys, "stretch", "seconds"]] for name in (engine, reference))
    both = own.merge(other, on=keys, suffixes=("", "_reference"))
    if both.empty:
        return None
    longer = both["seconds"].astype("float64") / both["seconds_reference"].astype("float64")
    logs = pd.Series(np.log(longer.to_numpy()))
    per_pair = logs.groupby([both["stretch"], both["stretch_reference"]]).median().to_numpy(np.float64)
    interval = None
    if len(per_pair) >= FEWEST_PAIRS:
        found: Any = stats.quantile_test(per_pair, q=float(np.median(per_pair)), p=0.5).confidence_interval(0.95)
        interval = math.exp(found.low), math.exp(found.high)
    return Ratio(engine, reference, len(both), len(per_pair), math.exp(float(np.median(per_pair))), interval)
