"""The summary of a run of engines, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from harness.bench.rates import Rate, Rates
from harness.bench.summary import BenchSummary
from harness.views.text import harmless, table

_RATES = (
    ("answered", "answered, of all turns"),
    ("right", "right, of all turns"),
    ("exact", "exact, of all turns"),
    ("called_right", "right, of turns that need a call"),
    ("refused", "right, of turns that need none"),
    ("grounded", "grounded, of turns the engine checked"),
    ("grounded_needed", "grounded, of turns that need a call"),
    ("traced", "every argument traced, of turns with arguments"),
)
_SQUARES = (
    ("checks", "engine passes", "harness traces"),
    ("engine", "engine passes", "right"),
    ("harness", "harness traces", "right"),
)
WIDEST = 44
_UNITS = {"prefill": "tok/s", "decode": "tok/s", "memory": "MB", "first": "s", "seconds": "s"}


def bench_text(summary: BenchSummary) -> str:
    """The summary for a terminal: live figures all."""
    parts = [_engines(summary)]
    parts += [_rates(engine, found) for engine, found in summary.rates.items()]
    parts += [_frame("Throughput by length of the input (tokens per second, over repetitions)", summary.throughput)]
    parts += [_frame("Times (seconds, by the harness's clock)", summary.times)]
    parts += [_claims(summary), _ratios(summary), _conditions(summary)]
    return "\n\n".join(filter(None, parts))


def _engines(summary: BenchSummary) -> str:
    rows = []
    for engine in summary.run.manifest["engines"]:
        identity, memory = engine["identity"], summary.memory[engine["label"]]
        hashes = ", ".join(f"{what} {digest[:12]}" for what, digest in identity["hashes"].items())
        runs = "live" if identity["live"] else "recorded"
        rows.append(
            [short(engine["label"]), runs, identity["build"], hashes, _mb(memory["loaded"]), _mb(memory["peak"])]
        )
    return table(rows, ["engine", "runs", "build", "sha256", "loaded MB", "peak MB"], right=(4, 5))


def short(label: str) -> str:
    """A label that fits into a table."""
    return label if len(label) <= WIDEST else f"{label[: WIDEST - 11]} … {label[-8:]}"


def _mb(value: float | None) -> str:
    return "not reported" if value is None else f"{value:.1f}"


def _rates(engine: str, found: Rates) -> str:
    states = ", ".join(f"{count} {state}" for state, count in found.states.items() if count)
    lines = [f"{harmless(short(engine))}: {found.turns} turns: {states}"]
    if found.failed.count:
        causes = ", ".join(f"{count} {harmless(cause)}" for cause, count in found.failures.items())
        lines.append(f"failed, over all repetitions: {_rate(found.failed)} ({causes})")
    if found.unsteady:
        lines.append(f"not the same in every repetition: {found.unsteady} turns")
    lines.append(table([[label, *_cells(getattr(found, name))] for name, label in _RATES], ["rate", "turns", "", ""]))
    squares = []
    for name, first, second in _SQUARES:
        s = getattr(found.grounding, name)
        squares.append([f"{first} / {second}", s.both, s.first_only, s.second_only, s.neither])
    lines.append(table(squares, ["turns", "both", "first only", "second only", "neither"], right=(1, 2, 3, 4)))
    lines += _calibration(found)
    return "\n\n".join(lines)


def _rate(rate: Rate) -> str:
    return " ".join(_cells(rate))


def _cells(rate: Rate) -> list[str]:
    if rate.value is None or rate.interval is None:
        return [f"{rate.count} of {rate.total}", "not reported", ""]
    low, high = rate.interval
    return [f"{rate.count} of {rate.total}", f"{100 * rate.value:.1f} %", f"[{100 * low:.1f}, {100 * high:.1f}]"]


def _calibration(found: Rates) -> Iterator[str]:
    if (c := found.calibration) is None:
        yield "confidence: not reported on any turn with calls"
        return
    rows = [[f"{b.low:.3f} to {b.high:.3f}", b.count, f"{b.confidence:.3f}", f"{b.accuracy:.3f}"] for b in c.bins]
    yield table(rows, ["confidence", "turns", "mean", "right"], right=(1, 2, 3))
    gate = (
        f"at {c.gate.threshold:.3f} or more {100 * c.gate.coverage:.0f} % pass, {100 * c.gate.accuracy:.1f} % right"
        if c.gate
        else "no confidence above which 95 % are right"
    )
    yield f"expected calibration error {c.error:.3f}; gate: {gate}"


def _frame(title: str, frame: pd.DataFrame) -> str:
    if frame.empty:
        return f"{title}: not reported"
    headers = [c for c in frame.columns if c not in ("low", "high")]
    rows = [[*(_number(row[h]) for h in headers), _interval(row["low"], row["high"])] for _, row in frame.iterrows()]
    return f"{title}\n{table(rows, [*headers, '95 % interval'])}"


def _number(value: Any) -> str:
    if isinstance(value, str):
        return short(value)
    if pd.isna(value):
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def _interval(low: Any, high: Any) -> str:
    return "-" if pd.isna(low) else f"[{_number(float(low))}, {_number(float(high))}]"


def _claims(summary: BenchSummary) -> str:
    if summary.claims.empty:
        return "The engines report no figures of their own."
    rows = [
        [
            short(row["engine"]),
            f"{row['claim']} {_UNITS[row['claim']]}",
            row["n"],
            _number(float(row["median"])),
            f"{summary.contradicted[row['engine']].get(row['claim'], 0)} of {summary.quiet_turns[row['engine']]}",
        ]
        for _, row in summary.claims.iterrows()
    ]
    headers = ["engine", "claim", "turns", "median", "contradicted, of turns not contended"]
    return f"What the engines report of themselves\n{table(rows, headers, right=(2, 3, 4))}"


def _ratios(summary: BenchSummary) -> str:
    rows = [
        [
            short(r.engine),
            short(r.reference),
            f"{r.ratio:.3f}",
            _interval(*(r.interval or (None, None))),
            r.turns,
            r.pairs,
        ]
        for r in summary.ratios
    ]
    headers = ["engine", "against", "time ratio", "95 % interval", "turns", "pairs of stretches"]
    return table(rows, headers, right=(2, 3, 4, 5)) if rows else ""


def _conditions(summary: BenchSummary) -> str:
    lines = []
    for engine, (busy, unknown, total) in summary.contended.items():
        told = f", {unknown} of which it cannot be told" if unknown else ""
        lines.append(f"{harmless(short(engine))}: {busy} of {total} stretches contended{told}")
    if summary.harness_share is not None:
        lines.append(f"the harness's own CPU time: {100 * summary.harness_share:.2f} % of the wall time")
    return "\n".join(lines)
