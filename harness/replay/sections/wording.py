"""Figures of a replay within sentences; how each is written stands in `harness.report.units`."""

from __future__ import annotations

from harness.replay.sections.unrecoverable import Unrecoverable
from harness.report.units import (
    CHANGE,
    NOT_IDENTIFIED,
    NOT_REPORTED,
    POINTS,
    SHARE,
    USD,
    P,
    between,
)
from harness.report.units import fewer as fewer_than
from harness.report.units import short as short_count
from harness.statistics.paired import Interval, Paired
from harness.text import count

__all__ = ["NOT_IDENTIFIED", "NOT_REPORTED", "REACH", "change", "changes", "fewer", "percent", "percents"]
__all__ += ["pairs", "point_range", "points", "probability", "short_count", "sureness", "usd"]

REACH = {
    "": "",
    "none": "nothing",
    "rerun": "another call",
    "file": "a file",
    "handle-read": "a readable handle",
    "handle-arg": "nothing to see; a reference passes it on",
}
"""What brings elided text back."""

change, percent, usd, probability = CHANGE.text, SHARE.text, USD.text, P.text


def changes(interval: Interval | None) -> str:
    """An interval of ratios as changes: `-51.3 … -7.8 %`."""
    return between(CHANGE).text(*(interval or (None, None)))


def sureness(paired: Paired) -> str:
    """The interval of the ratio of totals, `exact`, or that there is none."""
    return "exact" if paired.exact else changes(paired.interval)


def percents(interval: Interval | None) -> str:
    """An interval of shares: `95.1 … 98.8 %`."""
    if interval is not None and interval[0] == interval[1]:
        return "exact"
    return between(SHARE).text(*(interval or (None, None)))


def fewer(ratio: float | None) -> str:
    """A ratio in words: `37.2 % fewer`."""
    return NOT_IDENTIFIED if ratio is None else fewer_than(ratio)


def pairs(found: Unrecoverable) -> str:
    """How many are unrecoverable: `12`, or `12 to 15` where a tool is unknown."""
    if not found.unknown:
        return count(found.pairs)
    return f"{count(found.pairs)} to {count(found.pairs + found.unknown)}"


def points(value: float | None) -> str:
    """A difference of shares: `-1.2 points`."""
    return POINTS.text(value)


def point_range(interval: Interval | None) -> str:
    """An interval of differences of shares."""
    return between(POINTS).text(*(interval or (None, None)))
