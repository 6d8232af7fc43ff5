"""What is to be said of a re-drive before its figures."""

from __future__ import annotations

from typing import Any

from harness.redrive.tables import IDENTITY
from harness.text import count, number, share

Row = dict[str, Any]
WEAK = 0.5
"""An engine that repeats the recorded tools in a smaller share of requests under identity says little of policies."""
ONE_RUN = (
    "Agreement is with one recorded run, made by its own model under its own policy: another right action counts as a "
    "difference. No success rate follows from it."
)


def fits(fit: list[Row], engine: str) -> str:
    """How many of an engine's requests can be compared: the first thing to know."""
    own = [row for row in fit if row["engine"] == engine]
    requests, both = (max((row[key] for row in own), default=0) for key in ("requests", "fit_under_all"))
    return f"{count(both)} of {number(requests, 'request')} ({share(both, requests)}) fit under all policies"


def is_weak(agreement: list[Row], engine: str) -> bool:
    """Whether the engine's differences say little about policies."""
    own = [row for row in agreement if (row["engine"], row["policy"]) == (engine, IDENTITY)]
    return any(row["calls"] and row["same_tools"] < WEAK for row in own)
