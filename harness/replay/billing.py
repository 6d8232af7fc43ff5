"""The request columns of all policies at once: overflow, cached tokens and money, from matrices (policies by
requests).

Money has three columns. *No cache*; *all warm*, if every entry still lived; *as recorded*: the recording's own reads
and writes, and the time between requests only where usage is silent. Where the size of the billed prompt is known, what
our count does not explain is part of every prompt that is priced, the same under every policy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.money.bill import Floats, RequestPrices
from harness.money.cache import Ints, alive
from harness.money.tariffs import Tariffs
from harness.replay.cliffs import cliff_columns
from harness.replay.kept_prefix import leading_tokens, marks
from harness.replay.ledger import Account, Layout
from harness.replay.recorded import Bools, Recorded, models_of, recorded

Columns = dict[str, list[Any]]


class Billing:
    """The bill of one transcript; one instance serves all policies. identity: the account that the recording is taken
    against. starts: when each request started."""

    def __init__(self, layout: Layout, identity: Account, tariffs: Tariffs, starts: list[float | None]) -> None:
        self.layout = layout
        self.identity = identity
        self.starts = starts
        self.usage: Recorded = recorded(layout)
        self.models = models_of(layout.transcript)
        self.prices: RequestPrices = tariffs.requests(self.models)
        self._marks = marks(layout, identity, self.usage)
        self._lived = alive(starts, [cache.lifetime for cache in self.prices.caches], self.models)

    def shared_columns(self) -> Columns:
        """What does not depend on a policy. `cost_model`: our tokens of identity, the cache guessed from times, the
        record not looked at."""
        identity, layout = self.identity, self.layout
        living = np.array([a is not False for a in self._lived], bool)
        hits = np.where(living, self.prices.hits(identity.kept), 0)
        return {
            "model": [model or "" for model in self.models],
            "priced_as": ["" if t is None else t.model.name for t in self.prices.tariffs],
            "output_counted": (~self.usage.answered & self.usage.complete(self.prices)).tolist(),
            "bill": _or_none(self.usage.bill(self.prices)),
            "cost_model": _or_none(self.prices.cached(identity.prompt, hits, layout.output)),
            **cliff_columns(layout, identity, self.usage, self.prices, self.models, self.starts),
        }

    def columns(self, accounts: list[Account], window: int) -> list[Columns]:
        """The columns of every account, in their order."""
        layout, prices, output = self.layout, self.prices, self.usage.output
        prompt = np.stack([a.prompt for a in accounts])
        kept = np.stack([a.kept for a in accounts])
        whole, front = self.with_unrecorded(prompt, kept)
        hits = prices.hits(front)
        read, cost, known = self._as_recorded(accounts, whole, hits)
        matrices: dict[str, list[list[Any]]] = {
            "prompt_tokens": prompt.tolist(),
            "kept_tokens": kept.tolist(),
            "cached_warm": prices.hits(kept).tolist(),
            "cached_recorded": _known(read.tolist(), known),
            "overflow": (prompt + layout.output > window).tolist(),
            "removed_tokens": [a.removed.tolist() for a in accounts],
            "resent_tokens": [a.resent.tolist() for a in accounts],
            "resent_price": [_or_none(a.resent * prices.break_even()) for a in accounts],
            "cost_no_cache": [_or_none(row) for row in prices.uncached(whole, output)],
            "cost_warm": [_or_none(row) for row in prices.cached(whole, hits, output)],
            "cost_recorded": [_or_none(row) for row in np.where(known, cost, np.nan)],
        }
        return [{name: rows[p] for name, rows in matrices.items()} for p in range(len(accounts))]

    def with_unrecorded(self, prompt: Ints, kept: Ints) -> tuple[Ints, Ints]:
        """Prompts and kept prefixes, (P, R), as the provider saw them, as far as the recording tells: what is not
        recorded stands in front, so that it is kept."""
        extra = np.where(self.usage.known, self.usage.prompt - self.identity.prompt, 0)
        whole = np.maximum(prompt + extra, 0)
        front = kept.copy()
        front[:, 1:] = np.clip(kept[:, 1:] + np.minimum(extra[1:], extra[:-1]), 0, whole[:, 1:])
        return whole, front

    def warm(self, prompt: Ints, kept: Ints) -> Floats:
        """USD, (P, R), if every cache entry still lived."""
        whole, front = self.with_unrecorded(prompt, kept)
        return self.prices.cached(whole, self.prices.hits(front), self.usage.output)

    def _as_recorded(self, accounts: list[Account], whole: Ints, hits: Ints) -> tuple[Ints, Floats, Bools]:
        """Tokens read and USD, both (P, R), and for which requests they are known, (R,)."""
        usage, prices = self.usage, self.prices
        lived = np.array([bool(a) for a in self._lived], bool)
        guessed = np.where(lived, hits, 0)
        read = np.where(usage.split, self._read(accounts, whole), guessed)
        rest = whole - read
        unread = np.maximum(usage.prompt - usage.read, 1)
        cost = prices.billed(whole, read, rest * (usage.written / unread), rest * (usage.hour / unread), usage.output)
        silent = prices.cached(whole, read, usage.output)
        timed = np.array([a is not None for a in self._lived], bool)
        return read, np.where(usage.complete(prices), cost, silent), np.asarray(usage.split | timed)

    def _read(self, accounts: list[Account], whole: Ints) -> Ints:
        """Where usage tells: what is not recorded, and the views up to the mark or the first that was changed."""
        marked = leading_tokens(self.layout, self.identity, self._marks)
        own = np.stack([leading_tokens(self.layout, a, np.minimum(self._marks, a.intact)) for a in accounts])
        read = np.clip(self.usage.read - marked + own, 0, whole)
        return np.where(read == self.usage.read, read, self.prices.hits(read))


def _or_none(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]


def _known(rows: list[list[Any]], known: Bools) -> list[list[Any]]:
    if known.all():
        return rows
    return [[value if k else None for value, k in zip(row, known.tolist(), strict=True)] for row in rows]
