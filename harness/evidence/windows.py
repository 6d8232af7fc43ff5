"""The second placebo: as many kept windows as a policy keeps, at random places; where it elides whole results, other
results of as many bytes (METHOD, section 3).

The first (`harness.evidence.controls.Chance`) hides one span of each result, which is a middle cut at a random split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from harness.evidence.controls import SEEDS, Bools, Ints, Placebo, draw
from harness.evidence.plain import plain
from harness.evidence.states import EvidenceRun
from harness.policies.rendering import Rendering

NEEDLE = 24
"""Characters of a rendering by which a kept window is known in the value."""
MOST = 64
"""Windows that are told apart; of more, the rest counts as the last."""


def kept_windows(value: str, rendered: str) -> int:
    """How many runs of a value stand in a rendering of it, in order, both in plain form; 1 at least."""
    found = at = 0
    from_value = 0
    while at < len(rendered) and found < MOST:
        place = value.find(rendered[at : at + NEEDLE], from_value) if at + NEEDLE <= len(rendered) else -1
        if place < 0:
            at = _next_word(rendered, at)
            continue
        size = _common(rendered, at, value, place)
        found, at, from_value = found + 1, at + size, place + size
    return max(found, 1)


def _next_word(text: str, at: int) -> int:
    """Behind the next blank or line end; a cut in mid-word is found by its next word."""
    ends = [end for end in (text.find(" ", at), text.find("\n", at)) if end >= 0]
    return min(ends, default=len(text)) + 1


def _common(a: str, at: int, b: str, place: int) -> int:
    low, high = 1, min(len(a) - at, len(b) - place)
    while low < high:
        middle = (low + high + 1) // 2
        if a.startswith(b[place : place + middle], at):
            low = middle
        else:
            high = middle - 1
    return low


class Windows:
    """What is left of the evidence of one transcript; one instance serves all policies."""

    def __init__(self, run: EvidenceRun, seeds: int = SEEDS) -> None:
        self.borne = run.borne
        self.seeds = seeds
        transcript = run.borne.transcript
        self.results = transcript.results()
        values = [r.value for i in self.results if (r := transcript.messages[i].result) is not None]
        self.sizes = dict(zip(self.results, (len(v.encode("utf-8", "surrogatepass")) for v in values), strict=True))
        self._order = np.array([[draw(s, f"{transcript.id}\0order", i) for i in self.results] for s in range(seeds)])
        self._counted: dict[tuple[int, str], int] = {}
        self._starts: dict[int, np.ndarray[tuple[int, int], np.dtype[np.float64]]] = {}
        self._seen: dict[tuple[int, str, int, int], Bools] = {}

    def placebo(self, views_at: Callable[[int], Mapping[int, Rendering]]) -> Placebo:
        """views_at: the renderings at a request (from 0)."""
        visible, at_risk = np.zeros(self.seeds, np.int64), np.zeros(self.seeds, np.int64)
        for k, request in enumerate(self.borne.requests):
            if not request.borne:
                continue
            views = views_at(k)
            gone = self._gone(request.shown.of(self.results), views)
            seen = np.stack([self._atom(atom.text, atom.sources, views, gone) for atom in request.borne])
            visible += seen.sum(axis=0)
            at_risk += ~seen.all(axis=0)
        return Placebo(visible, at_risk)

    def _is_whole_gone(self, source: int, view: Rendering) -> bool:
        return view.elided_bytes >= self.sizes[source] > 0

    def _gone(self, shown: list[int], views: Mapping[int, Rendering]) -> dict[int, Bools]:
        """Per result in the prompt, in which seeds it is one of those that stand in for what is elided whole."""
        elided = sum(self.sizes[i] for i in shown if self._is_whole_gone(i, views[i]))
        if not elided:
            return {}
        place = {i: n for n, i in enumerate(self.results)}
        at = np.array([place[i] for i in shown], np.int64)
        sizes = np.array([self.sizes[i] for i in shown], np.int64)
        order = np.argsort(self._order[:, at], axis=1, kind="stable")
        before = np.cumsum(sizes[order], axis=1) - sizes[order] / 2
        hidden = np.zeros((self.seeds, len(shown)), np.bool_)
        np.put_along_axis(hidden, order, before < elided, axis=1)
        return {i: hidden[:, n] for n, i in enumerate(shown)}

    def _atom(
        self, atom: str, sources: tuple[int, ...], views: Mapping[int, Rendering], gone: Mapping[int, Bools]
    ) -> Bools:
        """Per seed, whether a place of an atom in one of its results is kept."""
        found = np.zeros(self.seeds, np.bool_)
        for source in sources:
            view = views[source]
            partly = view.elided_bytes and not self._is_whole_gone(source, view)
            kept = self._in_a_window(source, atom, view) if partly else np.ones(self.seeds, np.bool_)
            found |= kept & ~gone[source] if source in gone else kept
        return found

    def _in_a_window(self, source: int, atom: str, view: Rendering) -> Bools:
        counted = source, view.text
        if counted not in self._counted:
            self._counted[counted] = kept_windows(self.borne.texts[source].text, plain(view.text))
        many = self._counted[counted]
        key = source, atom, view.elided_bytes, many
        if key not in self._seen:
            spans = np.array(self.borne.byte_spans(source, atom), np.int64).reshape(-1, 2)
            starts, size = self._places(source, view.elided_bytes, many)
            begins, ends = spans[:, 0, None, None], spans[:, 1, None, None]
            self._seen[key] = np.asarray(((begins >= starts) & (ends <= starts + size)).any(axis=(0, 2)), np.bool_)
        return self._seen[key]

    def _places(self, source: int, elided: int, many: int) -> tuple[Ints, int]:
        """Where `many` windows of one size begin, (seeds, many), in bytes, and that size; what is elided is spread
        over the gaps at random."""
        if source not in self._starts:
            name = self.borne.transcript.id
            self._starts[source] = np.array(
                [[draw(s, f"{name}\0window {n}", source) for n in range(MOST)] for s in range(self.seeds)]
            )
        size = max(self.sizes[source] - elided, 0) // many
        gaps = np.sort(self._starts[source][:, :many], axis=1) * (elided + 1)
        return gaps.astype(np.int64) + size * np.arange(many), size
