"""Which part of a prompt the provider had seen before: the rules of prefix caches, as data.

Sources and dates stand with the profiles; a provider's page says more than these rules can (breakpoints, look-back), so
a hit counted here is the most that the provider would give.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import HarnessError

Ints = NDArray[np.int64]

NEVER = 2**63 - 1
"""The minimum of a profile without a cache: no prompt is as long."""


@dataclass(frozen=True, slots=True)
class CacheProfile:
    """block: a hit is a multiple of so many tokens. minimum: shorter prefixes are not cached. lifetime: seconds that an
    entry lives after its last use, `None` where the provider gives no promise."""

    name: str
    block: int
    minimum: int
    lifetime: float | None
    source: str
    as_of: str
    grade: str

    def to_record(self) -> dict[str, Any]:
        return asdict(self)

    def hits(self, kept: Ints) -> Ints:
        """Cached tokens for kept prefixes (METHOD: cut down to the block size, zero below the minimum)."""
        cut = kept // self.block * self.block
        return np.where(cut >= self.minimum, cut, 0)


@cache
def cache_profiles() -> dict[str, CacheProfile]:
    """All profiles by name."""
    text = files("harness.money").joinpath("cache_profiles.toml").read_text(encoding="utf-8")
    return {
        name: CacheProfile(**{"name": name, "lifetime": None} | table) for name, table in tomllib.loads(text).items()
    }


def cache_profile(name: str) -> CacheProfile:
    """The profile of that name. An unknown name is a `HarnessError` that lists all."""
    known = cache_profiles()
    if name not in known:
        raise HarnessError(f"no cache profile called {name!r}; there are: {', '.join(known)}")
    return known[name]


def alive(
    starts: Sequence[float | None], lifetimes: Sequence[float | None], models: Sequence[str | None]
) -> list[bool | None]:
    """Per request, whether the entry that the request before it wrote or read still lived when it started.

    starts: seconds since the epoch. lifetimes: of the entries that each request uses. An entry is of one model. `None`
    where a time is missing or the clock went backwards, or there is no promise.
    """
    known: list[bool | None] = [False] if starts else []
    for k in range(1, len(starts)):
        before, now, lifetime = starts[k - 1], starts[k], lifetimes[k]
        if models[k] != models[k - 1]:
            known.append(False)
        elif lifetime is None or before is None or now is None or now < before:
            known.append(None)
        else:
            known.append(now - before <= lifetime)
    return known
