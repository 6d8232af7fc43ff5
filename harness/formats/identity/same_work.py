"""Recordings of one piece of work that share no answer by its marks: told by their results.

At least 8 distinct large results in the smaller transcript, 80 % of them in the same order in the other, and 80 % of
the answers equal: only the fuller record stays, the one with usage on more answers, then with more text, then the
earlier. With half of that, the pair is listed. (The looser rule as a ground to leave out would drop 60 of 100 tau-bench
runs.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from harness.formats.identity.copies import Pair
from harness.formats.identity.trace import CONVERTED, UNKNOWN, USED, Trace

DISTINCT = 8
SAME = 0.8
LISTED = 0.5
COMMON = 50
"""A result that stands in more transcripts than this tells nothing of any pair."""


def same_work(traces: Sequence[Trace], related: Set[frozenset[str]]) -> list[Pair]:
    """The pairs, the fuller record as the original, but for those that are `related` by their answers' marks: what one
    of them did alone is work of its own. Runs that their source names apart are never the same work. A transcript is
    left out only if a fuller one stays. The order of `traces` has no effect."""
    ordered = sorted(traces, key=_rank)
    distinct = [list(dict.fromkeys(map(int, t.results))) for t in ordered]
    found: list[Pair] = []
    left: set[str] = set()
    for fuller, other in _candidates(distinct):
        a, b = ordered[fuller], ordered[other]
        if a.run != b.run or a.is_sub_agent != b.is_sub_agent or frozenset((a.id, b.id)) in related:
            continue
        share = _in_order(distinct[fuller], distinct[other])
        if share < LISTED:
            continue
        equal, smaller = _equal_answers(a.answers["content"], b.answers["content"])
        is_same = share >= SAME and smaller > 0 and equal >= SAME * smaller
        is_left = is_same and a.id not in left
        left |= {b.id} if is_left else set()
        found.append(Pair(b.id, a.id, "same work" if is_same else "alike", equal, is_left))
    return found


def _rank(trace: Trace) -> tuple[int, bool, int, int, str]:
    """The fullest record first: more answers with usage, no conversion, more text, earlier."""
    used = int(np.count_nonzero(trace.answers["flags"] & USED))
    return -used, trace.format in CONVERTED, -trace.text, _start(trace), trace.id


def _candidates(distinct: list[list[int]]) -> Iterator[tuple[int, int]]:
    """Pairs that share half of the smaller one's results, in the order of their places."""
    holders: dict[int, list[int]] = defaultdict(list)
    for number, results in enumerate(distinct):
        if len(results) >= DISTINCT:
            for result in results:
                holders[result].append(number)
    together: Counter[tuple[int, int]] = Counter()
    for numbers in holders.values():
        if 1 < len(numbers) <= COMMON:
            together.update((a, b) for n, a in enumerate(numbers) for b in numbers[n + 1 :])
    for (a, b), shared in sorted(together.items()):
        if shared >= LISTED * min(len(distinct[a]), len(distinct[b])):
            yield a, b


def _in_order(one: list[int], other: list[int]) -> float:
    """The share of the smaller one's results that stand in the other in the same order: the longest rising run of
    places."""
    small, large = sorted((one, other), key=len)
    places = {result: at for at, result in enumerate(large)}
    tails: list[int] = []
    for at in (places[r] for r in small if r in places):
        position = bisect_left(tails, at)
        tails[position : position + 1] = [at]
    return len(tails) / len(small)


def _equal_answers(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> tuple[int, int]:
    """How many answers are equal, and how many the smaller one has."""
    common = Counter(map(int, one)) & Counter(map(int, other))
    return common.total(), min(len(one), len(other))


def _start(trace: Trace) -> int:
    known = trace.answers["time"][trace.answers["time"] != UNKNOWN]
    return int(known.min()) if len(known) else np.iinfo(np.int64).max
