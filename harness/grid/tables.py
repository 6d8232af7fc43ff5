"""The figures of a grid, from its turns. Rates are Σ tokens / Σ seconds over the turns of a size in a repetition,
withheld under 32 tokens; over repetitions there are median, p5 and p95."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import stats

from harness.bench.throughput import FEWEST_TOKENS, Spread, spread

Row = dict[str, Any]
SERVED: Final = 0.5
"""A prompt that is sent again was served from a cache if its first token took less than this share of the time."""
LEVEL: Final = 0.95


def cells(turns: pd.DataFrame) -> Iterator[Row]:
    """A row an engine and size. overflow: the prompt was beyond the window."""
    cell = turns[turns["what"].astype("str") == "cell"]
    for _, part in cell.groupby(["engine", "prompt"], observed=True, sort=False):
        engine, prompt = part["engine"].iloc[0], part["prompt"].iloc[0]
        good = part[part["failure"].fillna("").astype("str") == ""]
        failures = sorted(set(part["failure"].fillna("").astype("str")) - {""})
        row: Row = {"engine": str(engine), "prompt": int(prompt), "turns": len(good), "failure": ", ".join(failures)}
        row["tokens"] = _median(good["prompt_tokens"])
        row |= _spread("prefill", _rates(good, _prefill(good)))
        row |= _spread("decode", _rates(good, _decode(good)))
        first = spread(good["first_seconds"].astype("float64"))
        row |= {"first": first and first.median, "first_p95": first and first.p95}
        gaps = np.array([float(gap) for text in good["gaps"].fillna("") for gap in text.split("+") if gap])
        row |= {f"gap_p{p}": float(np.percentile(gaps, p)) if gaps.size else None for p in (50, 90, 99)}
        row |= {"gaps": int(gaps.size), "peak_mb": _megabytes(_first_peak(good))}
        row |= {f"{name}_ratio": _claimed(good, name) for name in ("prefill", "decode")}
        yield row


def _first_peak(turns: pd.DataFrame) -> Any:
    """A peak never falls, so only the first repetition, whose sizes ascend, says what a size needs."""
    return turns.loc[turns["repetition"] == turns["repetition"].min(), "peak_bytes"].max()


def _prefill(turns: pd.DataFrame) -> pd.DataFrame:
    found = turns[["prompt_tokens", "first_seconds", "repetition"]].astype("float64").dropna()
    return found.set_axis(["tokens", "seconds", "repetition"], axis=1)


def _decode(turns: pd.DataFrame) -> pd.DataFrame:
    number = turns[["output_tokens", "seconds", "first_seconds", "repetition"]].astype("float64").dropna()
    tokens, seconds = number["output_tokens"] - 1, number["seconds"] - number["first_seconds"]
    return pd.DataFrame({"tokens": tokens, "seconds": seconds, "repetition": number["repetition"]})


def _rates(turns: pd.DataFrame, parts: pd.DataFrame) -> pd.Series:
    sums = parts.groupby("repetition").sum()
    enough = (sums["tokens"] >= FEWEST_TOKENS) & (sums["seconds"] > 0)
    found: pd.Series = (sums["tokens"] / sums["seconds"])[enough]
    return found


def _spread(name: str, rates: pd.Series) -> Row:
    found: Spread | None = spread(rates)
    return {name: found and found.median, f"{name}_p5": found and found.p5, f"{name}_p95": found and found.p95}


def _claimed(turns: pd.DataFrame, name: str) -> float | None:
    """The engine's own rate over the clock's, turn by turn: the median."""
    parts = _prefill(turns) if name == "prefill" else _decode(turns)
    clock = (parts["tokens"] / parts["seconds"].where(parts["seconds"] > 0))[parts["tokens"] >= FEWEST_TOKENS]
    own = turns.loc[clock.index, f"claimed_{name}"].astype("float64")
    return _median(own / clock)


def starts(rows: pd.DataFrame) -> Iterator[Row]:
    """A row an engine, cold and warm."""
    for (engine, cold), part in rows.groupby(["engine", "cold"], observed=True, sort=False):
        row: Row = {"engine": str(engine), "start": "cold" if cold else "warm", "starts": len(part)}
        for name in ("load_seconds", "first_turn", "second_turn"):
            row[name] = _median(part[name])
        yield row | {"loaded_mb": _megabytes(part["loaded_bytes"].max())}


def memory(turns: pd.DataFrame) -> Iterator[Row]:
    """A row an engine: peak at its smallest and largest prompt, and kB a token of context in between."""
    for engine, sizes in _by_engine(pd.DataFrame(cells(turns))):
        known = sizes[sizes["peak_mb"].notna() & sizes["tokens"].notna()]
        row: Row = {"engine": engine, "least_mb": None, "most_mb": None, "kb_a_token": None}
        if len(known):
            first, last = known.iloc[0], known.iloc[-1]
            row |= {"least_mb": float(first["peak_mb"]), "most_mb": float(last["peak_mb"])}
            if last["tokens"] > first["tokens"]:
                more = 1000 * (last["peak_mb"] - first["peak_mb"])
                row["kb_a_token"] = float(more / (last["tokens"] - first["tokens"]))
        yield row


def canaries(turns: pd.DataFrame) -> Iterator[Row]:
    """A row an engine: the same prompt sent twice. share: of the first time, to the first token."""
    canary = turns[turns["what"].astype("str") == "canary"]
    for engine, part in _by_engine(canary):
        pairs = part.pivot_table(index="repetition", columns="number", values="first_seconds", aggfunc="first")
        both = pairs.dropna() if {1, 2} <= set(pairs.columns) else pairs.iloc[:0]
        share = _median(both[2] / both[1]) if len(both) else None
        read = {n: _median(part.loc[part["number"] == n, "prompt_tokens"]) for n in (1, 2)}
        row = {"engine": engine, "prompt": int(part["prompt"].iloc[0]), "pairs": len(both), "share": share}
        row |= {"read_first": read[1], "read_again": read[2]}
        yield row | {"served": None if share is None else "yes" if share < SERVED else "no"}


def power(turns: pd.DataFrame) -> Iterator[Row]:
    """A row an engine: joules a token read or written, and the clock's frequency; None where the system shows none."""
    for engine, part in _by_engine(turns):
        tokens = (part["prompt_tokens"] + part["output_tokens"]).where(part["joules"].notna()).sum()
        used = part["joules"].sum(min_count=1)
        per_token = float(used / tokens) if pd.notna(used) and tokens else None
        clock = part["clock_mhz"].dropna()
        row = {"engine": engine, "joules": per_token, "mhz": _median(clock)}
        yield row | {"mhz_least": float(clock.min()) if len(clock) else None}


def sustained(turns: pd.DataFrame) -> Iterator[Row]:
    """A row an engine: the rate of whole turns over minutes, its slope (Theil and Sen) in percent a minute with its
    95 % interval, of the rate at the beginning."""
    long = turns[turns["what"].astype("str") == "sustained"]
    for engine, part in _by_engine(long):
        good = part[["started", "output_tokens", "seconds"]].astype("float64").dropna()
        rates = good["output_tokens"] / good["seconds"]
        minutes = (good["started"] - good["started"].min()) / 60
        row: Row = {"engine": engine, "turns": len(good), "minutes": float(minutes.max()) if len(good) else 0.0}
        row |= dict.fromkeys(("rate", "slope", "slope_low", "slope_high"))
        if len(good) >= 3 and minutes.nunique() > 1:
            line = stats.theilslopes(rates, minutes, alpha=LEVEL)
            start = line.intercept if line.intercept > 0 else float(rates.median())
            slopes = (float(100 * s / start) for s in (line.slope, line.low_slope, line.high_slope))
            row |= {"rate": float(rates.median())} | dict(
                zip(("slope", "slope_low", "slope_high"), slopes, strict=True)
            )
        yield row


def rungs(turns: pd.DataFrame, sizes: Mapping[str, int | None]) -> Iterator[Row]:
    """Engines by the size of their files, the largest first, each at its smallest prompt."""
    found = pd.DataFrame(cells(turns))
    for engine, part in sorted(_by_engine(found), key=lambda e: -(sizes.get(e[0]) or 0)):
        one, size = part.iloc[0], sizes.get(engine)
        row = {"engine": engine, "file_mb": None if size is None else size / 1e6, "prompt": int(one["prompt"])}
        yield row | {name: _known(one[name]) for name in ("prefill", "decode", "peak_mb")}


def _by_engine(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    if len(frame):
        for engine, part in frame.groupby("engine", observed=True, sort=False):
            yield str(engine), part


def _median(values: pd.Series) -> float | None:
    known = values.astype("float64").dropna()
    return float(known.median()) if len(known) else None


def _megabytes(value: Any) -> float | None:
    return None if pd.isna(value) else float(value) / 1e6


def _known(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)
