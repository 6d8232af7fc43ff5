"""What handles did in a recording of an agent that has them, and what it would have cost without.

Without handles each value would have stood in the prompt whole, and the model would have had to write each part out
that it passed on: both are estimated from the sizes that previews state, at the preview's own tokens per byte, cache
warm.
"""

from __future__ import annotations

from collections import Counter as Tally
from typing import Any

import numpy as np

from harness.evidence.handles import previews, uses
from harness.money.bill import RequestPrices
from harness.replay.ledger import Account, Counter, Layout


def handle_columns(layout: Layout, identity: Account, counter: Counter, prices: RequestPrices) -> dict[str, Any]:
    """The columns of one transcript. Estimates leave out what states no size, and count it."""
    transcript = layout.transcript
    shown = previews(transcript)
    named = uses(transcript)
    fates = Tally(use.fate for use in named)
    parts = {i: seen for i, seen in shown.items() if not seen.whole}
    density = {
        seen.handle: counter.count(seen.body) / max(len(seen.body.encode("utf-8", "surrogatepass")), 1)
        for seen in shown.values()
    }
    whole = {
        i: max(0, round(seen.size * density[seen.handle]) - counter.count(seen.body))
        for i, seen in parts.items()
        if seen.size is not None
    }
    written: Tally[int] = Tally()
    for use in named:
        if use.fate == "right" and use.size is not None:
            written[use.request] += max(0, round(use.size * density[use.handle]) - counter.count(use.text))
    prompt_tokens, prompt_usd = _carried(layout, identity, prices, whole)
    kept_tokens, kept_usd = _carried(layout, identity, prices, dict(written))
    *_, out = prices.rates(identity.prompt)
    at = {int(i): k for k, i in enumerate(layout.requests)}
    output_usd = sum(float(out[at[i]]) * tokens for i, tokens in written.items() if i in at) / 1e6
    return {
        "handles_given": len(shown),
        "handles_partly_shown": len(parts),
        "handles_size_not_stated": len(parts) - len(whole),
        "stated_bytes": sum(seen.size for seen in parts.values() if seen.size is not None),
        **{f"references_{fate}": fates[fate] for fate in ("right", "untold", "wrong", "invented")},
        "references_size_not_stated": sum(1 for use in named if use.fate == "right" and use.size is None),
        "written_out_tokens": sum(written.values()),
        "written_out_carried_tokens": kept_tokens,
        "written_out_cost": output_usd + kept_usd,
        "whole_values_tokens": prompt_tokens,
        "whole_values_cost": prompt_usd,
    }


def _carried(layout: Layout, identity: Account, prices: RequestPrices, more: dict[int, int]) -> tuple[int, float]:
    """Input tokens and USD if messages had so many tokens more, in every prompt that shows them."""
    if not more:
        return 0, 0.0
    extra = np.zeros(len(layout.requests), np.int64)
    new = np.zeros_like(extra)
    before: set[int] = set()
    for k, (_, shown) in enumerate(layout.transcript.prompts()):
        standing = more.keys() & set(shown)
        extra[k] = sum(more[i] for i in standing)
        new[k] = sum(more[i] for i in standing - before)
        before = standing
    _, read, write, _ = prices.rates(identity.prompt + extra)
    return int(extra.sum()), float((write * new + read * (extra - new)).sum() / 1e6)
