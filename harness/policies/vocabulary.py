"""Cuts by the tokens of a real vocabulary.

A cut stands at the end of a token, and where that is inside a character, before it (a head) or after it (a
tail), so that what stays is valid text. Counted anew, what stays may come to a token more or less than asked
for: tokens are not additive.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from functools import cache

from harness.policies.units import UNITS
from harness.tokens.exact import ExactTokenizer

KEPT = 8_000_000
"""Tokens whose places are remembered, so that many budgets over one transcript tokenize it once."""


class Tokens:
    """The unit `tokenizer` in one encoding, such as `o200k_base`."""

    noun = "tokens"
    step = 1

    def __init__(self, encoding: str) -> None:
        self.tokenizer = ExactTokenizer(encoding)
        self.places: OrderedDict[str, array[int]] = OrderedDict()
        self.held = 0

    def ends(self, text: str) -> array[int]:
        """Where each token of the text ends, in bytes of UTF-8."""
        found = self.places.get(text)
        if found is None:
            found = self.places[text] = array("Q", self.tokenizer.token_ends(text))
            self.held += len(found)
            while self.held > KEPT and len(self.places) > 1:
                self.held -= len(self.places.popitem(last=False)[1])
        else:
            self.places.move_to_end(text)
        return found

    def length(self, text: str) -> int:
        return len(self.ends(text))

    def head(self, text: str, n: int) -> int:
        ends = self.ends(text)
        return len(text) if n >= len(ends) else UNITS["bytes"].head(text, ends[n - 1] if n else 0)

    def tail(self, text: str, n: int) -> int:
        ends = self.ends(text)
        if n >= len(ends):
            return 0
        return UNITS["bytes"].tail(text, ends[-1] - ends[len(ends) - n - 1])


@cache
def tokens(encoding: str) -> Tokens:
    """The unit of an encoding, one a process."""
    return Tokens(encoding)
