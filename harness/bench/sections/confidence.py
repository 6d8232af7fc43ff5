"""Whether an engine's confidence says how often it is right, and where to put a gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.bench.calibration import TARGET, Gate
from harness.bench.rates import rate
from harness.bench.sections import wording as say
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.text import count

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


def section(part: Engines) -> Table:
    """Ten bins of equal mass."""
    rows: list[dict[str, Any]] = []
    texts, said = [], []
    for engine, found in part.summary.rates.items():
        c = found.calibration
        if c is None:
            rows.append({"engine": engine, "bin": None})
            texts.append([engine, say.NOT_REPORTED, *["-"] * 5])
            continue
        said.append(f"{engine}: expected calibration error {c.error:.3f}")
        for number, b in enumerate(c.bins, 1):
            right = rate(round(b.accuracy * b.count), b.count)
            record = {"engine": engine, "bin": number, "low": b.low, "high": b.high, "turns": b.count}
            rows.append(record | {"confidence": b.confidence, "accuracy": b.accuracy, "error": c.error})
            texts.append(
                [
                    engine,
                    f"{b.low:.3f} to {b.high:.3f}",
                    count(b.count),
                    f"{b.confidence:.3f}",
                    say.rate(right),
                    say.interval(right),
                    f"{b.accuracy - b.confidence:+.3f}",
                ]
            )
    return Section(
        "confidence",
        "Confidence",
        "live",
        "Turns with calls and a reported confidence, in ten bins of equal mass (fewer where many turns have the same "
        "confidence). The expected calibration error is the mean distance between confidence and share right, weighted "
        f"by turns. {'; '.join(said)}{'.' if said else ''}",
        ("engine", "confidence", "turns", "mean confidence", "right", "95 % interval", "right less confidence"),
        pd.DataFrame(rows),
        texts,
        names=2,
        words=frozenset({"confidence"}),
    )


def gates(part: Engines) -> Table | None:
    """Accuracy against coverage: what acting only above a confidence would bring."""
    rows, texts = [], []
    for engine, found in part.summary.rates.items():
        if (c := found.calibration) is None:
            continue
        for gate in c.curve:
            chosen = gate == c.gate
            values = {"threshold": gate.threshold, "turns": gate.count, "coverage": gate.coverage}
            rows.append({"engine": engine} | values | {"accuracy": gate.accuracy, "gate": chosen})
        for coverage in COVERAGES:
            gate = next(g for g in c.curve if g.coverage >= coverage - 1e-9)
            texts.append([engine, f"{100 * coverage:.0f} % of the turns", *_gate(gate)])
        widest = f"widest with {100 * TARGET:.0f} % right"
        texts.append([engine, widest, *(_gate(c.gate) if c.gate else ["none", "-", "-", "-"])])
    return Section(
        "gates",
        "Acting only when confident",
        "live",
        "Turns with at least this confidence, and the share of them that is right. A gate that was chosen on these "
        "turns will do a little worse on others. Every threshold is in the CSV file.",
        ("engine", "let through", "confidence from", "turns", "coverage", "right"),
        pd.DataFrame(rows),
        texts,
        names=2,
        brief=True,
        words=frozenset({"let through"}),
    )


COVERAGES = (0.1, 0.25, 0.5, 0.75, 1.0)


def _gate(gate: Gate) -> list[str]:
    return [f"{gate.threshold:.3f}", count(gate.count), f"{100 * gate.coverage:.0f} %", f"{100 * gate.accuracy:.1f} %"]
