"""How much of a value stands in a text that somebody else made of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from harness.policies.units import utf8_length

END: Final = 16
"""Characters that the ends of both must share: a marker may end in the same bracket as the value by chance."""
MARKER: Final = 200
"""Bytes up to which words between the ends are a marker's, not the value's; of a small value, a quarter of it."""
WORD: Final = re.compile(r"\w+|[^\w\s]|\s")


def elided_bytes(value: str, text: str) -> int:
    """UTF-8 bytes of `value` that do not stand in `text`: neither in the beginning or the end that both share, nor as
    whole lines between them, wherever these stand, nor, where more than a marker's worth of other text is there, as
    words: so that what is only written otherwise (a table in place of objects, JSON without spaces) is not elided."""
    if value == text:
        return 0
    most = min(len(value), len(text))
    head = _longest(most, lambda size: value.startswith(text[:size]))
    tail = _longest(most - head, lambda size: value.endswith(text[len(text) - size :]))
    tail = tail if tail >= END or head + tail in (len(value), len(text)) else 0
    between = value[head : len(value) - tail]
    shown = Counter(text[head : len(text) - tail].split("\n"))
    kept, rest = 0, []
    lines = between.split("\n")
    for number, line in enumerate(lines):
        shown[line] -= 1
        if line and shown[line] >= 0:
            kept += utf8_length(line) + (number + 1 < len(lines))
        else:
            rest.append(line)
    other = "\n".join(line for line, times in shown.items() for _ in range(times))
    if utf8_length(other) > min(MARKER, utf8_length(value) // 4):
        words = Counter(WORD.findall("\n".join(rest))) & Counter(WORD.findall(other))
        kept += sum(utf8_length(word) * times for word, times in words.items())
    return max(0, utf8_length(between) - kept)


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
