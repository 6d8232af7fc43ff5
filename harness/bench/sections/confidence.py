"""Whether an engine's confidence says how often it is right, and where to put a gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.bench.calibration import TARGET, Gate
from harness.bench.rates import rate
from harness.report.table import Column, Row, Table
from harness.report.units import COUNT, NAME, NOT_REPORTED, PROPORTION, SHARE, Unit, between, decimals, whole_percent

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


BIN = Unit("confidence, range", lambda low, high: f"{low:.3f} to {high:.3f}", NOT_REPORTED, figure=False)
BINS = (
    Column("engine", "engine", NAME),
    Column(("low", "high"), "confidence", BIN),
    Column("turns", "turns", COUNT, absent="-"),
    Column("confidence", "mean confidence", PROPORTION, absent="-"),
    Column("accuracy", "right", SHARE, absent="-"),
    Column(("_low", "_high"), "95 % interval", between(SHARE), absent="-"),
    Column("_less", "right less confidence", Unit("difference", decimals(3, "+"), "-")),
)


def section(part: Engines) -> Table:
    """Ten bins of equal mass."""
    rows: list[dict[str, Any]] = []
    said = []
    for engine, found in part.summary.rates.items():
        c = found.calibration
        if c is None:
            rows.append({"engine": engine, "bin": None})
            continue
        said.append(f"{engine}: expected calibration error {c.error:.3f}")
        for number, b in enumerate(c.bins, 1):
            low, high = rate(round(b.accuracy * b.count), b.count).interval or (None, None)
            record = {"engine": engine, "bin": number, "low": b.low, "high": b.high, "turns": b.count}
            record |= {"confidence": b.confidence, "accuracy": b.accuracy, "error": c.error}
            rows.append(record | {"_low": low, "_high": high, "_less": b.accuracy - b.confidence})
    return Table(
        "confidence",
        "Confidence",
        "live",
        "Turns with calls and a reported confidence, in ten bins of equal mass (fewer where many turns have the same "
        "confidence). The expected calibration error is the mean distance between confidence and share right, weighted "
        f"by turns. {'; '.join(said)}{'.' if said else ''}",
        BINS,
        rows,
    )


GATES = (
    Column("engine", "engine", NAME),
    Column("let_through", "let through"),
    Column("threshold", "confidence from", PROPORTION, absent="none"),
    Column("turns", "turns", COUNT, absent="-"),
    Column("coverage", "coverage", Unit("share", whole_percent), absent="-"),
    Column("accuracy", "right", SHARE, absent="-"),
)


def gates(part: Engines) -> Table | None:
    """Accuracy against coverage: what acting only above a confidence would bring."""
    rows: list[Row] = []
    shown: list[Row] = []
    for engine, found in part.summary.rates.items():
        if (c := found.calibration) is None:
            continue
        rows += [_gate(engine, gate) | {"gate": gate == c.gate} for gate in c.curve]
        for coverage in COVERAGES:
            gate = next(g for g in c.curve if g.coverage >= coverage - 1e-9)
            shown.append(_gate(engine, gate) | {"let_through": f"{100 * coverage:.0f} % of the turns"})
        widest = _gate(engine, c.gate) if c.gate else {"engine": engine}
        shown.append(widest | {"let_through": f"widest with {100 * TARGET:.0f} % right"})
    return Table(
        "gates",
        "Acting only when confident",
        "live",
        "Turns with at least this confidence, and the share of them that is right. A gate that was chosen on these "
        "turns will do a little worse on others. Every threshold is in the CSV file.",
        GATES,
        rows,
        shown,
    )


COVERAGES = (0.1, 0.25, 0.5, 0.75, 1.0)


def _gate(engine: str, gate: Gate) -> dict[str, Any]:
    found = {"threshold": gate.threshold, "turns": gate.count, "coverage": gate.coverage, "accuracy": gate.accuracy}
    return {"engine": engine} | found
