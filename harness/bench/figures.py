"""The figures of engines that a night is judged by."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pandas as pd

from harness.bench.throughput import ALL, samples
from harness.runs.kind import Figure
from harness.runs.run import Run


def figures(run: Run) -> Iterator[Figure]:
    """Of every engine, one value a run."""
    for (engine, name), value in engine_figures(run.engine).items():
        yield Figure(engine, name, value)


def engine_figures(turns: pd.DataFrame) -> dict[tuple[str, str], float]:
    """By engine and figure, one value a run: medians over repetitions for times and rates, shares over all turns."""
    found: dict[tuple[str, str], float | None] = {}
    for engine, part in turns.groupby("engine", observed=True, sort=False):
        name = str(engine)
        for figure, column in (("turn_seconds", "seconds"), ("first_seconds", "first_seconds")):
            values = part[column].astype("float64").groupby(part["repetition"]).median()
            found[name, figure] = float(values.median())
        found[name, "correct_share"] = float(part["right"].fillna(False).astype("float64").mean())
        told = part[part["state"] != "not reported"]
        found[name, "grounded_share"] = float((told["state"] == "grounded").mean()) if len(told) else None
    rates = samples(turns)
    for engine, part in rates[rates["band"] == ALL].groupby("engine", sort=False):
        for rate in ("prefill", "decode"):
            found[str(engine), rate] = float(part[rate].median())
    return {key: value for key, value in found.items() if value is not None and not math.isnan(value)}
