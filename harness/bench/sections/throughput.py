"""How fast: tokens per second by length of the input, and the times that are paid once or a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.bench.bands import BANDS
from harness.bench.sections import wording as say
from harness.bench.summary import records
from harness.bench.throughput import ALL, FEWEST_TOKENS, samples
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.text import count

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
    rows, texts = [], []
    for engine in part.engines:
        for band in (ALL, *BANDS):
            if (engine, band) not in sums.index:
                continue
            for rate, (behind, said, claim) in CLOCKED.items():
                tokens = int(sums.loc[(engine, band), behind])
                own, reported = known.get((engine, band, rate)), known.get((engine, band, claim))
                rows.append(
                    {
                        "engine": engine,
                        "band": band,
                        "rate": rate,
                        "tokens": tokens,
                        "withheld": own is None and tokens > 0,
                    }
                    | {"samples": own["n"] if own else 0}
                    | {name: own[name] if own else None for name in SPREAD}
                    | {"reported": reported["median"] if reported else None}
                )
                texts.append([engine, band, said, count(tokens), *_cells(own, tokens), *_claim(own, reported)])
    if not any(row["tokens"] or row["reported"] for row in rows):
        return None
    return Section(
        "throughput",
        "Throughput, tokens per second",
        "live",
        "By the harness's clock, Σ tokens / Σ seconds per repetition, by UTF-8 bytes of the input; the spread is "
        f"over repetitions, the interval that of the median (bootstrap, from 5 on). Withheld under {FEWEST_TOKENS} "
        "tokens a repetition. Beside it the median of what the engine reports of itself, over the same turns. Every "
        "sample is in csv/engine.csv.",
        (
            *("engine", "input", "rate", "tokens", "n", "median", "95 % interval", "p5", "p90", "p95", "sd"),
            *("as the engine reports", "reported / clock"),
        ),
        pd.DataFrame(rows),
        texts,
        names=3,
        brief=True,
        words=frozenset({"input", "rate"}),
    )


def _by_key(table: pd.DataFrame) -> dict[tuple[str, str, str], dict[str, Any]]:
    return {(row["engine"], row["band"], row["rate"]): row for row in records(table)}


def _cells(own: dict[str, Any] | None, tokens: int) -> list[str]:
    if own is None:
        return ["0", f"withheld, under {FEWEST_TOKENS} tokens" if tokens else say.NOT_REPORTED, *["-"] * 5]
    figures = [say.number(own[name]) for name in ("p5", "p90", "p95", "sd")]
    return [count(own["n"]), say.number(own["median"]), say.between(own["low"], own["high"]), *figures]


def _claim(own: dict[str, Any] | None, reported: dict[str, Any] | None) -> list[str]:
    if reported is None:
        return [say.NOT_REPORTED, "-"]
    ratio = f"{reported['median'] / own['median']:.2f}" if own else "-"
    return [say.number(reported["median"]), ratio]


def times(part: Engines) -> Table | None:
    """Load, init, first token, whole turn, apart."""
    table = part.summary.times
    if table.empty:
        return None
    texts = [
        [
            row["engine"],
            TIMES[row["time"]],
            count(row["n"]),
            say.seconds(row["median"]),
            _interval(row),
            say.seconds(row["p5"]),
            say.seconds(row["p90"]),
            say.seconds(row["p95"]),
            "-" if pd.isna(row["sd"]) else say.seconds(row["sd"]),
        ]
        for row in records(table)
    ]
    return Section(
        "times",
        "Times",
        "live",
        "By the harness's clock, beside the call. Loading is paid once a start and declaring the tools once a set of "
        "tools, so neither is part of a turn. n: starts, declarations, turns.",
        ("engine", "what", "n", "median", "95 % interval", "p5", "p90", "p95", "sd"),
        table,
        texts,
        names=2,
        brief=True,
        words=frozenset({"what"}),
    )


def _interval(row: dict[str, Any]) -> str:
    if row["low"] is None or pd.isna(row["low"]):
        return "no interval"
    return f"{say.seconds(row['low'])} … {say.seconds(row['high'])}"
