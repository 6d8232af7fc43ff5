"""Corpora where it is known which of two families is better."""

from __future__ import annotations

import numpy as np

from harness.decide.budgets import Path
from harness.decide.curves import WEIGHTINGS, Curve, Floats, Ground, Pair
from harness.decide.verdict import Cost, Source, Word, crossing_of, verdict
from harness.statistics.clusters import Clusters

BUDGETS = np.array([100, 300, 1000, 3000, 10_000, 30_000.0])
PATH = Path("a", tuple(f"a:bytes={int(b)}" for b in BUDGETS), tuple(BUDGETS), 2, "bytes")
PLANTED = ("A better", "B better", "equal", "alike", "crossing")
"""In words: *equal* in the mean, each request by itself may differ; *alike* but for three requests in a thousand."""


def draw(rng: np.random.Generator, clusters: int, planted: str, heavy: bool = False) -> Pair:
    """Three transcripts a cluster; sizes of results are log-normal. A keeps the start of a result, B its end. A
    dependency stands nearer the start where A is better, nearer the end where B is, anywhere where they are equal;
    where the curves cross, a third stands at the very start, the rest near the end but not at it."""
    member = np.repeat(np.arange(clusters), 3)
    count = len(member)
    size = np.exp(rng.normal(8.5, 1.0, (count, 12)))
    if heavy:
        size *= np.exp(rng.normal(0, 1.0, clusters))[member][:, None]
    bearing = rng.integers(1, 9, count).astype(np.float64)
    shared = rng.random((count, 8))
    near = np.clip(rng.normal(1.35, 0.1, clusters), 1, None)[member][:, None]
    place = {
        "A better": shared**near,
        "B better": 1 - shared**near,
        "equal": shared,
        "alike": shared,
        "crossing": np.where(rng.random((count, 8)) < 0.35, 0.01 * shared, 0.75 + 0.2 * shared),
    }[planted]
    costs: list[Floats] = []
    hidden: tuple[list[Floats], list[Floats]] = ([], [])
    own = size[:, :8]
    some = np.arange(8)[None, :] < bearing[:, None]
    for budget in BUDGETS:
        costs.append(np.minimum(size, budget).sum(axis=1) / 4 + 500)
        kept = budget / own
        a, b = place > kept, (1 - place) > kept
        if planted == "alike":
            b = a ^ (rng.random(a.shape) < 0.003)
        for side, missed in zip(hidden, (a, b), strict=True):
            side.append((missed & some & (kept < 1)).sum(axis=1).astype(np.float64))
    identity = size.sum(axis=1) / 4 + 500
    costs.append(identity)
    cost = np.stack(costs, axis=1)
    ends = [np.stack([*side, np.zeros(count)], axis=1) for side in hidden]
    ground = Ground(Clusters.of([f"c{n:03}" for n in member]), bearing, identity)
    return Pair(ground, Curve(cost, ends[0]), Curve(cost, ends[1]))


def word(pair: Pair, margin: float = 0.02) -> Word:
    """The verdict where calls cost nothing and there is one source."""
    gaps = {w: pair.gap(w, PATH.default) for w in WEIGHTINGS}
    costs: tuple[Cost, ...] = ("tokens", "with calls, low", "with calls, high")
    sources: list[Source] = []
    return verdict(dict.fromkeys(costs, gaps), margin, crossing_of(pair, PATH, margin), sources, PATH)[0]
