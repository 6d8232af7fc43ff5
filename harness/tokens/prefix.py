r"""Exact counts of many cuts of one large text, for sweeps over budgets.

Tokens are not additive over an arbitrary cut (65 % of random cuts change the total). They are at one kind of
place: after a newline whose next line has text, does not start with ``/``, and shows that text before its own
line end. No alternative of the o200k or cl100k pattern can match across it: whitespace before a line end
stops there (``\s*[\r\n]+``), and so does punctuation with the newlines and slashes that follow it
(``[\r\n/]*``). So the tokens before each such place are counted once, and a cut needs only the tokens between
it and the nearest one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise

from harness.tokens.exact import ExactTokenizer

MIN_LENGTH = 2048  # characters; counting less than this anew is cheaper than indexing it

# Python's \s holds all of Unicode White_Space, by which the tokenizers go: text here is text there.
_SAFE = re.compile(r"\n(?=([^\S\r\n]*)[^\s/])")


class CutCounter:
    """Counts heads, tails and splices of `text`, each as if it were counted whole.

    Indexing costs little more than one count of the text; a cut then costs about one count of a line or two.
    Texts under `MIN_LENGTH`, and the rare ones whose tokens do not spell them (lone surrogates), are counted
    directly.
    """

    def __init__(self, text: str, tokenizer: ExactTokenizer) -> None:
        self.text = text
        self._count = tokenizer.count
        self._places: list[int] = []  # safe places, as offsets in characters
        self._witnesses: list[int] = []  # the first character of text after each: a head must reach beyond it
        self._before: list[int] = []  # tokens before each
        if len(text) >= MIN_LENGTH and _is_valid(text):
            self._index(tokenizer.token_ends(text))
        else:
            self.whole = tokenizer.count(text)

    def head(self, end: int) -> int:
        """Tokens of `text[:end]`."""
        return self.spliced(end, "", len(self.text))

    def tail(self, start: int) -> int:
        """Tokens of `text[start:]`."""
        return self.spliced(0, "", start)

    def spliced(self, end: int, middle: str, start: int) -> int:
        """Tokens of `text[:end] + middle + text[start:]`, for 0 <= end, start <= len(text)."""
        size = len(self.text)
        if not (0 <= end <= size and 0 <= start <= size):
            raise ValueError(f"cut at {end} and {start} of a text of {size} characters")
        left = bisect_left(self._witnesses, end) - 1
        right = bisect_left(self._places, start + 1)
        known, begin, stop = 0, 0, size
        if left >= 0:
            known += self._before[left]
            begin = self._places[left]
        if right < len(self._places):
            known += self.whole - self._before[right]
            stop = self._places[right]
        return known + self._count(self.text[begin:end] + middle + self.text[start:stop])

    def _index(self, ends: list[int]) -> None:
        self.whole = len(ends)
        matches = list(_SAFE.finditer(self.text))
        places = [0, *(match.end() for match in matches)]
        offset = 0
        for match, (last, place) in zip(matches, pairwise(places), strict=True):
            offset += len(self.text[last:place].encode("utf-8"))
            tokens = bisect_left(ends, offset)
            if ends[tokens] == offset:
                self._places.append(place)
                self._witnesses.append(match.end(1))
                self._before.append(tokens + 1)


def _is_valid(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
