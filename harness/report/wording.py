"""How figures are written in every report."""

from __future__ import annotations

from harness.statistics.paired import Interval, Paired

NOT_REPORTED = "not reported"
NOT_IDENTIFIED = "not identified"
REACH = {
    "": "",
    "none": "nothing",
    "rerun": "another call",
    "file": "a file",
    "handle-read": "a readable handle",
    "handle-arg": "a reference",
}
"""What brings elided text back."""


def change(ratio: float | None) -> str:
    """A ratio as a change: `-37.2 %`."""
    return NOT_IDENTIFIED if ratio is None else f"{_signed(ratio)} %"


def changes(interval: Interval | None) -> str:
    """An interval of ratios as changes: `-51.3 … -7.8 %`."""
    if interval is None:
        return "no interval"
    return f"{_signed(interval[0])} … {_signed(interval[1])} %"


def _signed(ratio: float) -> str:
    text = f"{100 * (ratio - 1):+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def sureness(paired: Paired) -> str:
    """The interval of the ratio of totals, `exact`, or that there is none."""
    return "exact" if paired.exact else changes(paired.interval)


def percent(value: float | None) -> str:
    """A share: `97.2 %`."""
    return NOT_IDENTIFIED if value is None else f"{100 * value:.1f} %"


def percents(interval: Interval | None) -> str:
    """An interval of shares: `95.1 … 98.8 %`."""
    if interval is not None and interval[0] == interval[1]:
        return "exact"
    return "no interval" if interval is None else f"{100 * interval[0]:.1f} … {100 * interval[1]:.1f} %"


def usd(value: float | None) -> str:
    """Dollars with at least three figures: `1,204`, `12.34`, `0.0123`."""
    if value is None:
        return NOT_IDENTIFIED
    if value >= 1 or value == 0:
        return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"
    return f"{value:.3g}"


def probability(p: float | None) -> str:
    """A p-value."""
    if p is None:
        return "-"
    return f"{p:.2g}" if p >= 0.001 else "< 0.001"


def short_count(value: float) -> str:
    """A large count in three figures: `18.3 M`."""
    for factor, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= factor:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.0f}"


def fewer(ratio: float | None) -> str:
    """A ratio in words: `37.2 % fewer`."""
    if ratio is None:
        return NOT_IDENTIFIED
    return f"{abs(100 * (ratio - 1)):.1f} % {'fewer' if ratio <= 1 else 'more'}"
