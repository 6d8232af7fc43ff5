"""The figures that a night is judged by: which there are, which way is better, what can move them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
import pandas as pd

Better = Literal["lower", "higher", "neither"]
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
    Measured("added_evidence", "lower", "calls, estimated", moved_by=EVIDENCE, out_of="requests"),
    Measured("losses", "lower", "windows, estimated", moved_by=EVIDENCE, out_of="requests"),
    Measured("referencable_arguments", "higher", "arguments", moved_by=TOKENS),
)

ABOUT_EVIDENCE = frozenset({"visible_share", "at_risk_requests", "added_evidence", "losses"})
"""Those that are about what a policy leaves in sight."""

CORPUS: dict[str, Better] = {"transcripts": "higher", "problems": "lower", "skipped": "neither"}
"""Figures of a part, under no policy: what could be read."""

ENGINE: dict[str, Better] = {
    "turn_seconds": "lower",
    "first_seconds": "lower",
    "correct_share": "higher",
    "grounded_share": "higher",
    "prefill": "higher",
    "decode": "higher",
}
"""Figures of an engine: seconds of a turn and to its first token, tokens per second, shares of turns."""

TIMINGS = frozenset({"turn_seconds", "first_seconds", "prefill", "decode"})
NAMES: tuple[str, ...] = (*(f.name for f in MEASURED), *CORPUS, *ENGINE)


def worsening(better: Better, before: float, after: float) -> float:
    """How much worse, as a share of the baseline: positive is worse, 0 where no direction is. Infinite from zero."""
    if better == "neither" or before == after:
        return 0.0
    worse = after - before if better == "lower" else before - after
    return worse / abs(before) if before else worse * float("inf")
