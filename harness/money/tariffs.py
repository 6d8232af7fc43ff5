"""Whose prices apply: by default (`auto`) those of the model that answered each request, else those of a named one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from harness.errors import HarnessError
from harness.money import AUTO
from harness.money.bill import RequestPrices, Tariff
from harness.money.cache import cache_profile
from harness.money.models import price_name
from harness.money.prices import cache_for, price_model

UNKNOWN_CACHE = "unknown"


@dataclass(frozen=True, slots=True)
class Tariffs:
    """prices: a model of the snapshot, or `auto`. cache: a cache profile, or `auto` for that of the priced model."""

    prices: str = AUTO
    cache: str = AUTO

    def check(self) -> None:
        """A `HarnessError` for a name that is not known, or a named model without known cache rules."""
        if self.prices != AUTO:
            named_tariff(self.prices, self.cache)
        elif self.cache != AUTO:
            cache_profile(self.cache)

    def of(self, model: str | None) -> Tariff | None:
        """The tariff of a request that a model answered; `None` where its price is not known."""
        if self.prices != AUTO:
            return named_tariff(self.prices, self.cache)
        name = price_name(model) if model else None
        return _found_tariff(name, self.cache) if name else None

    def requests(self, models: Sequence[str | None]) -> RequestPrices:
        """The prices of requests, by the models that answered them."""
        tariffs = [self.of(model) for model in models]
        fallback = cache_profile(UNKNOWN_CACHE if self.cache == AUTO else self.cache)
        return RequestPrices(tariffs, [fallback if t is None else t.cache for t in tariffs])


@cache
def named_tariff(prices: str, cache_name: str = AUTO) -> Tariff:
    """A model's prices with its cache rules, or with those named. A `HarnessError` for what is not known."""
    model = price_model(price_name(prices) or prices)
    return Tariff(model, cache_for(model) if cache_name == AUTO else cache_profile(cache_name))


@cache
def _found_tariff(name: str, cache_name: str) -> Tariff:
    model = price_model(name)
    if cache_name != AUTO:
        return Tariff(model, cache_profile(cache_name))
    try:
        return Tariff(model, cache_for(model))
    except HarnessError:  # priced, but nobody has written down the rules of its cache
        return Tariff(model, cache_profile(UNKNOWN_CACHE))
