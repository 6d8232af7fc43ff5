"""Made-up corpora with and without a planted jump at a spill limit: what `harness.after.limits` says of them.

    python -m tests.benchmarks.limit_coverage 1000

Prints a table for people and one line of JSON last. Sizes are lognormal about the limit, the chance to ask again bends
with size and differs between clusters.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pandas as pd

from harness.after.limits import at_limits

LIMIT, CLUSTERS, EACH = 30_000, 60, 60
JUMP = 0.15


def corpus(seed: int, jump: float = 0.0, heap: float = 0.0, middle: bool = False) -> pd.DataFrame:
    """A table of results. heap: share of results that stop just below the limit. middle: a cut that keeps most."""
    draw = np.random.default_rng(seed)
    n = CLUSTERS * EACH
    cluster = np.repeat(np.arange(CLUSTERS), EACH)
    x = draw.normal(draw.normal(0, 0.3, CLUSTERS)[cluster], 0.8)
    x = np.where(draw.random(n) < heap, -draw.uniform(0.0005, 0.01, n), x)
    size = np.maximum(np.round(LIMIT * np.exp(x)), 1)
    over = size > LIMIT
    chance = 0.25 + 0.1 * x - 0.03 * x**2 + draw.normal(0, 0.05, CLUSTERS)[cluster] + jump * over
    again = draw.random(n) < np.clip(chance, 0, 1)
    shown = np.where(over, LIMIT if middle else 2000, size)
    return pd.DataFrame(
        {
            "agent": "made-up", "tool": "Bash", "cluster": cluster.astype(str), "cut": np.where(over, "spilled", ""),
            "mark": np.where(over, "stub", ""), "shown_bytes": shown.astype(int), "whole_size": size.astype(int),
            "limited": False, "again": again, "act": np.where(again, "asked narrower", "went on"),
        }
    )  # fmt: skip


def tally(seeds: range) -> dict[str, Any]:
    """Shares over the corpora."""
    planted = [at_limits(corpus(seed, JUMP))[0] for seed in seeds]
    none = [at_limits(corpus(seed))[0] for seed in seeds]
    heaped = [at_limits(corpus(seed, JUMP, heap=0.05))[0] for seed in seeds]
    middle = [at_limits(corpus(seed, JUMP, middle=True))[0] for seed in seeds]
    told, silent = [r for r in planted if not r["why"]], [r for r in none if not r["why"]]
    return {
        "corpora": len(seeds),
        "identified": len(told) / len(planted),
        "coverage": float(np.mean([r["low"] <= JUMP <= r["high"] for r in told])),
        "found": float(np.mean([r["low"] > 0 for r in told])),
        "mean_jump": float(np.mean([r["jump"] for r in told])),
        "identified_without": len(silent) / len(none),
        "false_alarms": float(np.mean([not r["low"] <= 0 <= r["high"] for r in silent])),
        "heaping_found": float(np.mean(["heap" in r["why"] for r in heaped])),
        "middle_refused": float(np.mean(["most stays" in r["why"] for r in middle])),
    }


if __name__ == "__main__":
    found = tally(range(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
    for name, value in found.items():
        print(f"{name:20} {value:g}")
    print(json.dumps(found))
