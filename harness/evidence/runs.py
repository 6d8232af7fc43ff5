"""Copied runs: stretches of an action that stand word for word in one result.

Read from left to right, and within a line, so that neither line numbers nor the marks of a diff or of grep come
between. Each run is as long as it can be, and reading goes on behind it, so runs do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.evidence.index import RUN_WORDS, Index, word_grams
from harness.evidence.occurrences import stands_in
from harness.evidence.plain import UNIT, units
from harness.evidence.prompts import Shown

RUN_BYTES = 40
"""A copied run has at least so many bytes, in UTF-8."""


def copied_runs(text: str, shown: Shown, index: Index) -> Iterator[str]:
    """The runs of a plain text that results in a prompt bear, in order."""
    if not index.grams or index.grams.keys().isdisjoint(word_grams(units(text))):
        return
    for line in dict.fromkeys(text.split("\n")):
        within = [set(shown.of(index.grams.get(gram, []))) for gram in word_grams(units(line))]
        if any(within):
            yield from _runs(line, within, index)


def _runs(line: str, within: list[set[int]], index: Index) -> Iterator[str]:
    spans = [found.span() for found in UNIT.finditer(line)]
    at = 0
    while at < len(within):
        size = max((_stretch(index.texts[i], i, line, spans, within, at) for i in within[at]), default=0)
        if size >= RUN_WORDS:
            run = line[spans[at][0] : spans[at + size - 1][1]]
            if len(run.encode("utf-8", "surrogatepass")) >= RUN_BYTES:
                yield run
            at += size
        else:
            at += 1


def _stretch(text: str, result: int, line: str, spans: list[tuple[int, int]], within: list[set[int]], at: int) -> int:
    """How many units of the line, from number `at` on, stand word for word in the text of a result."""
    high = RUN_WORDS
    while at + high - RUN_WORDS + 1 < len(within) and result in within[at + high - RUN_WORDS + 1]:
        high += 1
    low = RUN_WORDS - 1
    while low < high:
        middle = (low + high + 1) // 2
        if stands_in(line[spans[at][0] : spans[at + middle - 1][1]], text):
            low = middle
        else:
            high = middle - 1
    return low
