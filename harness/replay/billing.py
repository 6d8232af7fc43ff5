"""The request columns of all policies at once: overflow, cached tokens and money, from matrices (policies by
requests)."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from harness.money.bill import Tariff
from harness.money.cache import Ints, alive
from harness.replay.ledger import Account, Layout

Columns = dict[str, list[Any]]


class Terms(Protocol):
    """What of a replay's settings prices and caching depend on."""

    @property
    def tariff(self) -> Tariff: ...

    @property
    def window(self) -> int: ...


def account_columns(
    layout: Layout, accounts: list[Account], terms: Terms, starts: list[float | None], unrecorded: list[int | None]
) -> list[Columns]:
    """The columns of every account, in their order.

    starts and unrecorded are given per request. Where the bill of the recording is known, what our count does not
    explain is part of every prompt that is priced, the same under every policy; it stands in front, so that it is
    kept.
    """
    tariff = terms.tariff
    prompt = np.stack([a.prompt for a in accounts])
    kept = np.stack([a.kept for a in accounts])
    lived = alive(starts, tariff.cache.lifetime)
    warm = tariff.cache.hits(kept)
    priced, priced_kept = with_unrecorded(prompt, kept, unrecorded)
    hits = tariff.cache.hits(priced_kept)
    living = np.array([bool(a) for a in lived], bool)
    recorded_cost = tariff.cached(priced, np.where(living, hits, 0), layout.output)
    matrices: dict[str, list[list[Any]]] = {
        "prompt_tokens": prompt.tolist(),
        "kept_tokens": kept.tolist(),
        "cached_warm": warm.tolist(),
        "cached_recorded": _known(np.where(living, warm, 0).tolist(), lived),
        "overflow": (prompt + layout.output > terms.window).tolist(),
        "removed_tokens": [a.removed.tolist() for a in accounts],
        "resent_tokens": [a.resent.tolist() for a in accounts],
        "cost_no_cache": tariff.uncached(priced, layout.output).tolist(),
        "cost_warm": tariff.cached(priced, hits, layout.output).tolist(),
        "cost_recorded": _known(recorded_cost.tolist(), lived),
    }
    return [{name: rows[p] for name, rows in matrices.items()} for p in range(len(accounts))]


def with_unrecorded(prompt: Ints, kept: Ints, unrecorded: list[int | None]) -> tuple[Ints, Ints]:
    """Prompts and kept prefixes as the provider saw them, as far as the recording tells."""
    extra = np.array([u or 0 for u in unrecorded], np.int64)
    whole = np.maximum(prompt + extra, 0)
    front = kept.copy()
    front[:, 1:] = np.clip(kept[:, 1:] + np.minimum(extra[1:], extra[:-1]), 0, whole[:, 1:])
    return whole, front


def _known(rows: list[list[Any]], known: list[bool | None]) -> list[list[Any]]:
    if all(k is not None for k in known):
        return rows
    return [[None if k is None else value for value, k in zip(row, known, strict=True)] for row in rows]
