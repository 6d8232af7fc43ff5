"""What is said of arms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.report import units
from harness.text import count, number

METRICS = {
    "passed": "passed",
    "score": "score",
    "requests": "requests",
    "calls": "tool calls",
    "input_tokens": "input tokens",
    "output_tokens": "output tokens",
    "usd": "money",
    "seconds": "time",
}

ATTRIBUTION = "It is a difference between the arms, not an effect of the policy, while an item differs or is unknown."
BOTH = "Intervals: 95 %, percentile bootstrap over tasks, each weighing one; beside them over repositories, where the \
tasks have any: few effective ones make such an interval too narrow."


def points(row: Mapping[str, Any], low: str = "low", high: str = "high") -> str:
    """`+2.8 points (-0.8 … +6.4)`."""
    said = units.points(row["difference"])
    if row[low] is None:
        return f"{said} (no interval)"
    return f"{said} ({units.between(units.POINTS).text(row[low], row[high]).removesuffix(' points')})"


def times(row: Mapping[str, Any]) -> str:
    """`× 0.42 (0.40 … 0.44)`, of a typical task."""
    if row.get("typical") is None:
        return "not identified"
    said = f"× {row['typical']:.2f}"
    if row["typical_low"] is None:
        return f"{said} (no interval)"
    return f"{said} ({row['typical_low']:.2f} … {row['typical_high']:.2f})"


def unseen(row: Mapping[str, Any]) -> str:
    """What runs of the same task hide, and what would show it."""
    return (
        f"{METRICS[row['metric']]}: not shown, since runs of one task differ by {100 * row['spread']:.0f} %, so that "
        f"under {100 * row['detectable']:.0f} % nothing can be seen; to show a change of 10 % takes "
        f"{count(row['runs_needed'])} runs an arm of one task, or other tasks"
    )


def outcome(arm: str, row: Mapping[str, Any], margin: float) -> str:
    """A sentence of an arm's outcome against the first."""
    if not row:
        return f"{arm}: no outcome is recorded, so nothing is said of what it passes"
    said = {
        "higher": "passes more",
        "lower": "passes less",
        "equal within the margin": f"passes as much within {100 * margin:.3g} points",
        "not shown": "no difference in what it passes is shown",
        "not identified": "not identified",
    }[row["verdict"]]
    found = f"{arm}: {said}, {points(row)} against {row['against']} over {number(row['tasks'], 'task')}"
    if row["verdict"] == "not shown" and row["needed"]:
        found += f"; an interval of ± {100 * margin:.3g} points takes {count(row['needed'])} tasks"
    return found
