"""How much of a value stands in a text that somebody else made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from harness.policies.units import utf8_length

END = 16
"""Characters that the ends of both must share: a marker may end in the same bracket as the value by chance."""


def elided_bytes(value: str, text: str) -> int:
    """UTF-8 bytes of `value` that do not stand in `text`: neither in the beginning or the end that both share, nor as
    whole lines between them, wherever these stand. What is written anew, however much of it is told, is elided."""
    if value == text:
        return 0
    most = min(len(value), len(text))
    head = _longest(most, lambda size: value.startswith(text[:size]))
    tail = _longest(most - head, lambda size: value.endswith(text[len(text) - size :]))
    tail = tail if tail >= END or head + tail in (len(value), len(text)) else 0
    between = value[head : len(value) - tail]
    shown = Counter(text[head : len(text) - tail].split("\n"))
    kept, lines = 0, between.split("\n")
    for number, line in enumerate(lines):
        shown[line] -= 1
        if line and shown[line] >= 0:
            kept += utf8_length(line) + (number + 1 < len(lines))
    return utf8_length(between) - kept


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
