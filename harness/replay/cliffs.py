"""Cache cliffs: requests that read less than half of the prefix that they should have kept, with cause and price."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.money.bill import HOUR, RequestPrices
from harness.replay.ledger import Account, Layout
from harness.replay.recorded import Recorded

Columns = dict[str, list[Any]]


def cliff_columns(
    layout: Layout,
    identity: Account,
    usage: Recorded,
    prices: RequestPrices,
    models: list[str | None],
    starts: list[float | None],
) -> Columns:
    """Per request: lost_prefix, tokens that the request with usage before it had sent and that were not read from the
    cache, 0 where no half of them was lost, `None` where usage does not tell; lost_cause; lost_cost, USD over the price
    of reading them. Where nothing ever was read from the cache there is none to lose."""
    count = len(layout.requests)
    lost: list[int | None] = [None] * count
    causes = [""] * count
    costs: list[float | None] = [None] * count
    before: int | None = None
    for k in np.flatnonzero(usage.known).tolist() if (usage.read > 0).any() else ():
        if usage.split[k]:
            lost[k] = missing = 0 if before is None else _missing(usage, prices, before, k)
            if missing and before is not None:
                causes[k] = _cause(layout, identity, usage, prices, models, starts, before, k)
                costs[k] = _price(usage, prices, k, missing)
        before = k
    return {"lost_prefix": lost, "lost_cause": causes, "lost_cost": costs}


def _missing(usage: Recorded, prices: RequestPrices, before: int, k: int) -> int:
    whole = int(min(usage.prompt[before], usage.prompt[k]))
    read = int(usage.read[k])
    return whole - read if whole >= prices.caches[k].minimum and 2 * read < whole else 0


def _cause(
    layout: Layout,
    identity: Account,
    usage: Recorded,
    prices: RequestPrices,
    models: list[str | None],
    starts: list[float | None],
    before: int,
    k: int,
) -> str:
    cuts = layout.transcript.cuts[int(layout.boundary[before]) : int(layout.boundary[k])]
    if cuts:
        return "compaction" if any(c.kind == "compacted" for c in cuts) else "rewrite"
    if models[k] != models[before]:
        return "another model"
    lifetime = HOUR if (usage.hour[:k] > 0).any() else prices.caches[k].lifetime
    then, now = starts[before], starts[k]
    if lifetime is not None and then is not None and now is not None and now - then > lifetime:
        return "gap"
    shrunk = usage.prompt[k] < usage.prompt[before] and identity.prompt[k] >= identity.prompt[before]
    return "rewrite" if shrunk else "unknown"


def _price(usage: Recorded, prices: RequestPrices, k: int, missing: int) -> float | None:
    """What the lost tokens were billed, in the request's proportions of fresh and written, less what reading costs."""
    tariff = prices.tariffs[k]
    if tariff is None:
        return None
    at = slice(k, k + 1)
    share = missing / int(usage.prompt[k] - usage.read[k])
    prompt, read, nothing = usage.prompt[at], usage.read[at], np.zeros(1, np.int64)
    left = np.float64(1 - share)
    written, hour = usage.written[at], usage.hour[at]
    paid = tariff.billed(prompt, read, written, hour, nothing)
    kept = tariff.billed(prompt, read + missing, written * left, hour * left, nothing)
    return float((paid - kept)[0])
