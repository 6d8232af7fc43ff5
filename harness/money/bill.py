"""What requests cost, priced one by one: price tiers are cliffs on one request's size.

As billed, with what the provider read from and wrote to its cache:

    cost(k) = (read x cached + write x written + write_1h x written for an hour + input x rest + output x answer) / 1e6

As modelled, where only the kept prefix is known: a provider that charges for writing writes all of the prompt that it
did not read, if the prompt is long enough to be cached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.money.cache import CacheProfile, Ints
from harness.money.prices import PriceModel, Rates

Floats = NDArray[np.float64]

Amounts = Ints | Floats

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Tariff:
    """A model's prices with the rules of its cache."""

    model: PriceModel
    cache: CacheProfile

    def rates(self, prompt: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """Per request, USD per million tokens: plain input, cache read, cache write, output; each in the prompt's
        shape."""
        return self._at(prompt, self._columns)

    def _columns(self, rates: Rates) -> tuple[float, float, float, float]:
        write = rates.cache_write_1h if self.cache.lifetime == HOUR else rates.cache_write
        return rates.input, rates.cache_read, write, rates.output

    def _at(
        self, prompt: Ints, columns_of: Callable[[Rates], tuple[float, float, float, float]]
    ) -> tuple[Floats, Floats, Floats, Floats]:
        columns = [np.full(prompt.shape, rate) for rate in columns_of(self.model.base)]
        for over, above in self.model.tiers:
            dear = prompt > over
            for column, rate in zip(columns, columns_of(above), strict=True):
                column[dear] = rate
        return columns[0], columns[1], columns[2], columns[3]

    def uncached(self, prompt: Ints, output: Ints) -> Floats:
        """USD per request without any cache; arrays of any shapes that go together."""
        plain, _, _, out = self.rates(prompt)
        return np.asarray((plain * prompt + out * output) / 1e6)

    def cached(self, prompt: Ints, cached: Ints, output: Ints) -> Floats:
        """USD per request, `cached` tokens of its prompt being read from the cache and the rest written to it."""
        plain, read, write, out = self.rates(prompt)
        fresh = np.where(prompt >= self.cache.minimum, write, plain)
        return np.asarray((read * cached + fresh * (prompt - cached) + out * output) / 1e6)

    def billed(self, prompt: Ints, read: Ints, written: Amounts, hour: Amounts, output: Ints) -> Floats:
        """USD per request as a provider bills it. written: to the cache, of which `hour` for an hour; the rest of the
        prompt is plain input."""
        plain, reading, write, out = self._at(prompt, lambda r: (r.input, r.cache_read, r.cache_write, r.output))
        _, _, write_1h, _ = self._at(prompt, lambda r: (0.0, 0.0, r.cache_write_1h, 0.0))
        rest = prompt - read - written
        usd = reading * read + write * (written - hour) + write_1h * hour + plain * rest + out * output
        return np.asarray(usd / 1e6)

    @property
    def charges_for_writing(self) -> bool:
        return self.model.base.cache_write != self.model.base.input

    def break_even(self) -> float | None:
        """R = (write - read) / read at base prices: how many cached readings one rewritten token has to be paid back
        over. `None` where reading is free."""
        _, read, write, _ = self._columns(self.model.base)
        return (write - read) / read if read else None


class RequestPrices:
    """The tariffs of R requests, each that of the model which answered it.

    Methods take arrays whose last axis is the requests, and give USD, `nan` where a model's price is not known.
    """

    def __init__(self, tariffs: Sequence[Tariff | None], caches: Sequence[CacheProfile]) -> None:
        self.tariffs = list(tariffs)
        self.caches = list(caches)

    @classmethod
    def uniform(cls, tariff: Tariff, requests: int) -> RequestPrices:
        """All requests at one tariff."""
        return cls([tariff] * requests, [tariff.cache] * requests)

    def take(self, requests: Ints) -> RequestPrices:
        """The prices of some requests, by their places."""
        return RequestPrices([self.tariffs[k] for k in requests], [self.caches[k] for k in requests])

    def hits(self, kept: Ints) -> Ints:
        """Cached tokens for kept prefixes, by the cache rules of each request."""
        found = np.zeros_like(kept)
        for profile in dict.fromkeys(self.caches):
            columns = [k for k, one in enumerate(self.caches) if one == profile]
            found[..., columns] = profile.hits(kept[..., columns])
        return found

    def rates(self, prompt: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """Per request, USD per million tokens: plain input, cache read, cache write, output."""
        found = np.full((4, *prompt.shape), np.nan)
        for tariff, columns in self._groups():
            found[..., columns] = np.stack(tariff.rates(prompt[..., columns]))
        return found[0], found[1], found[2], found[3]

    def uncached(self, prompt: Ints, output: Ints) -> Floats:
        return self._each(lambda tariff, p, o: tariff.uncached(p, o), prompt, output)

    def cached(self, prompt: Ints, cached: Ints, output: Ints) -> Floats:
        return self._each(lambda tariff, p, c, o: tariff.cached(p, c, o), prompt, cached, output)

    def billed(self, prompt: Ints, read: Ints, written: Amounts, hour: Amounts, output: Ints) -> Floats:
        return self._each(
            lambda tariff, p, r, w, h, o: tariff.billed(p, r, w, h, o), prompt, read, written, hour, output
        )

    def break_even(self) -> Floats:
        """Per request, (write - read) / read; `nan` where it is not known, and where reading is free."""
        found = np.full(len(self.tariffs), np.nan)
        for tariff, columns in self._groups():
            factor = tariff.break_even()
            found[columns] = np.nan if factor is None else factor
        return found

    def _each(self, cost: Callable[..., Floats], *arrays: NDArray[np.generic]) -> Floats:
        whole = np.broadcast_arrays(*arrays)
        found = np.full(whole[0].shape, np.nan)
        for tariff, columns in self._groups():
            found[..., columns] = cost(tariff, *(a[..., columns] for a in whole))
        return found

    def _groups(self) -> list[tuple[Tariff, list[int]]]:
        groups: dict[int, tuple[Tariff, list[int]]] = {}
        for k, tariff in enumerate(self.tariffs):
            if tariff is not None:
                groups.setdefault(id(tariff), (tariff, []))[1].append(k)
        return list(groups.values())
