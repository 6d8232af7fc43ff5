"""How the programs behaved that stand behind policies: time, memory, failures, the same answer twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from harness.report.table import Column, Table
from harness.report.units import BYTES, COUNT, NAME, OF, SECONDS, TEXT, TOKENS

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay

Z = 1.96

NOTE = (
    "A result is handed over once; where the program fails it stands as recorded. Seconds are of the run that asked, "
    "on its machine, and include carrying the text there and back. What answers differently when it is asked the same "
    "is not deterministic: its figures are of one draw, and its input tokens have the interval that two answers allow "
    "(normal approximation over the results asked twice)."
)
COLUMNS = (
    Column("policy", "policy", NAME),
    Column("asked", "asked", COUNT, "measured"),
    Column(("failures", "asked"), "failed", OF, "measured"),
    Column("failed", "how", TEXT, "measured", absent="none failed"),
    Column("median", "per request, median", SECONDS, main=True),
    Column("p95", "p95", SECONDS),
    Column("seconds", "in all", SECONDS),
    Column("memory", "peak memory", BYTES, absent="not reported"),
    Column(("different", "again"), "differs when asked again", OF, "measured"),
    Column("spread", "± input tokens (95 %)", TOKENS, "measured", absent="exact"),
)


def tables(part: Replay) -> Iterator[Table]:
    """One table, where the run asked any program."""
    frame = part.run.table("programs")
    if not len(frame):
        return
    rows = [_row(policy, frame[frame["policy"] == policy]) for policy in part.run.policies]
    yield Table("programs", "Programs", "live", NOTE, COLUMNS, pd.DataFrame([row for row in rows if row["asked"]]))


def _row(policy: str, found: pd.DataFrame) -> dict[str, Any]:
    seconds = found["seconds"].to_numpy(float)
    again, noise = int(found["again"].sum()), float(found["noise"].sum())
    kinds = sorted({kind for text in found["failed"].astype(str) for kind in text.split("+") if kind})
    return {
        "policy": policy,
        "asked": int(found["asked"].sum()),
        "failures": int(found["failures"].sum()),
        "failed": ", ".join(kinds) or None,
        "median": float(np.median(seconds)) if len(seconds) else None,
        "p95": float(np.percentile(seconds, 95)) if len(seconds) else None,
        "seconds": float(seconds.sum()),
        "memory": None if found["memory"].isna().all() else int(found["memory"].max()),
        "different": int(found["different"].sum()),
        "again": again or None,
        "spread": Z * (noise / (2 * again) * float(found["carried"].sum())) ** 0.5 if noise else None,
    }
