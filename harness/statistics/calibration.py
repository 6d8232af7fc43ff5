"""How far our token counts are from what the provider billed.

A recording holds little of the system prompt and the tool definitions, so counts are compared by growth: from a
transcript's first request with usage to each later one, as long as no recorded compaction lies between.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

LEAST_GROWTH = 1000


@dataclass(frozen=True)
class Growth:
    """ratio: our growth / the billed growth, over `requests` of `transcripts`; `low` and `high` are the 10th and 90th
    percentile."""

    requests: int
    transcripts: int
    ratio: float | None
    low: float | None
    high: float | None


def growth_ratios(identity: pd.DataFrame) -> pd.Series:
    """Our growth / the billed growth since a transcript's first request, per request.

    identity: the request rows under `identity`; the series has its index. Requests whose billed growth is under 1,000
    tokens are left out: a ratio of small numbers says nothing.
    """
    known = identity[identity["recorded_input"].notna() & (identity["recorded_input"] > 0)]
    by_segment = known.groupby(["transcript", "cuts"], observed=True)
    ours = known["prompt_tokens"] - by_segment["prompt_tokens"].transform("first")
    recorded = known["recorded_input"].astype("float64")
    billed = recorded - by_segment["recorded_input"].transform("first").astype("float64")
    enough = billed >= LEAST_GROWTH
    return (ours[enough] / billed[enough]).rename("ratio")


def growth(identity: pd.DataFrame) -> Growth:
    """The error bar of the token figures over some requests."""
    ratios = growth_ratios(identity)
    if ratios.empty:
        return Growth(0, 0, None, None, None)
    transcripts = identity.loc[ratios.index, "transcript"].nunique()
    low, middle, high = ratios.quantile([0.1, 0.5, 0.9])
    return Growth(len(ratios), int(transcripts), float(middle), float(low), float(high))
