"""What became of the turns, from the raw envelopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from harness.engines.envelope import TurnState
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.text import count

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


def section(part: Engines) -> Table:
    rows, texts = [], []
    for engine, found in part.summary.rates.items():
        counts = [found.states[state] for state in TurnState]
        rows.append({"engine": engine, "turns": found.turns, **found.states, "unsteady": found.unsteady})
        texts.append([engine, count(found.turns), *map(count, counts), count(found.unsteady), _causes(found.failures)])
    return Section(
        "states",
        "Turn states",
        "live",
        "Distinct turns, in their first repetition. Grounded: calls, checked by the engine, nothing flagged. Flagged: "
        "the engine itself calls an argument ungrounded, or saw a negation. Withheld: it held a call back or dropped "
        "one. Not reported: calls without any check. Failed: an error, no whole envelope, a crash or a timeout; causes "
        "are counted over all repetitions. Unsteady: not the same state or verdict in every repetition.",
        ("engine", "turns", *map(str, TurnState), "unsteady", "causes of failures"),
        pd.DataFrame(rows),
        texts,
        brief=True,
    )


def _causes(failures: dict[str, int]) -> str:
    return ", ".join(f"{n} {cause}" for cause, n in failures.items()) or "-"
