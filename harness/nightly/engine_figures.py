"""The figures of an engine that a night looks at: shares of turns, memory, loading, times and rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

import pandas as pd

from harness.bench.throughput import ALL, samples
from harness.runs.run import Run

Values = Callable[[pd.DataFrame, str], pd.Series]
"""1 or 0 a turn, from its row and the suffix of the columns; NaN where it says nothing."""


def _failed(turns: pd.DataFrame, suffix: str) -> pd.Series:
    return (turns[f"state{suffix}"].astype(str) == "failed").astype("float64")


def _right(turns: pd.DataFrame, suffix: str) -> pd.Series:
    return turns[f"right{suffix}"].fillna(False).astype("float64")


def _traced(turns: pd.DataFrame, suffix: str) -> pd.Series:
    traced = turns[f"ungrounded{suffix}"].astype("float64") == 0
    return traced.astype("float64").where(turns[f"checked{suffix}"].astype("float64") > 0)


def _grounded(turns: pd.DataFrame, suffix: str) -> pd.Series:
    state = turns[f"state{suffix}"].astype(str)
    return (state == "grounded").astype("float64").where(state != "not reported")


def _schema_broken(turns: pd.DataFrame, suffix: str) -> pd.Series:
    breaks = turns[f"schema_breaks{suffix}"].astype("float64")
    return (breaks > 0).astype("float64").where(breaks.notna())


SHARES: Final[Mapping[str, Values]] = {
    "failed_share": _failed,
    "correct_share": _right,
    "traced_share": _traced,
    "grounded_share": _grounded,
    "schema_broken_share": _schema_broken,
}
"""traced: of turns with arguments. grounded: of turns that the engine reported on, failed ones among them.
schema_broken: of turns with an answer."""

RATES: Final = {"prefill": ("prompt", "first"), "decode": ("decoded", "decoding")}
"""Tokens and seconds of each rate, columns of `throughput.tokens_and_seconds`."""


def engine_figures(run: Run) -> dict[tuple[str, str], float]:
    """By engine and figure, one value a run: medians over repetitions for times and rates, shares over all turns, the
    most memory and the median loading over starts. What is not known is left out."""
    turns = run.engine
    found: dict[tuple[str, str], float] = {}
    for engine, part in turns.groupby("engine", observed=True, sort=False):
        name = str(engine)
        for figure, values in SHARES.items():
            found[name, figure] = float(values(part, "").mean())
        for figure, column in (("turn_seconds", "seconds"), ("first_seconds", "first_seconds")):
            medians = part[column].astype("float64").groupby(part["repetition"]).median()
            found[name, figure] = float(medians.median())
    found |= costs(run)
    rates = samples(turns)
    for engine, part in rates[rates["band"] == ALL].groupby("engine", sort=False):
        for rate in RATES:
            found[str(engine), rate] = float(part[rate].median())
    return {key: value for key, value in found.items() if not math.isnan(value)}


def costs(run: Run) -> dict[tuple[str, str], float]:
    """By engine: `peak_memory` in bytes over all stretches, `load_seconds`, the median over starts."""
    found: dict[tuple[str, str], float] = {}
    for engine, part in run.stretches.groupby("engine", observed=True, sort=False):
        found[str(engine), "peak_memory"] = float(part["peak_bytes"].astype("float64").max())
    for engine, part in run.starts.groupby("engine", observed=True, sort=False):
        found[str(engine), "load_seconds"] = float(part["load_seconds"].astype("float64").median())
    return {key: value for key, value in found.items() if not math.isnan(value)}
