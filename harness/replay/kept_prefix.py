"""How much of a prompt was read from the cache *as recorded* (METHOD, section 2, "Prefix cache").

The recorded read ends at a message of identity's prompt, the mark. A policy reads what is not recorded and its own
views up to the mark, or up to its first view that is not what it was at the request before. So equal views give the
recorded read to the token.
"""

from __future__ import annotations

import numpy as np

from harness.money.cache import Ints
from harness.replay.ledger import Account, Layout
from harness.replay.recorded import Recorded


def marks(layout: Layout, identity: Account, usage: Recorded) -> Ints:
    """Per request, how many messages of identity's prompt the recorded read held: to the nearest. 0 where nothing was
    recorded.

    Places in the bill are scaled to our counts: what is not recorded stands in front, as large as at the first request
    with usage, and the rest is stretched so that identity's prompt is the billed one.
    """
    found = np.zeros(len(layout.requests), np.int64)
    if not usage.split.any():
        return found
    first = int(np.argmax(usage.known))
    front = max(int(usage.prompt[first] - identity.prompt[first]), 0)
    tokens = _arrived(layout, identity)
    before = _before(tokens)
    for k, i in enumerate(layout.requests.tolist()):
        if not usage.split[k] or not usage.read[k]:
            continue
        unseen = min(front, int(usage.prompt[k]))
        scale = (usage.prompt[k] - unseen) / max(int(identity.prompt[k]), 1)
        place = (usage.read[k] - unseen) / scale - layout.head if scale else 0.0
        ends = _ends(layout, tokens, before, k, i)
        after = int(np.searchsorted(ends, place))
        nearest = [n for n in (after - 1, after) if 0 <= n < len(ends)]
        found[k] = min(nearest, key=lambda n: abs(ends[n] - place))
    return found


def leading_tokens(layout: Layout, account: Account, places: Ints) -> Ints:
    """Per request, tokens of the first so many messages of its prompt, in the views that it has there."""
    if account.changes:
        return _rewritten(layout, account, places)
    tokens = _arrived(layout, account)
    before = _before(tokens)
    found = before[places]
    for number, cut in enumerate(layout.transcript.cuts, 1):
        own = np.flatnonzero(layout.boundary == number)
        keep = _before(tokens[list(cut.keep)])
        inside = np.minimum(places[own], len(cut.keep))
        found[own] = keep[inside] + before[cut.at + places[own] - inside] - before[cut.at]
    return found + layout.head


def _rewritten(layout: Layout, account: Account, places: Ints) -> Ints:
    tokens = _arrived(layout, account)
    found = np.zeros(len(places), np.int64)
    for k, (_, shown) in enumerate(layout.transcript.prompts()):
        for i, count in account.changed_tokens[k].items():
            tokens[i] = count
        found[k] = tokens[shown[: places[k]]].sum()
    return found + layout.head


def _ends(layout: Layout, tokens: Ints, before: Ints, k: int, i: int) -> Ints:
    """Where each message of prompt k ends, from 0, in identity's views."""
    cuts = int(layout.boundary[k])
    if not cuts:
        return before[: i + 1]
    cut = layout.transcript.cuts[cuts - 1]
    keep = _before(tokens[list(cut.keep)])
    return np.concatenate([keep, keep[-1] + before[cut.at + 1 : i + 1] - before[cut.at]])


def _arrived(layout: Layout, account: Account) -> Ints:
    """(M,) tokens of every message as it arrived."""
    tokens = layout.fixed.copy()
    for i, count in account.arrived.items():
        tokens[i] = count
    return tokens


def _before(tokens: Ints) -> Ints:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(tokens)])
