"""The figures that a night is judged by: which there are, which way is better, what can move them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from harness.runs.kind import Better
from harness.runs.kinds import all_kinds

if TYPE_CHECKING:
    import pandas as pd

How = Literal["sum", "max", "share"]

TOKENS = frozenset({"tokenizer"})
MONEY = frozenset({"tokenizer", "prices", "cache"})
EVIDENCE = frozenset({"background"})
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure that follows exactly from recordings and policy, over the rows `transcripts` of one policy.

    better: `neither` where more is neither good nor bad by itself. moved_by: what besides the policy's settings and the
    program can change it. column, over: of the table; a share is Σ column / Σ over. out_of: column of all that could
    count among it, so that one more of a few is not taken for a disaster.
    """

    name: str
    better: Better
    unit: str
    how: How = "sum"
    moved_by: frozenset[str] = TOKENS
    column: str = ""
    over: str = ""
    out_of: str = ""

    def of(self, rows: pd.DataFrame) -> float | None:
        """The figure over some transcripts; `None` where it is not identified."""
        values = rows[self.column or self.name].to_numpy("float64", na_value=float("nan"))
        if np.isnan(values).any():
            return None
        if self.how == "max":
            return float(values.max()) if len(values) else None
        total = float(values.sum())
        if self.how == "share":
            over = float(rows[self.over].to_numpy("float64").sum())
            return total / over if over else None
        return total


MEASURED: tuple[Measured, ...] = (
    Measured("input_tokens", "lower", "tokens"),
    Measured("peak_prompt", "lower", "tokens", "max"),
    Measured("overflow_requests", "lower", "requests", out_of="requests"),
    Measured("cached_warm", "neither", "tokens", moved_by=frozenset({"tokenizer", "cache"})),
    Measured("resent_tokens", "lower", "tokens", out_of="input_tokens"),
    Measured("cost_warm", "lower", "USD", moved_by=MONEY),
    Measured("output_tokens", "neither", "tokens"),
    Measured("rendered_bytes", "neither", "bytes", moved_by=NOTHING),
    Measured("elided_bytes", "neither", "bytes", moved_by=NOTHING),
    Measured("unreachable_bytes", "lower", "bytes", moved_by=NOTHING, out_of="result_bytes"),
    Measured("borne", "neither", "atoms", moved_by=EVIDENCE),
    Measured("visible_share", "higher", "share", "share", EVIDENCE, "visible", "borne"),
    Measured("at_risk_requests", "lower", "requests", moved_by=EVIDENCE, out_of="bearing_requests"),
    Measured("added_high", "lower", "calls, estimated", moved_by=EVIDENCE, out_of="requests"),
    Measured("unrecoverable", "lower", "pairs, estimated", moved_by=EVIDENCE, out_of="pairs"),
    Measured("referencable_arguments", "higher", "arguments", moved_by=TOKENS),
)

ABOUT_EVIDENCE = frozenset({"visible_share", "at_risk_requests", "added_high", "unrecoverable"})
"""Those that are about what a policy leaves in sight."""

CORPUS: dict[str, Better] = {"transcripts": "higher", "problems": "lower", "skipped": "neither"}
"""Figures of a part, under no policy: what could be read."""

ENGINE: dict[str, Better] = {
    "failed_share": "lower",
    "correct_share": "higher",
    "traced_share": "higher",
    "grounded_share": "higher",
    "schema_broken_share": "lower",
    "peak_memory": "lower",
    "load_seconds": "lower",
    "turn_seconds": "lower",
    "first_seconds": "lower",
    "prefill": "higher",
    "decode": "higher",
}
"""Figures of an engine, the gravest first: shares of turns that failed, are right, whose every argument the harness
traces, that the engine itself calls grounded, whose calls break a schema; bytes of peak memory; seconds of loading, of
a turn and to its first token; tokens per second."""

TIMINGS = frozenset({"load_seconds", "turn_seconds", "first_seconds", "prefill", "decode"})
RATIOS = TIMINGS | {"peak_memory"}
"""Figures whose change is a ratio; that of the others is a difference of shares."""
COSTS = {"peak_memory": 0.25, "load_seconds": 1.0}
"""Figures with one value a start, so without an interval, and the worsening of each that is let pass: memory hardly
varies from start to start, loading does (the disk may have the file or not). Told after a second run says the same."""

COUNTS: dict[str, Better] = {
    "failed_turns": "lower",
    "right_turns": "higher",
    "traced_turns": "higher",
    "passed_runs": "higher",
    "run_requests": "lower",
    "run_tool_calls": "lower",
    "run_input_tokens": "lower",
}
"""Figures of engines and of the loop's readers that are counted, not sampled. Of an engine that runs only failed turns
are; of recorded envelopes and of readers, which do the same every time, all are."""
OURS: dict[str, Better] = {f.name: f.better for f in MEASURED} | CORPUS | ENGINE | COUNTS


def better() -> dict[str, Better]:
    """Every figure that there is, by name, and which way is better: those of packages' kinds of run behind ours."""
    return OURS | {name: way for kind in all_kinds().values() for name, way in kind.better.items() if name not in OURS}


def is_ratio(figure: str) -> bool:
    """Whether its changes are ratios: times, rates, memory."""
    return figure in RATIOS or any(figure in kind.timings for kind in all_kinds().values())


def worsening(better: Better, before: float, after: float) -> float:
    """How much worse, as a share of the baseline: positive is worse, 0 where no direction is. Infinite from zero."""
    if better == "neither" or before == after:
        return 0.0
    worse = after - before if better == "lower" else before - after
    return worse / abs(before) if before else worse * float("inf")
