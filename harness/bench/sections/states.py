"""What became of the turns, from the raw envelopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.engines.envelope import TurnState
from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


COLUMNS = (
    Column("engine", "engine", NAME),
    Column("turns", "turns", COUNT),
    *(Column(str(state), str(state), COUNT) for state in TurnState),
    Column("unsteady", "unsteady", COUNT),
    Column("causes", "causes of failures"),
)


def section(part: Engines) -> Table:
    rows = [
        {"engine": engine, "turns": found.turns, **found.states, "unsteady": found.unsteady}
        | {"causes": _causes(found.failures)}
        for engine, found in part.summary.rates.items()
    ]
    return Table(
        "states",
        "Turn states",
        "live",
        "Distinct turns, in their first repetition. Grounded: calls, checked by the engine, nothing flagged. Flagged: "
        "the engine itself calls an argument ungrounded, or saw a negation. Withheld: it held a call back or dropped "
        "one. Not reported: calls without any check. Failed: an error, no whole envelope, a crash or a timeout; causes "
        "are counted over all repetitions. Unsteady: not the same state or verdict in every repetition.",
        COLUMNS,
        rows,
    )


def _causes(failures: dict[str, int]) -> str:
    return ", ".join(f"{n} {cause}" for cause, n in failures.items()) or "-"
