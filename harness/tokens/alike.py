r"""Exact counts of many texts that begin and end alike, such as the renderings of one value under hundreds of settings.

No alternative of the o200k or cl100k pattern has a letter or digit followed by a blank, a line end, a backslash or one
of ``"(),:;=``: what matches up to a letter or digit ends there, and what comes behind it does not look back. So tokens
are additive over a cut at such a place. Some texts are counted in pieces between such places; of every other one only
the middle is counted that it does not share with the beginning of one of them and the end of one of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

PIECE = 48
"""Characters between two places at least."""
NEW = 300
"""Characters; a text with a longer middle becomes one that others are compared with."""
ANCHORS = 8
_PLACE = re.compile(r'[a-zA-Z0-9](?=[ \n\\"(),:;=])')


class Counter(Protocol):
    def count(self, text: str) -> int: ...


def count_alike(texts: Sequence[str], counter: Counter) -> list[int]:
    """Tokens of each text as ordinary text, in order."""
    if len(texts) < 3:
        return [counter.count(text) for text in texts]
    known: dict[str, int] = {}
    anchors: list[_Anchor] = []
    for text in sorted(texts, key=len, reverse=True):
        start, before, end, after = _taken_over(text, anchors)
        if end - start > NEW and len(anchors) < ANCHORS:
            anchors.append(_Anchor(text, counter))
            known[text] = anchors[-1].before[-1]
        else:
            known[text] = before + counter.count(text[start:end]) + after
    return [known[text] for text in texts]


class _Anchor:
    """A text with the tokens before each of its places."""

    def __init__(self, text: str, counter: Counter) -> None:
        self.text = text
        self.places = [0]
        for match in _PLACE.finditer(text):
            if match.end() - self.places[-1] >= PIECE:
                self.places.append(match.end())
        self.before = [0]
        for start, end in pairwise([*self.places, len(text)]):
            self.before.append(self.before[-1] + counter.count(text[start:end]))


def _taken_over(text: str, anchors: Sequence[_Anchor]) -> tuple[int, int, int, int]:
    """What of a text need not be counted: where its middle starts, the tokens before it, where it ends, those after it.

    What is taken over on either side reaches a character beyond the cut, so that both sides of it are as they are in
    the anchor.
    """
    start = before = after = shared = 0
    for anchor in anchors:
        if (found := _shared_head(text, anchor.text, shared)) > shared:
            shared = found
            left = max(bisect_right(anchor.places, found - 1) - 1, 0)
            start, before = anchor.places[left], anchor.before[left]
    end, shared = len(text), 0
    for anchor in anchors:
        if (found := _shared_tail(text, anchor.text, shared)) > shared:
            shared = found
            shift = len(anchor.text) - len(text)
            right = bisect_left(anchor.places, max(len(anchor.text) - found + 1, start + shift))
            if right < len(anchor.places):
                end, after = anchor.places[right] - shift, anchor.before[-1] - anchor.before[right]
    return start, before, end, after


def _shared_head(a: str, b: str, least: int) -> int:
    """How many characters two texts begin with alike; `least` if they are no more than that."""
    low, high = least, min(len(a), len(b))
    if low >= high or a[: low + 1] != b[: low + 1]:
        return least
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shared_tail(a: str, b: str, least: int) -> int:
    """The same at their ends."""
    low, high = least, min(len(a), len(b))
    if low >= high or a[len(a) - low - 1 :] != b[len(b) - low - 1 :]:
        return least
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
