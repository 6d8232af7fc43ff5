"""How often an interval of a total holds the truth: `python tests/benchmarks/coverage.py [draws]`.

Three made-up corpora (even, heavy-tailed, one giant). The clusters that are fixed are in every draw, the others are
drawn anew from 20,000; the truth is what the fixed ones and as many others would come to on average. Beside it a plain
percentile bootstrap over all clusters.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from harness.statistics.estimate import pooled
from harness.statistics.resampling import fixed

Floats = NDArray[np.float64]
SIZES = (15, 40, 63)
OTHERS = 20_000


def corpus(kind: str, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Weights and changes of the giants and of all others that there could be."""
    sigma = {"even": 0.2, "heavy-tailed": 1.2, "one giant": 0.6}[kind]
    weight = rng.lognormal(3, sigma, OTHERS)
    if kind == "one giant":
        weight = np.r_[1500.0, weight]
    return weight, -weight * rng.beta(2, 3, len(weight))


def plain(change: Floats, weight: Floats, rng: np.random.Generator) -> tuple[float, float]:
    drawn = rng.multinomial(len(weight), np.full(len(weight), 1 / len(weight)), 999)
    low, high = np.quantile((drawn @ change) / (drawn @ weight), [0.025, 0.975])
    return float(low), float(high)


def cell(kind: str, size: int, draws: int) -> dict[str, float | str | int]:
    rng = np.random.default_rng(size)
    weight, change = corpus(kind, rng)
    giants = np.arange(int(kind == "one giant"))
    printed = held = before = 0
    for _ in range(draws):
        drawn = np.r_[giants, len(giants) + rng.choice(OTHERS, size - len(giants), replace=False)].astype(int)
        c, w = change[drawn], weight[drawn]
        kept = fixed(c, w)
        own = drawn[kept] if kept is not None else giants
        rest = size - len(own)
        others = np.setdiff1d(np.arange(len(weight)), own)
        # Those that were fixed for their size are of this draw; what is like the rest is no larger than the smallest.
        if len(own) > len(giants):
            others = others[weight[others] <= weight[own].min()]
        truth = (change[own].sum() + rest * change[others].mean()) / (weight[own].sum() + rest * weight[others].mean())
        (found,) = pooled(c[None, :], w, [str(i) for i in drawn])
        if found.interval:
            printed += 1
            held += found.interval[0] <= truth <= found.interval[1]
        low, high = plain(c, w, rng)
        everyone = (change[giants].sum() + (size - len(giants)) * change[len(giants) :].mean()) / (
            weight[giants].sum() + (size - len(giants)) * weight[len(giants) :].mean()
        )
        before += low <= everyone <= high
    covers = held / printed if printed else float("nan")
    return {
        "corpus": kind,
        "clusters": size,
        "printed": printed / draws,
        "covers": covers,
        "plain": before / draws,
    }


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for kind in ("even", "heavy-tailed", "one giant"):
        for size in SIZES:
            row = cell(kind, size, draws)
            print(
                f"{row['corpus']:13} {row['clusters']:3} clusters: printed {row['printed']:.3f}, covers "
                f"{row['covers']:.3f} (a plain bootstrap {row['plain']:.3f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
