"""How figures of the loop are written."""

from __future__ import annotations

from typing import Any

import pandas as pd

from harness.report.wording import NOT_IDENTIFIED, changes


def missing(value: Any) -> bool:
    return value is None or bool(pd.isna(value))


def share(value: Any) -> str:
    """`76.2 %`."""
    return NOT_IDENTIFIED if missing(value) else f"{100 * value:.1f} %"


def shares(low: Any, high: Any) -> str:
    """`61.9 … 88.1 %`."""
    return "no interval" if missing(low) or missing(high) else f"{100 * low:.1f} … {100 * high:.1f} %"


def points(low: Any, high: Any) -> str:
    """An interval of differences of shares: `-38.1 … -11.9 points`."""
    return "no interval" if missing(low) or missing(high) else f"{100 * low:+.1f} … {100 * high:+.1f} points"


def ratios(low: Any, high: Any) -> str:
    """An interval of ratios as changes."""
    return changes(None if missing(low) or missing(high) else (float(low), float(high)))


def mean(value: Any) -> str:
    """A mean of calls, requests or the like."""
    return NOT_IDENTIFIED if missing(value) else f"{value:,.2f}"


READER = "reader:temperament="


def called(driver: str) -> str:
    """A driver by a short name: `careful reader`, `tiny`."""
    return f"{driver.removeprefix(READER)} reader" if driver.startswith(READER) else driver
