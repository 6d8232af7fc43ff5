"""How fast an engine is: per repetition and length band, sums of tokens over sums of seconds, by the harness's clock.

    prefill = Σ prompt tokens / Σ seconds to the first token
    decode  = Σ (output tokens - 1) / Σ (seconds of the turn - seconds to the first token)
    whole   = Σ output tokens / Σ seconds of the turn

each over the turns that have what it needs; withheld where Σ tokens is under 32. Prefill and decode need a first token
that can be told apart: turns whose words came in less than half as many pieces as they have tokens (a server that holds
a call back until it is whole) are left out of both. A turn that needed several attempts is left out of all three. The
`claimed_` rates are the engine's own, over the tokens that the harness or, where it counts none, the engine itself
counted. The time to the first token holds one step of decoding. Loading and declaring tools are apart (`load`, `init`):
they are paid once, not a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from harness.bench.bands import BANDS

FEWEST_TOKENS: Final = 32
FEWEST_SAMPLES: Final = 5
LEAST_PIECES: Final = 0.5
RESAMPLES: Final = 2000
SEED: Final = 20260101
OBSERVED: Final = (
    *("seconds", "first_seconds", "prompt_tokens", "output_tokens", "pieces", "retries"),
    *("claimed_prefill", "claimed_decode", "claimed_prompt_tokens", "claimed_output_tokens"),
)
RATES: Final = ("prefill", "decode", "whole", "claimed_prefill", "claimed_decode")
ALL: Final = "all"

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spread:
    """A sample of one figure. interval: 95 %, of the median, percentile bootstrap; None under 5 samples.

    sd: of the sample, None under 2.
    """

    n: int
    median: float
    p5: float
    p90: float
    p95: float
    sd: float | None
    interval: Interval | None

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def spread(values: Sequence[float] | NDArray[np.float64] | pd.Series) -> Spread | None:
    """The spread of the values that are there; None where none is."""
    x = np.asarray(values, np.float64)
    x = x[~np.isnan(x)]
    if not x.size:
        return None
    p5, median, p90, p95 = (float(v) for v in np.percentile(x, (5, 50, 90, 95)))
    sd = float(x.std(ddof=1)) if x.size > 1 else None
    return Spread(int(x.size), median, p5, p90, p95, sd, _interval(x))


def _interval(x: NDArray[np.float64]) -> Interval | None:
    if x.size < FEWEST_SAMPLES:
        return None
    if np.ptp(x) == 0:
        return float(x[0]), float(x[0])
    found = stats.bootstrap(
        (x,),
        np.median,
        method="percentile",
        n_resamples=RESAMPLES,
        batch=200,
        vectorized=True,
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)


def samples(turns: pd.DataFrame) -> pd.DataFrame:
    """One row an engine, repetition and length band (and one for `all` of them): the sums, and the rates from them.

    turns: the frame `engine` of a run. NaN: not known, or withheld.
    """
    parts = pd.DataFrame(
        {
            "engine": turns["engine"].astype("str"),
            "band": turns["band"].astype("str"),
            "repetition": turns["repetition"],
            "turns": 1,
            "timed": turns["seconds"].notna().astype("int64"),
        }
    ).join(tokens_and_seconds(turns))
    whole = parts.assign(band=ALL)
    sums = pd.concat([whole, parts]).groupby(["engine", "band", "repetition"], sort=False).sum(min_count=1)
    rates = {
        "prefill": ("prompt", "first"),
        "decode": ("decoded", "decoding"),
        "whole": ("output", "seconds"),
        "claimed_prefill": ("claimed_prompt", "claimed_reading"),
        "claimed_decode": ("claimed_output", "claimed_writing"),
    }
    for name, (tokens, seconds) in rates.items():
        enough = (sums[tokens] >= FEWEST_TOKENS) & (sums[seconds] > 0)
        sums[name] = (sums[tokens] / sums[seconds]).where(enough)
    return sums.reset_index()


def tokens_and_seconds(turns: pd.DataFrame) -> pd.DataFrame:
    """Per turn the tokens and seconds that belong together: both there, or neither."""
    # Runs from before some of these were observed lack them.
    number = turns.reindex(columns=OBSERVED).astype("float64")
    prompt, output = number["prompt_tokens"], number["output_tokens"]
    told_prompt = prompt.fillna(number["claimed_prompt_tokens"])
    told_output = output.fillna(number["claimed_output_tokens"])
    once = number["retries"].fillna(0) == 0
    seconds = number["seconds"].where(once)
    first = _first_seconds(number).where(once)
    decoding = (seconds - first).where(output > 1)
    read, written = number["claimed_prefill"], number["claimed_decode"]
    pairs = {
        ("prompt", "first"): (prompt, first),
        ("decoded", "decoding"): (output - 1, decoding),
        ("output", "seconds"): (output, seconds),
        ("claimed_prompt", "claimed_reading"): (told_prompt, told_prompt / read.where(read > 0)),
        ("claimed_output", "claimed_writing"): (told_output, told_output / written.where(written > 0)),
    }
    parts = pd.DataFrame(index=turns.index)
    for (left, right), (tokens, times) in pairs.items():
        both = tokens.notna() & times.notna()
        parts[left], parts[right] = tokens.where(both), times.where(both)
    return parts


def _first_seconds(number: pd.DataFrame) -> pd.Series:
    """Until the first token; NaN where words came in so few pieces that the first one held many tokens."""
    apart = number["pieces"].isna() | ~(number["pieces"] < LEAST_PIECES * number["output_tokens"])
    return number["first_seconds"].where(apart)


def table(turns: pd.DataFrame) -> pd.DataFrame:
    """One row an engine, band (short inputs first) and rate: the spread over repetitions, with the tokens behind it.

    A rate that no repetition has is left out.
    """
    found = samples(turns)
    behind = dict(zip(RATES, ("prompt", "decoded", "output", "claimed_prompt", "claimed_output"), strict=True))
    rows = []
    order = {name: place for place, name in enumerate((ALL, *BANDS))}
    found = found.sort_values("band", key=lambda bands: bands.map(order), kind="stable")
    for (engine, band), part in found.groupby(["engine", "band"], sort=False):
        for rate in RATES:
            if (over := spread(part[rate])) is not None:
                head = {"engine": engine, "band": band, "rate": rate, "tokens": int(part[behind[rate]].sum())}
                rows.append(head | _flat(over))
    return pd.DataFrame(rows)


def times(turns: pd.DataFrame, starts: pd.DataFrame) -> pd.DataFrame:
    """One row an engine and time in seconds: `load` a start, `init` a declaration, `first` token and whole `turn`."""
    rows = []
    for engine, part in turns.groupby("engine", observed=True, sort=False):
        own = starts[starts["engine"] == engine]
        figures = {
            "load": own["load_seconds"],
            "init": pd.concat([own["init_seconds"], part["init_seconds"]]),
            "first": _first_seconds(part.reindex(columns=OBSERVED).astype("float64")),
            "turn": part["seconds"],
        }
        for name, values in figures.items():
            if (over := spread(values.astype("float64"))) is not None:
                rows.append({"engine": engine, "time": name} | _flat(over))
    return pd.DataFrame(rows)


def claimed(turns: pd.DataFrame) -> pd.DataFrame:
    """One row an engine and figure that it reports of itself, one sample a turn; nothing is checked here."""
    rows = []
    for engine, part in turns.groupby("engine", observed=True, sort=False):
        for name in ("claimed_prefill", "claimed_decode", "claimed_memory", "claimed_first", "claimed_seconds"):
            if (over := spread(part[name].astype("float64"))) is not None:
                rows.append({"engine": engine, "claim": name.removeprefix("claimed_")} | _flat(over))
    return pd.DataFrame(rows)


def _flat(over: Spread) -> dict[str, Any]:
    record = over.to_record()
    low, high = record.pop("interval") or (None, None)
    return record | {"low": low, "high": high}
