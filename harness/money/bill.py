"""What requests cost, priced one by one: price tiers are cliffs on one request's size.

    cost(k) = (read x cached + write x (prompt - cached) + output x answer) / 1e6

A provider that charges for writing writes all of the prompt that it did not read, if the prompt is long enough to be
cached.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.money.cache import CacheProfile, Ints
from harness.money.prices import PriceModel, Rates

Floats = NDArray[np.float64]

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Tariff:
    """A model's prices with the rules of its cache."""

    model: PriceModel
    cache: CacheProfile

    def rates(self, prompt: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """Per request, USD per million tokens: plain input, cache read, cache write, output; each in the prompt's
        shape."""
        columns = [np.full(prompt.shape, rate) for rate in self._columns(self.model.base)]
        for over, above in self.model.tiers:
            dear = prompt > over
            for column, rate in zip(columns, self._columns(above), strict=True):
                column[dear] = rate
        return columns[0], columns[1], columns[2], columns[3]

    def _columns(self, rates: Rates) -> tuple[float, float, float, float]:
        write = rates.cache_write_1h if self.cache.lifetime == HOUR else rates.cache_write
        return rates.input, rates.cache_read, write, rates.output

    def uncached(self, prompt: Ints, output: Ints) -> Floats:
        """USD per request without any cache; arrays of any shapes that go together."""
        plain, _, _, out = self.rates(prompt)
        return np.asarray((plain * prompt + out * output) / 1e6)

    def cached(self, prompt: Ints, cached: Ints, output: Ints) -> Floats:
        """USD per request, `cached` tokens of its prompt being read from the cache and the rest written to it."""
        plain, read, write, out = self.rates(prompt)
        fresh = np.where(prompt >= self.cache.minimum, write, plain)
        return np.asarray((read * cached + fresh * (prompt - cached) + out * output) / 1e6)

    def break_even(self) -> float | None:
        """R = (write - read) / read at base prices: how many cached readings one rewritten token has to be paid back
        over. `None` where reading is free."""
        _, read, write, _ = self._columns(self.model.base)
        return (write - read) / read if read else None
