"""How fast: tokens per second by length of the input, and the times that are paid once or a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.bench.bands import BANDS
from harness.bench.throughput import ALL, FEWEST_TOKENS, samples
from harness.report.table import Column, Table, records
from harness.report.units import COUNT, NAME, NOT_REPORTED, NUMBER, SECONDS, TOKENS, Unit, between, decimals

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

CLOCKED = {
    "prefill": ("prompt", "prefill", "claimed_prefill"),
    "decode": ("decoded", "decode", "claimed_decode"),
    "whole": ("output", "whole turn", ""),
}
TIMES = {
    "load": "loading, a start",
    "init": "declaring the tools",
    "first": "until the first token",
    "turn": "whole turn",
}
SPREAD = ("median", "low", "high", "p5", "p90", "p95", "sd")


def section(part: Engines) -> Table | None:
    """One row an engine, band and rate; withheld where there are too few tokens."""
    known = _by_key(part.summary.throughput)
    sums: Any = samples(part.run.engine).groupby(["engine", "band"]).sum(numeric_only=True)
    rows = []
    for engine in part.engines:
        for band in (ALL, *BANDS):
            if (engine, band) not in sums.index:
                continue
            for rate, (behind, said, claim) in CLOCKED.items():
                tokens = int(sums.loc[(engine, band), behind])
                own, reported = known.get((engine, band, rate)), known.get((engine, band, claim))
                withheld = own is None and tokens > 0
                record: dict[str, Any] = {
                    "engine": engine,
                    "band": band,
                    "rate": rate,
                    "tokens": tokens,
                    "withheld": withheld,
                }
                record |= {"samples": own["n"] if own else 0} | {name: own[name] if own else None for name in SPREAD}
                record |= {"reported": reported["median"] if reported else None, "_said": said}
                record["_withheld"] = f"withheld, under {FEWEST_TOKENS} tokens" if withheld else ""
                rows.append(record | {"_ratio": reported["median"] / own["median"] if own and reported else None})
    if not any(row["tokens"] or row["reported"] for row in rows):
        return None
    return Table(
        "throughput",
        "Throughput, tokens per second",
        "live",
        "By the harness's clock, Σ tokens / Σ seconds per repetition, by UTF-8 bytes of the input; the spread is "
        f"over repetitions, the interval that of the median (bootstrap, from 5 on). Withheld under {FEWEST_TOKENS} "
        "tokens a repetition. Beside it the median of what the engine reports of itself, over the same turns. Every "
        "sample is in engine.parquet of the run.",
        COLUMNS,
        rows,
    )


COLUMNS = (
    Column("engine", "engine", NAME),
    Column("band", "input"),
    Column("_said", "rate"),
    Column("tokens", "tokens", TOKENS),
    Column("samples", "n", COUNT),
    Column("median", "median", NUMBER, absent=NOT_REPORTED, instead="_withheld"),
    Column(("low", "high"), "95 % interval", between(NUMBER)),
    *(Column(name, name, NUMBER) for name in ("p5", "p90", "p95", "sd")),
    Column("reported", "as the engine reports", NUMBER, absent=NOT_REPORTED),
    Column("_ratio", "reported / clock", Unit("ratio", decimals(2), "-")),
)


def _by_key(table: pd.DataFrame) -> dict[tuple[str, str, str], dict[str, Any]]:
    return {(row["engine"], row["band"], row["rate"]): row for row in records(table)}


def times(part: Engines) -> Table | None:
    """Load, init, first token, whole turn, apart."""
    table = part.summary.times
    if table.empty:
        return None
    return Table(
        "times",
        "Times",
        "live",
        "By the harness's clock, beside the call. Loading is paid once a start and declaring the tools once a set of "
        "tools, so neither is part of a turn. n: starts, declarations, turns.",
        SECONDS_OF,
        table.assign(_what=table["time"].map(TIMES)),
    )


SECONDS_OF = (
    Column("engine", "engine", NAME),
    Column("_what", "what"),
    Column("n", "n", COUNT),
    Column("median", "median", SECONDS),
    Column(("low", "high"), "95 % interval", between(SECONDS)),
    *(Column(name, name, SECONDS) for name in ("p5", "p90", "p95")),
    Column("sd", "sd", SECONDS, absent="-"),
)
