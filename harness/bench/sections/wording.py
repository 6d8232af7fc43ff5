"""How figures of engines are written."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from harness.bench.rates import Rate
from harness.report.wording import NOT_REPORTED

__all__ = ["NOT_REPORTED", "between", "interval", "megabytes", "number", "of", "of_total", "rate", "seconds"]


def rate(found: Rate) -> str:
    """A share: `77.4 %`; what was never reported says so."""
    return NOT_REPORTED if found.value is None else f"{100 * found.value:.1f} %"


def interval(found: Rate) -> str:
    """Its Wilson interval: `65.6 … 86.0 %`."""
    if found.interval is None:
        return "no interval"
    low, high = found.interval
    return f"{100 * low:.1f} … {100 * high:.1f} %"


def of(found: Rate) -> str:
    """`48 of 62`."""
    return f"{found.count:,} of {found.total:,}"


def of_total(found: Rate) -> str:
    """`77.4 % of 62`; a dash where there is no such turn, or nothing was reported."""
    return "-" if found.value is None else f"{rate(found)} of {found.total:,}"


def number(value: Any) -> str:
    """A figure in four digits; `-` where there is none."""
    if value is None or pd.isna(value):
        return "-"
    value = float(value)
    if math.isinf(value):
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def between(low: Any, high: Any) -> str:
    """An interval of figures: `2,204 … 2,244`."""
    if low is None or high is None or pd.isna(low) or pd.isna(high):
        return "no interval"
    return f"{number(low)} … {number(high)}"


def seconds(value: Any) -> str:
    """A time: `23.4 ms`, `1.25 s`."""
    if value is None or pd.isna(value):
        return NOT_REPORTED
    return f"{1000 * value:.3g} ms" if abs(value) < 1 else f"{value:.3g} s"


def megabytes(value: float | None) -> str:
    """Memory in MB (10^6 bytes)."""
    return NOT_REPORTED if value is None else f"{value:,.1f} MB"
