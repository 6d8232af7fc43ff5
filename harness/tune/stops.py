"""Stops of the budget slider: a ladder of heads, tails and gates of every shape that was swept.

Tokens and money of each stop are of its renderings, counted; evidence is exact at every byte (`offsets`). So the
figures of a stop are those of a replay of its policy. What a dependency that is not visible comes to (reachable, held,
lost) depends on its sources and the agent's tools, not on how much of a text is kept: it is found once, with all cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from harness.evidence.states import STATES, EvidenceRun
from harness.policies.spec import NamedPolicy
from harness.replay.ledger import prompt_sums
from harness.statistics.clusters import Clusters
from harness.tune.candidates import CUT, TUNED, Candidates, Swept
from harness.tune.choose import Floats, Ground, Ints, Mask
from harness.tune.field import thin
from harness.tune.offsets import Sweep
from harness.tune.shapes import BOTH, GATE, HEAD, TAIL, Point, shape_of
from harness.tune.sweep import Prepared, Shown, Terms

LADDER = {
    HEAD: (0, 100, 200, 400, 1000, 2000, 4000, 10_000, 20_000),
    TAIL: (0, 100, 200, 500, 1000, 2000, 5000),
    GATE: (0, 300, 600, 1000, 2000, 4000, 8000, 16_000),
}
"""Bytes at which a ladder stops, beside the ends of its range, the policy's own and the recommended ones."""
ALONE = (0, 100, 200, 300, 500, 700, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7000, 10_000, 15_000, 20_000, 30_000)
"""The same of the only axis of a shape beside its gate."""
MOST = 24
"""Stops of one axis."""
LISTED = (200, 100, 50, 20, 10, 0)
"""Requests most at risk that are listed at a stop: as many as `PAIRS` allow."""
PAIRS = 12_000
"""Of a dependency and a source that one ladder holds, so that a page stays small whatever the corpus is."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Ladder:
    """A shape with the values of each of its axes; its stops are all their combinations, the last axis fastest."""

    role: str
    sweep: Sweep
    values: dict[str, list[int]]

    @property
    def points(self) -> list[Point]:
        return [self._point(dict(zip(self.values, each, strict=True))) for each in product(*self.values.values())]

    def _point(self, at: dict[str, int]) -> Point:
        head, tail = self.sweep.shape.split(at[BOTH]) if BOTH in at else (at.get(HEAD, 0), at.get(TAIL, 0))
        return head, tail, at[GATE]


def ladders(candidates: Iterable[Candidates], wanted: Sequence[NamedPolicy]) -> list[Ladder]:
    """One a shape that was swept: the tuned policy first, then the plain cuts. wanted: policies to stop at, where they
    are of its kind."""
    found = []
    for one in candidates:
        if not isinstance(one, Swept) or one.role not in (TUNED, CUT):
            continue
        shape = one.sweep.shape
        family = shape.policy.family.__class__
        own = [shape.own, *(s.own for p in wanted if p.family.__class__ is family and (s := shape_of(p)))]
        alone = len(shape.axes) == 2
        values = {}
        for axis in shape.axes:
            given, known = one.axes[axis], ALONE if alone and axis != GATE else LADDER[axis]
            kept = {n for point in own if given.holds(n := _on(axis, point))}
            values[axis] = sorted({*thin(given.within(known), MOST), *kept})
        found.append(Ladder(one.role, one.sweep, values))
    return found


def _on(axis: str, point: Point) -> int:
    head, tail, gate = point
    return {HEAD: head, TAIL: tail, GATE: gate, BOTH: head + tail}[axis]


@dataclass(frozen=True)
class Stops:
    """rows: the figures of every stop, over the corpus and of a typical cluster. needs: of the requests that are among
    the `listed` most at risk at any stop, what shows each dependency, a row a source."""

    rows: list[Row]
    needs: list[Row]
    listed: int


def stops(number: int, ladder: Ladder, ground: Ground, corpus: Sequence[Prepared], terms: Terms) -> Stops:
    """All of one ladder, exact."""
    known, points, state = ladder.sweep.known, ladder.points, _states(ladder, corpus)
    tokens, usd = _costs(ladder, corpus, terms)
    visible, whole = np.zeros((2, len(points), known.transcripts))
    hidden, most = [], []
    for n, point in enumerate(points):
        some = ladder.sweep.shows(point)
        visible[n], whole[n] = ladder.sweep.evidence(some)
        hidden.append(np.bincount(state[~some], minlength=len(STATES)).tolist())
        most.append(_most(some, known.request_starts))
    usual, seen, bound = _typical_cost(tokens, known.identity, ground), *_evidence(whole, ground)
    rows: list[Row] = []
    for n, (head, tail, gate) in enumerate(points):
        row: Row = {"ladder": number, "role": ladder.role, "policy": ladder.sweep.shape.at(points[n]).label}
        row |= {"head": head, "tail": tail, "gate": gate, "tokens": int(tokens[n].sum()), "usd": _known(usd[n].sum())}
        row |= {"tokens_typical": _known(usual[n]), "visible": int(visible[n].sum()), "whole": int(whole[n].sum())}
        row |= {"whole_typical": _known(seen[n]), "bound": _known(bound[n])}
        rows.append(row | dict(zip(STATES[1:], hidden[n][1:], strict=True)))
    needs, listed = _needs(number, ladder, most, state, corpus)
    return Stops(rows, needs, listed)


def _typical_cost(tokens: Floats, identity: Floats, ground: Ground) -> Floats:
    ratios = np.log(np.maximum(tokens, 1) / np.maximum(identity, 1))
    return np.asarray(np.exp(_typical(ratios, ground.clusters)), np.float64)


def _evidence(whole: Floats, ground: Ground) -> tuple[Floats, Floats]:
    """(P,) each: the share of requests that see all in a typical cluster, and the lower bound by which a setting is
    chosen; NaN where they are not identified."""
    some = ground.bearing > 0
    clusters = [c for c, b in zip(ground.clusters, some.tolist(), strict=True) if b]
    nothing = np.full(len(whole), np.nan)
    if not clusters:
        return nothing, nothing
    bound, _, identified = ground.evidence(whole)
    return _typical(whole[:, some] / ground.bearing[some], clusters), bound if identified else np.full(
        len(whole), np.nan
    )


def _known(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _typical(values: Floats, clusters: Sequence[str]) -> Floats:
    """(P,): of values, (P, T), the mean over clusters of the cluster's mean."""
    groups = Clusters.of(clusters)
    own = np.zeros((len(groups.member), groups.count))
    own[np.arange(len(own)), groups.member] = 1
    return np.asarray((values @ own / own.sum(axis=0)).mean(axis=1), np.float64)


def _costs(ladder: Ladder, corpus: Sequence[Prepared], terms: Terms) -> tuple[Floats, Floats]:
    """Input tokens and USD with a warm cache of every stop, (P, T) each; what a gate leaves alone costs as recorded,
    so that only heads and tails are rendered."""
    shape = ladder.sweep.shape
    cuts = list(dict.fromkeys(point[:2] for point in ladder.points))
    gates = ladder.values[GATE]
    policies = [shape.at((head, tail, 0)) for head, tail in cuts]
    sizes = iter(ladder.sweep.known.size.tolist())
    found = []
    for prepared in corpus:
        layout = prepared.layout
        shown = Shown(prepared, policies, terms.counter, search=False)
        size = np.array([next(sizes) for _ in layout.results], np.int64)
        own = np.array([prepared.recorded[i] for i in layout.results], np.int64)
        cut = np.array([shown.tokens[i][1][shown.tokens[i][0]] for i in layout.results], np.int64).reshape(
            -1, len(cuts)
        )
        framing = layout.framing[layout.results]
        each = []
        for gate in gates:
            matrix = np.tile(layout.fixed, (len(cuts), 1))
            matrix[:, layout.results] = framing + np.where(size < gate, own, cut.T)
            prompt, kept = prompt_sums(layout, matrix)
            each.append((prompt.sum(axis=1), prepared.billing.warm(prompt, kept).sum(axis=1)))
        found.append(np.array(each, np.float64))
    # (T, G, 2, C) to (2, C, G, T), as the stops are ordered.
    whole = np.stack(found).transpose(2, 3, 1, 0).reshape(2, len(cuts) * len(gates), len(corpus))
    return whole[0], whole[1]


def _states(ladder: Ladder, corpus: Sequence[Prepared]) -> Ints:
    """(D,) the state of each dependency where all of its sources are cut, as its place in `STATES`."""
    policy = ladder.sweep.shape.at((0, 0, 0))
    parse = policy.settings.get("parse", "recorded")
    found: list[int] = []
    for prepared in corpus:
        run, states = policy.start(prepared.transcript), EvidenceRun(prepared.borne)
        views = {}
        for i in prepared.layout.results:
            result = prepared.transcript.messages[i].result
            assert result is not None
            call = prepared.transcript.messages[result.call[0]].calls[result.call[1]] if result.call else None
            views[i] = run.admit(i, result, call)
        for k, request in enumerate(prepared.borne.requests):
            if request.borne:
                found += [STATES.index(state) for state, _ in states.states(k, views, parse)]
    return np.array(found, np.int64)


def _most(some: Mask, request_starts: Ints) -> Ints:
    """Of requests, those that hide most, of equals the first; none that hides nothing."""
    if not len(some):
        return np.zeros(0, np.int64)
    hidden = np.add.reduceat(~some, request_starts, dtype=np.int64)
    order = np.argsort(-hidden, kind="stable")[: LISTED[0]]
    return np.asarray(order[hidden[order] > 0], np.int64)


def _needs(
    number: int, ladder: Ladder, most: Sequence[Ints], state: Ints, corpus: Sequence[Prepared]
) -> tuple[list[Row], int]:
    """Rows of the requests most at risk, and how many a stop they are."""
    known = ladder.sweep.known
    dependencies = np.append(known.request_starts, len(known.dependency_starts))
    pairs = np.append(known.dependency_starts, len(known.result))
    names = [(p.transcript.id, k) for p in corpus for k, r in enumerate(p.borne.requests, 1) if r.borne]
    for listed in LISTED:
        chosen = sorted({q for own in most for q in own[:listed].tolist()})
        if sum(int(pairs[dependencies[q + 1]] - pairs[dependencies[q]]) for q in chosen) <= PAIRS:
            break
    rows: list[Row] = []
    for q in chosen:
        transcript, request = names[q]
        for n, d in enumerate(range(dependencies[q], dependencies[q + 1]), 1):
            own: Row = {"ladder": number, "transcript": transcript, "request": request, "dependency": n}
            rows += (
                own | {"state": STATES[state[d]]} | ladder.sweep.needs(pair) for pair in range(pairs[d], pairs[d + 1])
            )
    return rows, listed
