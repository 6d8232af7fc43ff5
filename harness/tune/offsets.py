"""Where dependencies stand in the results that bear them, and how many tokens stand before every byte.

A dependency is visible where *any* occurrence in *any* source lies within what is kept: within the head, within the
tail, or in a result that fits or that the gate leaves alone. So for each source two numbers are enough: the smallest
head that holds an occurrence and the smallest tail that does, and evidence is exact at every byte of head, tail and
gate. Tokens come from the number of tokens before each byte of the whole text; a cut changes one or two of them at its
edges, so they are near, not exact, and what is printed is rendered and counted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.evidence.borne import utf8_length
from harness.preview.rust_debug import debug_string
from harness.replay.ledger import Layout, prompt_sums
from harness.tokens.exact import ExactTokenizer
from harness.tune.shapes import HUGE, Point, Shape
from harness.tune.sweep import Floats, Ints, Prepared, Shown, Terms

Mask = NDArray[np.bool_]
SPACING = 1 << 41
"""Between the offsets of one result and the next, in one sorted array."""


@dataclass(frozen=True)
class Offsets:
    """A corpus for a sweep. R results, S pairs of dependency and source, D dependencies, Q requests, T transcripts.

    size, weight, recorded, transcript: (R,) bytes, prompts that hold a token of it, tokens as recorded, whose.
    result, head, tail: (S,) the source, and the least head and tail that show the dependency there. dependency_starts:
    (D,) where the pairs of each begin; request_starts: (Q,) where the dependencies of each begin. of_dependency,
    of_request: whose they are. fixed: (T,) tokens of all that is no result. usd, usd_identity: (R,) what a token of a
    result costs with a warm cache over all prompts that hold it, and (T,) what everything as recorded does; NaN where
    no price is known. names, at: transcript, message and atom of each pair; transcript and message of each result.
    """

    size: Ints
    weight: Floats
    recorded: Ints
    transcript: Ints
    result: Ints
    head: Ints
    tail: Ints
    dependency_starts: Ints
    request_starts: Ints
    of_dependency: Ints
    of_request: Ints
    fixed: Floats
    usd: Floats
    usd_identity: Floats
    names: list[tuple[int, int, str]]
    at: list[tuple[int, int]]

    @property
    def transcripts(self) -> int:
        return len(self.fixed)

    @property
    def identity(self) -> Floats:
        """(T,) input tokens of everything as recorded."""
        return self.fixed + np.bincount(self.transcript, self.weight * self.recorded, self.transcripts)

    def critical(self, axis: str) -> Ints:
        """The values of an axis at which evidence changes, ascending."""
        if axis == "gate":
            return np.unique(self.size) + 1
        return np.unique(self.head if axis == "head" else self.tail)


def offsets(corpus: Sequence[Prepared]) -> Offsets:
    """Find everything once."""
    size: list[int] = []
    weight: list[float] = []
    recorded: list[int] = []
    transcript: list[int] = []
    at: list[tuple[int, int]] = []
    result: list[int] = []
    head: list[int] = []
    tail: list[int] = []
    dependency_starts: list[int] = []
    request_starts: list[int] = []
    of_dependency: list[int] = []
    of_request: list[int] = []
    names: list[tuple[int, int, str]] = []
    fixed: list[float] = []
    usd: list[float] = []
    usd_identity: list[float] = []
    for t, prepared in enumerate(corpus):
        layout = prepared.layout
        number = {}
        weights, priced, own_usd = _weights(layout), *_prices(prepared)
        usd_identity.append(own_usd)
        own = 0.0
        for i in layout.results:
            found = prepared.transcript.messages[i].result
            assert found is not None
            number[i] = len(size)
            size.append(utf8_length(found.value))
            weight.append(weights[i])
            usd.append(priced[i])
            recorded.append(prepared.recorded[i])
            transcript.append(t)
            at.append((t, i))
            own += weights[i] * recorded[-1]
        fixed.append(float(prepared.identity_tokens) - own)
        for request in prepared.borne.requests:
            if not request.borne:
                continue
            request_starts.append(len(dependency_starts))
            of_request.append(t)
            for atom in request.borne:
                dependency_starts.append(len(result))
                of_dependency.append(t)
                for source in atom.sources:
                    spans = prepared.spans(source, atom.text)
                    result.append(number[source])
                    head.append(min(end for _, end in spans))
                    tail.append(min(size[number[source]] - start for start, _ in spans))
                    names.append((t, source, atom.text))
    integers = (size, recorded, transcript, result, head, tail, dependency_starts, request_starts)
    s, r, t_, re, h, ta, ds, rs = (np.array(x, np.int64) for x in integers)
    return Offsets(
        s, np.array(weight, np.float64), r, t_, re, h, ta, ds, rs, np.array(of_dependency, np.int64),
        np.array(of_request, np.int64), np.array(fixed, np.float64),
        np.array(usd, np.float64), np.array(usd_identity, np.float64), names, at,
    )  # fmt: skip


def _weights(layout: Layout) -> dict[int, float]:
    """Per result, in how many prompts it stands."""
    if not layout.results:
        return {}
    matrix = np.zeros((len(layout.results) + 1, len(layout.fixed)), np.int64)
    matrix[np.arange(len(layout.results)), layout.results] = 1
    sums = prompt_sums(layout, matrix)[0].sum(axis=1)
    return {i: float(n - sums[-1]) for i, n in zip(layout.results, sums[:-1].tolist(), strict=True)}


BUMP = 1000
"""Tokens by which a result is made longer to see what one of them costs."""


def _prices(prepared: Prepared) -> tuple[dict[int, float], float]:
    """Per result what a token of it costs over all prompts that hold it, and what everything as recorded costs; USD."""
    layout = prepared.layout
    matrix = np.tile(layout.fixed, (len(layout.results) + 1, 1))
    for i, tokens in prepared.recorded.items():
        matrix[:, i] = layout.framing[i] + tokens
    matrix[np.arange(len(layout.results)), layout.results] += BUMP
    usd = prepared.billing.warm(*prompt_sums(layout, matrix)).sum(axis=1)
    return {i: float(usd[n] - usd[-1]) / BUMP for n, i in enumerate(layout.results)}, float(usd[-1])


class Sweep:
    """A shape over a corpus. `at` gives a point's tokens and evidence by transcript."""

    def __init__(self, shape: Shape, known: Offsets, corpus: Sequence[Prepared], terms: Terms) -> None:
        self.shape, self.known = shape, known
        fits, nothing = shape.at((HUGE, HUGE, 0)), shape.at((0, 0, 0))
        shown = [Shown(prepared, [fits, nothing], terms.counter) for prepared in corpus]
        which = np.array([shown[t].tokens[i][0] for t, i in known.at], np.int64).reshape(-1, 2)
        tokens = [shown[t].tokens[i][1] for t, i in known.at]
        self.same = which[:, 0] == which[:, 1]
        self.fit = np.array([n[w] for n, w in zip(tokens, which[:, 0].tolist(), strict=True)], np.int64)
        self.empty = np.array([n[w] for n, w in zip(tokens, which[:, 1].tolist(), strict=True)], np.int64)
        seen = np.array([shown[t].seen(source, atom) for t, source, atom in known.names], bool).reshape(-1, 2)
        self.seen_fit, self.seen_empty = seen[:, 0], seen[:, 1]
        self._texts(corpus, terms)
        self.before = lru_cache(maxsize=4096)(self._before)
        self.behind = lru_cache(maxsize=4096)(self._behind)
        self.gates = np.concatenate([[0], known.critical("gate")]).astype(np.int64)
        self._rank = np.searchsorted(self.gates, known.size + 1) - 1
        self._size, self._same = known.size[known.result], self.same[known.result]

    def _texts(self, corpus: Sequence[Prepared], terms: Terms) -> None:
        """The end of every token of every text that is cut, in bytes of the value."""
        tokenizer = ExactTokenizer(terms.counter.encoding)
        parts, totals = [], np.zeros(len(self.known.size), np.int64)
        for r, (t, i) in enumerate(self.known.at):
            if self.same[r]:
                continue
            found = corpus[t].transcript.messages[i].result
            assert found is not None
            ends = _ends(found.value, tokenizer, self.shape.escapes)
            totals[r] = len(ends)
            parts.append(r * SPACING + np.asarray(ends, np.int64))
        self._keys = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        self._total = totals
        self._start = np.concatenate([[0], np.cumsum(totals)[:-1]]).astype(np.int64) if len(totals) else totals
        self._base = np.arange(len(totals), dtype=np.int64) * SPACING

    def _before(self, head: int) -> Ints:
        """(R,) tokens of the first `head` bytes."""
        end = self._base + np.minimum(head, self.known.size)
        found = np.searchsorted(self._keys, end, "left") - self._start
        return np.asarray(np.minimum(found + (head > 0), self._total), np.int64)

    def _behind(self, tail: int) -> Ints:
        """(R,) tokens of the last `tail` bytes."""
        start = self._base + self.known.size - np.minimum(tail, self.known.size)
        before = np.searchsorted(self._keys, start, "right") - self._start
        return np.asarray(self._total - np.minimum(before, self._total), np.int64)

    def line(self, head: int, tail: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Of every gate in `gates`, (G, T) each: tokens, USD, visible dependencies, requests that see all."""
        known, count = self.known, self.known.transcripts
        rank = self._rank
        saved = (known.recorded - self._cut(head, tail)).astype(np.float64)
        cut = known.fixed + np.bincount(known.transcript, known.weight * (known.recorded - saved), count)
        usd = known.usd_identity - np.bincount(known.transcript, known.usd * saved, count)
        spared = self._summed(rank + 1, known.transcript, known.weight * saved)
        spared_usd = self._summed(rank + 1, known.transcript, known.usd * saved)
        visible = whole = np.zeros((len(self.gates), count))
        if len(self._size):
            needs = np.where(self._seen(head, tail), 0, rank[known.result] + 1)
            some = np.minimum.reduceat(needs, known.dependency_starts)
            every = np.maximum.reduceat(some, known.request_starts)
            visible = self._summed(some, known.of_dependency, np.ones(len(some)))
            whole = self._summed(every, known.of_request, np.ones(len(every)))
        return cut + spared, usd + spared_usd, visible, whole

    def _summed(self, gate: Ints, transcript: Ints, values: Floats) -> Floats:
        """(G, T): per gate, the values of all that a gate up to it reaches."""
        count, gates = self.known.transcripts, len(self.gates)
        flat = np.bincount(gate * count + transcript, values, gates * count)
        return np.asarray(flat.reshape(gates, count).cumsum(axis=0), np.float64)

    def cost(self, points: Sequence[Point]) -> Floats:
        """USD with a warm cache, (P, T): every token at what it costs in the prompts that hold it."""
        known = self.known
        found = np.empty((len(points), known.transcripts))
        for p, (head, tail, gate) in enumerate(points):
            counted = np.where(known.size < gate, known.recorded, self._cut(head, tail)) - known.recorded
            found[p] = known.usd_identity + np.bincount(known.transcript, known.usd * counted, known.transcripts)
        return found

    def at(self, points: Sequence[Point]) -> tuple[Floats, Floats, Floats]:
        """Tokens, visible dependencies and requests that see all, (P, T) each."""
        known = self.known
        tokens, visible, whole = (np.empty((len(points), known.transcripts)) for _ in range(3))
        last: tuple[int, int] | None = None
        for p, (head, tail, gate) in enumerate(points):
            if (head, tail) != last:
                last = head, tail
                cut, seen = self._cut(head, tail), self._seen(head, tail)
            counted = np.where(known.size < gate, known.recorded, cut)
            tokens[p] = known.fixed + np.bincount(known.transcript, known.weight * counted, known.transcripts)
            visible[p], whole[p] = self.evidence(self._some(seen | (self._size < gate)))
        return tokens, visible, whole

    def shows(self, point: Point) -> Mask:
        """(D,) whether each dependency is visible."""
        head, tail, gate = point
        return self._some(self._seen(head, tail) | (self._size < gate))

    def needs(self, pair: int) -> dict[str, Any]:
        """What shows a dependency in one of its sources: the least head, the least tail, a head and tail that hold the
        whole, a gate above its size; None where that does not show it."""
        size, seen = int(self._size[pair]), bool(self.seen_empty[pair])
        cut = not self._same[pair]
        head, tail = (int(found[pair]) if cut else None for found in (self.known.head, self.known.tail))
        fits = size if cut and self.seen_fit[pair] else None
        return {"size": size, "head": 0 if seen else head, "tail": tail, "fits": fits}

    def _cut(self, head: int, tail: int) -> Ints:
        counted = self.empty + self.before(head) + self.behind(tail)
        return np.where(self.same | (self.known.size <= head + tail), self.fit, counted)

    def _seen(self, head: int, tail: int) -> Mask:
        known = self.known
        kept = ~self._same & ((known.head <= head) | (known.tail <= tail))
        return np.asarray(self.seen_empty | kept | ((self._size <= head + tail) & self.seen_fit), np.bool_)

    def _some(self, seen: Mask) -> Mask:
        """(D,) of dependencies, where any source shows it, (S,)."""
        return np.asarray(np.logical_or.reduceat(seen, self.known.dependency_starts) if len(seen) else seen, np.bool_)

    def evidence(self, some: Mask) -> tuple[Floats, Floats]:
        """Of dependencies that are visible, (D,), how many, and how many requests see all of theirs; (T,) each."""
        known = self.known
        if not len(some):
            return np.zeros(known.transcripts), np.zeros(known.transcripts)
        every = np.logical_and.reduceat(some, known.request_starts)
        count = known.transcripts
        visible, whole = np.bincount(known.of_dependency, some, count), np.bincount(known.of_request, every, count)
        return visible.astype(np.float64), whole.astype(np.float64)


ESCAPED = np.ones(256, np.int64)
ESCAPED[:32] = 5
ESCAPED[127] = 6
for _byte in b'\n\r\t\0"\\':
    ESCAPED[_byte] = 2


def _ends(value: str, tokenizer: ExactTokenizer, escapes: bool) -> Ints:
    """Where tokens end, in bytes of the value; of a text in quotes those of the escaped text, brought back."""
    if not escapes:
        return np.asarray(tokenizer.token_ends(value), np.int64)
    raw = np.frombuffer(value.encode("utf-8", "surrogatepass"), np.uint8)
    ends = np.asarray(tokenizer.token_ends(debug_string(value)[1:-1]), np.int64)
    return np.minimum(np.searchsorted(np.cumsum(ESCAPED[raw]), ends, "left") + 1, len(raw))
