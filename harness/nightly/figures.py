"""The figures that a night is judged by, of every kind of run."""

from __future__ import annotations

from harness.runs.kind import Better
from harness.runs.kinds import all_kinds


def better() -> dict[str, Better]:
    """Every figure that there is, by name, and which way is better."""
    return {name: way for kind in all_kinds().values() for name, way in kind.better.items()}


def timings() -> frozenset[str]:
    """Those that are times or rates: compared on one machine only, and by ratios."""
    return frozenset(name for kind in all_kinds().values() for name in kind.timings)


def worsening(better: Better, before: float, after: float) -> float:
    """How much worse, as a share of the baseline: positive is worse, 0 where no direction is. Infinite from zero."""
    if better == "neither" or before == after:
        return 0.0
    worse = after - before if better == "lower" else before - after
    return worse / abs(before) if before else worse * float("inf")
