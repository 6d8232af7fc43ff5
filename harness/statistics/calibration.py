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


LEAST_SLOPE_GROWTH = 5000
SLOPES = (0.9, 1.8)


@dataclass(frozen=True)
class Stretch:
    """How many billed tokens one of our tokens is (METHOD, section 2: b), and on what that stands.

    by_model: b for each model where it is identified: over its transcripts that are not doubtful, without images or
    hidden reasoning. doubtful: transcripts whose own b lies outside .9 to 1.8 over at least 5,000 billed tokens grown,
    or whose bill is smaller than our count.
    """

    by_model: dict[str, float]
    doubtful: frozenset[str]


def stretch(identity: pd.DataFrame, opaque: frozenset[str]) -> Stretch:
    """identity: the request rows under `identity`. opaque: transcripts with images or hidden reasoning, whose slope
    says nothing of a tokenizer.

    b is the slope of billed on counted tokens within segments (between recorded cuts), so that the unrecorded prefix
    of each drops out, and no larger than leaves it at 0 or more.
    """
    known = identity[identity["recorded_input"].notna() & (identity["recorded_input"] > 0)]
    counted = known["prompt_tokens"].astype("float64")
    billed = known["recorded_input"].astype("float64")
    keys = [known["transcript"].astype(str), known["cuts"]]
    x = counted - counted.groupby(keys).transform("mean")
    y = billed - billed.groupby(keys).transform("mean")
    grown = billed.groupby(keys).max() - billed.groupby(keys).min()
    rows = pd.DataFrame(
        {"transcript": keys[0], "model": known["model"].astype(str), "xy": x * y, "xx": x * x}
        | {"counted": counted, "billed": billed}
    )
    numbers = ["xy", "xx", "counted", "billed"]
    own = rows.groupby("transcript")[numbers].sum()
    own["grown"] = grown.groupby(level=0).sum()
    judged = own[(own["grown"] >= LEAST_SLOPE_GROWTH) & (own["xx"] > 0) & ~own.index.isin(opaque)]
    slopes = judged["xy"] / judged["xx"]
    doubtful = frozenset(slopes.index[~slopes.between(*SLOPES)]) | frozenset(own.index[own["counted"] > own["billed"]])
    told = rows[rows["transcript"].isin(judged.index.difference(list(doubtful)))]
    by_model = told[told["model"] != ""].groupby("model")[numbers].sum()
    by_model = by_model[by_model["xx"] > 0]
    b = (by_model["xy"] / by_model["xx"]).clip(upper=by_model["billed"] / by_model["counted"])
    return Stretch({str(model): float(value) for model, value in b.items()}, doubtful)
