"""Make the price snapshot of the package from genai-prices.

    pip install genai-prices==0.2.3
    python tasks/prices/make.py --date 2026-11-30 > harness/money/prices.toml

Prices are those of the default service tier on that day; batch, flex and priority tariffs are left out.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import genai_prices
from genai_prices import data
from genai_prices.types import TieredPrices

# A model that several sell is taken from the first.
PROVIDERS = ("anthropic", "openai", "google", "deepseek", "moonshotai", "x-ai")
RATES = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
}


def rates(prices: Any) -> tuple[dict[str, Decimal], dict[int, dict[str, Decimal]]]:
    """Base rates, and by prompt size the rates above it."""
    base: dict[str, Decimal] = {}
    tiers: dict[int, dict[str, Decimal]] = {}
    for name, attribute in RATES.items():
        value = getattr(prices, attribute)
        if isinstance(value, TieredPrices):
            base[name] = value.base
            for tier in value.tiers:
                tiers.setdefault(tier.start, {})[name] = tier.price
        elif value is not None:
            base[name] = value
    return base, tiers


def names(match: Any) -> set[str]:
    """The names and beginnings of names that a model is known by; rules of other kinds are left out."""
    found = {getattr(match, "equals", None), getattr(match, "starts_with", None)}
    inner = getattr(match, "or_", ())
    return {name for name in found if name}.union(*map(names, inner))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--date", type=date.fromisoformat, required=True)
    day = parser.parse_args().date
    noon = datetime.combine(day, time(12), UTC)
    print("# USD per million tokens. Made by tasks/prices/make.py: do not edit.")
    print(f'source = "genai-prices {genai_prices.__version__} (best effort; not guaranteed by any provider)"')
    print(f'as_of = "{day}"')
    found = {provider.id: provider for provider in data.providers}
    seen: set[str] = set()
    for provider in (found[name] for name in PROVIDERS):
        for model in sorted(provider.models, key=lambda m: m.id):
            base, tiers = rates(model.get_prices(noon))
            if "input" not in base or "output" not in base or model.id in seen:
                continue
            seen.add(model.id)
            print(f'\n[models."{model.id}"]\nprovider = "{provider.id}"')
            print(f"aliases = {json.dumps(sorted(names(model.match) - {model.id}))}")
            for name, value in base.items():
                print(f"{name} = {float(value)}")
            for start, above in sorted(tiers.items()):
                print(f'[[models."{model.id}".tiers]]\nover = {start}')
                for name, value in above.items():
                    print(f"{name} = {float(value)}")


if __name__ == "__main__":
    main()
