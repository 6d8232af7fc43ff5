"""Copied runs: stretches of an action that stand word for word in one result.

Read from left to right, and within a line, so that neither line numbers nor the marks of a diff or of grep come
between. Each run is as long as it can be, and reading goes on behind it, so runs do not overlap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from harness.evidence.index import GRAM, RUN_WORDS, STRIDE, Index, sparse_grams
from harness.evidence.plain import UNIT
from harness.evidence.prompts import Shown

RUN_BYTES = 40
"""A copied run has at least so many bytes, in UTF-8."""


def copied_runs(text: str, shown: Shown, index: Index) -> Iterator[str]:
    """The runs of a plain text that results in a prompt bear, in order."""
    if not index.grams:
        return
    words = index.words[text]
    hits = ((n * STRIDE, index.grams[gram]) for n, gram in enumerate(sparse_grams(words)) if gram in index.grams)
    held = {at: results for at, holders in hits if (results := shown.of(holders))}
    if not held:
        return
    ends = [-1, *(at for at, word in enumerate(words) if word == "\n")]
    lines = text.split("\n")
    found: dict[str, dict[int, list[int]]] = {}
    for at, results in held.items():
        number = bisect_left(ends, at) - 1
        found.setdefault(lines[number], {})[at - ends[number] - 1] = results
    for line, grams in found.items():
        yield from _Line(line, grams, index).runs()


class _Line:
    """A line of an action. grams: per number of a unit, the results that hold the gram which starts there."""

    def __init__(self, text: str, grams: dict[int, list[int]], index: Index) -> None:
        self.text = text
        self.grams = grams
        self.index = index
        self.spans = [found.span() for found in UNIT.finditer(text)]

    def runs(self) -> Iterator[str]:
        at = 0
        while at <= len(self.spans) - RUN_WORDS:
            start = next((n for n in range(at, at + STRIDE) if n in self.grams), at)
            size = max((self._stretch(at, start, result) for result in self.grams.get(start, ())), default=0)
            if size < RUN_WORDS:
                at += 1
                continue
            run = self._between(at, at + size)
            if len(run.encode("utf-8", "surrogatepass")) >= RUN_BYTES:
                yield run
            at += size

    def _stretch(self, at: int, gram: int, result: int) -> int:
        """How many units from number `at` on stand word for word in a result that holds the gram."""
        while result in self.grams.get(gram + STRIDE, ()):
            gram += STRIDE
        high = min(gram + STRIDE + GRAM - 1, len(self.spans)) - at
        low = RUN_WORDS - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.index.holds(result, self._between(at, at + middle)):
                low = middle
            else:
                high = middle - 1
        return low

    def _between(self, first: int, end: int) -> str:
        return self.text[self.spans[first][0] : self.spans[end - 1][1]]
