"""At the limit: an agent that spills or previews above a fixed size makes an experiment of itself (METHOD, section 8).

Results just under the limit arrive whole, those just over it as a stub. The jump of what agents do next is the effect
of switching to this rendering at this size, not of hiding. It is identified only where every condition holds; else the
first that does not is said. Sizes are compared as logarithms of their ratio to the limit. Calls that limit themselves
are left out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from harness.after.acts import BACK
from harness.statistics.discontinuity import Floats, Jump, density_jump, jump
from harness.statistics.significance import corrected

FEWEST_RESULTS = 200
FEWEST_CLUSTERS = 12
KNOWN = 0.95
"""Share of the results there whose whole size is told."""
DROP = 0.5
"""What is shown of a result just over the limit is at most this share of it."""
SHARP = 0.02
"""Share of all results, and of those within a factor of two of the limit, that may stand on its wrong side."""
NEAR = 1.25
"""Times the limit: just over it."""
HEAP = 0.05
"""Share of the results within the bandwidth that may have one and the same size."""
ALPHA = 0.05
OUTCOMES = ("again", "turned")
"""`again` decides: the same target asked for again. `turned`, also by opening the file or passing the handle, is under
Holm."""


@dataclass(frozen=True)
class AtLimit:
    """One agent and mark. limit: bytes or characters, found or named. below, above, clusters_*: within the bandwidth.
    jump, low, high, p: of *again*; turned_*: of *turned*, p corrected. density_p: that sizes do not jump; placebo_p:
    the smaller of two, corrected. why: the condition that fails; empty where the jump is identified."""

    agent: str
    mark: str
    limit: float | None
    why: str
    cut_results: int
    below: int | None = None
    above: int | None = None
    clusters_below: int | None = None
    clusters_above: int | None = None
    bandwidth: float | None = None
    jump: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    turned_jump: float | None = None
    turned_p: float | None = None
    density_p: float | None = None
    placebo_p: float | None = None


def at_limits(results: pd.DataFrame, named: float | None = None) -> list[dict[str, Any]]:
    """A row an agent and mark. results: the table of `harness after`. named: a limit to take in place of one found."""
    names = ["agent", "mark", "cut", "tool", "cluster", "act"]
    plain = results.astype(dict.fromkeys(names, str))
    rows = []
    for (agent, mark), cut in plain[plain["cut"] != ""].groupby(["agent", "mark"], sort=True):
        own = plain[(plain["agent"] == agent) & plain["tool"].isin(set(cut["tool"]))]
        rows.append(asdict(_at_limit(str(agent), str(mark), cut, own[own["cut"] == ""], named)))
    return rows


def _at_limit(agent: str, mark: str, cut: pd.DataFrame, whole: pd.DataFrame, named: float | None) -> AtLimit:
    def refused(why: str, limit: float | None = None) -> AtLimit:
        return AtLimit(agent, mark, limit, why, len(cut))

    told = cut[cut["whole_size"].notna()]
    if len(told) < KNOWN * len(cut):
        return refused(f"the whole size is told of {len(told)} of {len(cut)}")
    limit = named or find_limit(whole["whole_size"].to_numpy(float), told["whole_size"].to_numpy(float))
    if limit is None:
        return refused("no fixed limit: sizes of cut and of whole results overlap")
    over = told[told["whole_size"].astype(float) < NEAR * limit]
    shown = float((over["shown_bytes"] / over["whole_size"].astype(float)).median()) if len(over) else None
    if shown is None:
        return refused("no result just over the limit", limit)
    if shown > DROP:
        return refused(f"most stays in place at the limit ({shown:.0%} shown): a cut that starts from nothing", limit)
    both = pd.concat([whole, told])
    both = both[both["again"].notna() & ~both["limited"].astype(bool) & (both["whole_size"].astype(float) > 0)]
    x = np.log(both["whole_size"].to_numpy(float) / limit)
    x = np.where((x == 0) & (both["cut"] == ""), -1e-9, x)
    clusters = both["cluster"].tolist()
    again = both["again"].to_numpy(float)
    found = jump(x, again, clusters)
    if found is None:
        return refused("too few results on a side", limit)
    base = AtLimit(agent, mark, limit, "", len(cut), found.below, found.above, found.clusters_below,
                   found.clusters_above, found.bandwidth)  # fmt: skip
    few = min(found.below, found.above) < FEWEST_RESULTS
    if few or min(found.clusters_below, found.clusters_above) < FEWEST_CLUSTERS:
        return replace(base, why="too few results or clusters within the bandwidth")
    density = density_jump(x[np.abs(x) < np.log(4)])
    base = replace(base, density_p=density)
    near = np.abs(x) < found.bandwidth
    heap = pd.Series(both["whole_size"].to_numpy(float)[near]).value_counts(normalize=True).iloc[0]
    if heap > HEAP or (density is not None and density < ALPHA):
        return replace(base, why="the sizes heap or jump at the limit")
    placebo = _placebo(x, again, clusters, found)
    base = replace(base, placebo_p=placebo)
    if placebo is not None and placebo < ALPHA:
        return replace(base, why="a placebo limit shows a jump")
    turned = jump(x, both["act"].isin(BACK).to_numpy().astype(np.float64), clusters, found.bandwidth)
    ps = corrected([found.p, turned.p if turned else None], "holm")
    low, high = found.interval
    base = replace(base, jump=found.value, low=low, high=high, p=found.p)
    return replace(base, turned_jump=turned.value, turned_p=ps[1]) if turned else base


def find_limit(whole: Floats, cut: Floats) -> float | None:
    """The size that parts whole results from cut ones, but for `SHARP` of them; else `None`."""
    if not len(whole) or not len(cut):
        return None
    at = np.unique(np.concatenate([whole, cut]))
    wrong = np.searchsorted(np.sort(cut), at, "right") + len(whole) - np.searchsorted(np.sort(whole), at, "right")
    best = int(np.argmin(wrong))
    limit = float(at[best] + at[best + 1]) / 2 if best + 1 < len(at) else float(at[best])
    close = [sizes[(sizes > limit / 2) & (sizes < limit * 2)] for sizes in (whole, cut)]
    misplaced = int((close[0] > limit).sum() + (close[1] <= limit).sum())
    near, all_sizes = max(sum(map(len, close)), 1), len(whole) + len(cut)
    return limit if misplaced <= SHARP * near and wrong[best] <= SHARP * all_sizes else None


def _placebo(x: Floats, y: Floats, clusters: list[str], found: Jump) -> float | None:
    """The smaller p, corrected (Holm), of jumps at the median of either side, looked at on that side alone."""
    names = np.asarray(clusters, dtype=object)
    ps: list[float | None] = []
    for side in (x < 0, x >= 0):
        near = side & (np.abs(x) < 2 * found.bandwidth)
        middle = float(np.median(x[near]))
        h = min(found.bandwidth, float(np.abs(x[near] - middle).max()))
        other = jump(x[near] - middle, y[near], names[near].tolist(), h)
        ps.append(other.p if other else None)
    known = [p for p in corrected(ps, "holm") if p is not None]
    return min(known) if known else None
