"""Prices by model: a dated snapshot in the package, made by `tasks/prices/make.py`."""

from __future__ import annotations

import difflib
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from harness.errors import HarnessError
from harness.money.cache import CacheProfile, cache_profile, cache_profiles


@dataclass(frozen=True, slots=True)
class Rates:
    """USD per million tokens. cache_write: of the tokens that are written to the cache, where that costs extra."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_1h: float


@dataclass(frozen=True, slots=True)
class PriceModel:
    """A model's prices on the day of the snapshot.

    tiers: prompt sizes over which the whole request is priced otherwise, smallest first (cliffs, not brackets).
    aliases: other names that it is known by (`harness.money.models`).
    """

    name: str
    provider: str
    base: Rates
    tiers: tuple[tuple[int, Rates], ...]
    source: str
    as_of: str
    aliases: tuple[str, ...] = ()

    def to_record(self) -> dict[str, Any]:
        """The prices; by which other names the model is known changes no figure."""
        return {name: value for name, value in asdict(self).items() if name != "aliases"}


@cache
def price_models() -> Mapping[str, PriceModel]:
    """Every model of the snapshot by name."""
    snapshot = tomllib.loads(files("harness.money").joinpath("prices.toml").read_text(encoding="utf-8"))
    return {name: _model(name, table, snapshot) for name, table in snapshot["models"].items()}


def _model(name: str, table: dict[str, Any], snapshot: dict[str, Any]) -> PriceModel:
    given = {k: v for k, v in table.items() if k not in ("provider", "tiers", "aliases")}
    tiers = tuple(
        (t["over"], _rates(given | {k: v for k, v in t.items() if k != "over"})) for t in table.get("tiers", ())
    )
    aliases = tuple(table.get("aliases", ()))
    return PriceModel(name, table["provider"], _rates(given), tiers, snapshot["source"], snapshot["as_of"], aliases)


def _rates(given: Mapping[str, float]) -> Rates:
    """A price that is not in the snapshot is the input price: no discount for reading, no fee for writing."""
    plain = given["input"]
    write = given.get("cache_write", plain)
    return Rates(plain, given["output"], given.get("cache_read", plain), write, given.get("cache_write_1h", write))


def snapshot_source() -> dict[str, str]:
    """Where the prices come from, and of which day they are."""
    model = next(iter(price_models().values()))
    return {"source": model.source, "as_of": model.as_of}


def money_digest() -> str:
    """SHA-256 over all data that a price depends on: the snapshot, and the rules of caches."""
    names = ("prices.toml", "cache_profiles.toml", "cache_models.toml")
    texts = (files("harness.money").joinpath(name).read_bytes() for name in names)
    return hashlib.sha256(b"".join(texts)).hexdigest()


def price_model(name: str) -> PriceModel:
    """The prices of a model. An unknown name is a `HarnessError` with the nearest ones."""
    known = price_models()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=5, cutoff=0.4)
        raise HarnessError(
            f"no prices for a model called {name!r}; near: {', '.join(near) or 'none'} (harness list prices shows all)"
        )
    return known[name]


def cache_for(model: PriceModel) -> CacheProfile:
    """The cache rules that go with a model. A `HarnessError` where none are known says how to name some."""
    rules = tomllib.loads(files("harness.money").joinpath("cache_models.toml").read_text(encoding="utf-8"))
    for rule in rules["rules"]:
        if model.provider == rule["provider"] and model.name.startswith(tuple(rule.get("models", [""]))):
            profile = cache_profile(rule["cache"])
            return replace(profile, minimum=rule.get("minimum", profile.minimum))
    raise HarnessError(f"no cache rules known for {model.name}; name some with --cache: {', '.join(cache_profiles())}")
