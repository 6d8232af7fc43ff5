"""What a loop says in words, for the terminal and the report."""

from __future__ import annotations

import pandas as pd

from harness.loop.validity import identified, judged, worst_family

RULE = "a model that passes under half of the tasks under identity identifies nothing about policies"
UNKNOWN = (
    "whether a policy changes what passes, which calls it adds, how far off the estimate of added calls is, and what "
    "a handle is worth"
)
CHECK = (
    "Against readers this is a consistency check: a reader behaves much as the estimate assumes. "
    "Against models it is validity."
)


def weak_lines(frame: pd.DataFrame) -> list[str]:
    """A line a driver whose runs say nothing about policies."""
    table = identified(frame)
    return [
        f"{row.driver} passes {row.passed} of {row.tasks} tasks under identity: {RULE}. Not identified from its runs: "
        f"{UNKNOWN}. Its figures say what it did, no more, and it is left out where the estimate is judged."
        for row in table[~table.identifies].itertuples()
    ]


def worst_line(frame: pd.DataFrame) -> str | None:
    """The family that the estimate covers least, with its reason; `None` where there is nothing to say."""
    worst = worst_family(judged(frame))
    if worst is None or not worst["reason"]:
        return None
    return (
        f"The estimate covers {worst['family']} least ({100 * worst['covered']:.0f} % of its runs). "
        f"{100 * worst['share_of_misses']:.0f} % of its misses: {worst['reason']}."
    )
