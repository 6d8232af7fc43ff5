"""How every kind of value is written, once for all reports: HTML, Markdown and terminal say a figure in the same words.

A unit says what a plain value is (a share between 0 and 1, seconds, bytes) and writes it for a reader. What is absent
says why: `not identified` where the recording cannot tell, `not reported` where nobody measured; it is never a zero.

    >>> from harness.report.units import POINTS, SHARE, between
    >>> SHARE.text(0.972), SHARE.text(None)
    ('97.2 %', 'not identified')
    >>> between(POINTS).text(-0.381, -0.119)
    '-38.1 … -11.9 points'
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NOT_IDENTIFIED = "not identified"
NOT_REPORTED = "not reported"
NO_INTERVAL = "no interval"
NOTHING = "-"


@dataclass(frozen=True)
class Unit:
    """name: what the plain value is, for programs and docs. write: the values that are there, for a reader. absent:
    what stands where the first value (with `whole`: any value) is missing. figure: it is set to the right and sorted as
    a number. code: it is an identifier, shown as code in Markdown and shortened in the middle where room is scarce.
    rank: the plain value to sort by.
    """

    name: str
    write: Callable[..., str]
    absent: str = NOT_IDENTIFIED
    figure: bool = True
    code: bool = False
    whole: bool = True
    rank: Callable[..., Any] = lambda first, *_: first

    def text(self, *values: Any, absent: str | None = None) -> str:
        """The values for a reader; `None` and NaN are absent."""
        known = [None if is_absent(value) else value for value in values]
        if known[0] is None or (self.whole and None in known):
            return self.absent if absent is None else absent
        return self.write(*known)


def is_absent(value: Any) -> bool:
    """`None`, NaN and infinities: what no table and no JSON can hold."""
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def count(value: float) -> str:
    """`1,234`."""
    return f"{value:,.0f}"


def size(value: float) -> str:
    """Bytes in powers of 1000: `17 B`, `4.2 kB`, `1.3 MB`."""
    for power, unit in ((3, "GB"), (2, "MB"), (1, "kB")):
        if abs(value) >= 1000**power:
            return f"{value / 1000**power:.1f} {unit}"
    return f"{value:.0f} B"


def percent(value: float) -> str:
    """A share of one: `97.2 %`."""
    return f"{100 * value:.1f} %"


def whole_percent(value: float) -> str:
    """A share of one: `97 %`."""
    return f"{100 * value:.0f} %"


def change(ratio: float) -> str:
    """A ratio as a change: `-37.2 %`; no change has no sign."""
    return f"{_signed(ratio - 1)} %"


def fewer(ratio: float) -> str:
    """A ratio in words: `37.2 % fewer`."""
    return f"{abs(100 * (ratio - 1)):.1f} % {'fewer' if ratio <= 1 else 'more'}"


def points(difference: float) -> str:
    """A difference of two shares of one: `+3.2 points`."""
    return f"{_signed(difference)} points"


def _signed(value: float) -> str:
    text = f"{100 * value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def dollars(value: float) -> str:
    """With at least three figures: `1,204`, `12.34`, `0.0123`."""
    if abs(value) >= 1 or value == 0:
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"
    return f"{value:.3g}"


def time(value: float) -> str:
    """Seconds: `23.4 ms`, `1.25 s`."""
    return f"{1000 * value:.3g} ms" if abs(value) < 1 else f"{value:.3g} s"


def megabytes(value: float) -> str:
    """Memory in MB (10^6 bytes): `12.3 MB`."""
    return f"{value:,.1f} MB"


def digits(value: float) -> str:
    """Four digits: `2,204`, `12.34`, `0.001234`."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def decimals(places: int, sign: str = "") -> Callable[[float], str]:
    """A writer with so many places after the point."""
    return lambda value: f"{value:{sign},.{places}f}"


def probability(p: float) -> str:
    """A p-value: `0.032`, `< 0.001`."""
    return f"{p:.2g}" if p >= 0.001 else "< 0.001"


def signed(share: float) -> str:
    """A change as a share of what was: `+3.2 %`, from ten times on `× 12`."""
    return f"× {1 + share:,.0f}" if share >= 9 else f"{100 * share:+.3g} %"


def exact(value: float) -> str:
    """A figure that can be compared to the digit: `1,234`, `0.912345`."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.6g}"


def quantity(value: float, unit: str | None) -> str:
    """A figure of any unit, a share in percent."""
    return f"{100 * value:.3g} %" if unit == "share" else exact(value)


def short(value: float) -> str:
    """A large count in three figures: `18.3 M`."""
    for factor, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= factor:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.0f}"


TEXT = Unit("text", str, NOTHING, figure=False)
NAME = Unit("name", str, NOTHING, figure=False, code=True)
FLAG = Unit("yes or no", lambda value: "yes" if value else "no", figure=False)
COUNT = Unit("count", count)
TOKENS = Unit("tokens", count)
BYTES = Unit("bytes", size)
USD = Unit("USD", dollars)
SHARE = Unit("share", percent)
REPORTED = Unit("share", percent, NOT_REPORTED)
CHANGE = Unit("ratio", change)
GROWTH = Unit("relative change", signed)
POINTS = Unit("difference of shares", points)
DETECTABLE = Unit("difference of shares", lambda value: f"{100 * value:.1f} points", NOTHING)
RATIO = Unit("ratio", decimals(3))
PROPORTION = Unit("share", decimals(3), NOT_REPORTED)
MEAN = Unit("mean", decimals(2))
SECONDS = Unit("seconds", time, NOT_REPORTED)
MEGABYTES = Unit("MB", megabytes, NOT_REPORTED)
NUMBER = Unit("number", digits, NOTHING)
EXACT = Unit("number", exact)
QUANTITY = Unit("number", quantity, whole=False)
"""Of two keys: a figure, and its unit."""
P = Unit("p", probability, NOTHING)
OF = Unit("count of total", lambda part, whole: f"{part:,.0f} of {whole:,.0f}", NOT_REPORTED)
PART = Unit(
    "share",
    lambda part, whole: percent(part / whole) if whole else NOTHING,
    rank=lambda part, whole: part / whole if whole else None,
)
"""Of two keys: how many, and of how many; written as a share."""
PART_OF = Unit(
    "share of total",
    lambda part, whole: f"{percent(part / whole)} of {whole:,.0f}" if whole else NOTHING,
    rank=lambda part, whole: part / whole if whole else None,
)
"""The same, with the number that it is a share of: `77.4 % of 62`."""


def between(unit: Unit) -> Unit:
    """An interval of two keys, its unit written once: `61.9 … 88.1 %`."""
    return Unit(f"{unit.name}, interval", lambda *ends: _spread(unit, *ends), NO_INTERVAL, unit.figure)


def span(unit: Unit) -> Unit:
    """A range of three keys, low, evidence and high: `0 … 12 … 40`."""
    return Unit(f"{unit.name}, range", lambda *ends: _spread(unit, *ends), unit.absent, unit.figure)


def estimate(unit: Unit) -> Unit:
    """A figure and its interval, of three keys; where there is no interval, the figure alone: `+3.2 (0.4 … 6.0)`."""

    def write(value: Any, low: Any, high: Any) -> str:
        own = unit.write(value)
        return own if low is None or high is None else f"{own} ({_spread(unit, low, high, bare=True)})"

    return Unit(f"{unit.name} with interval", write, NOTHING, unit.figure, whole=False)


def _spread(unit: Unit, *ends: Any, bare: bool = False) -> str:
    texts = [unit.write(end) for end in ends]
    suffix = _SUFFIX.search(texts[-1])
    known = suffix.group() if suffix else ""
    if not all(text.endswith(known) for text in texts):
        known = ""
    cut = [text.removesuffix(known) for text in texts]
    return " … ".join(cut) + ("" if bare else known)


_SUFFIX = re.compile(r"\s\D+$")
