"""Prices and bills, against figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from harness.errors import HarnessError
from harness.money.bill import Tariff
from harness.money.cache import cache_profile
from harness.money.prices import cache_for, price_model, price_models


def tariff(name: str) -> Tariff:
    model = price_model(name)
    return Tariff(model, cache_for(model))


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude-opus-5-5", 24),
        ("claude-fable-5-2", 49),
        ("claude-haiku-4-5", 11.5),
        ("gpt-5.4", 9),
        ("gpt-6.1-sol", 24),
    ],
)
def test_break_even_of_known_models(name: str, expected: float) -> None:
    assert tariff(name).break_even() == pytest.approx(expected)


def test_a_request_with_and_without_cache_by_hand() -> None:
    t = tariff("claude-opus-5-5")
    assert t.uncached(ints(10_000), ints(500)) == pytest.approx([(10_000 * 4 + 500 * 20) / 1e6])
    expected = (8_000 * 0.2 + 2_000 * 5 + 500 * 20) / 1e6
    assert t.cached(ints(10_000), ints(8_000), ints(500)) == pytest.approx([expected])


def test_a_prompt_too_short_to_be_cached_costs_plain_input() -> None:
    t = tariff("claude-haiku-4-5")
    assert t.cached(ints(4_095, 4_096), ints(0, 0), ints(0, 0)) == pytest.approx([4_095 * 1 / 1e6, 4_096 * 1.25 / 1e6])


def test_a_tier_is_a_cliff_on_one_request() -> None:
    t = tariff("gpt-5.4")
    below, above = t.uncached(ints(272_000, 272_001), ints(0, 0))
    assert below == pytest.approx(272_000 * 2.5 / 1e6)
    assert above == pytest.approx(272_001 * 5 / 1e6)


def test_without_a_fee_for_writing_fresh_tokens_cost_plain_input() -> None:
    t = tariff("gpt-5.4")
    assert t.cached(ints(5_000), ints(4_096), ints(0)) == pytest.approx([(4_096 * 0.25 + 904 * 2.5) / 1e6])


def test_entries_of_an_hour_are_written_at_their_own_rate() -> None:
    t = Tariff(price_model("claude-opus-5-5"), cache_profile("anthropic-1h"))
    assert t.cached(ints(2_000), ints(0), ints(0)) == pytest.approx([2_000 * 8 / 1e6])


def test_cache_rules_follow_the_model() -> None:
    assert cache_for(price_model("claude-opus-5-5")).minimum == 512
    assert cache_for(price_model("claude-opus-4-7")).minimum == 2048
    assert cache_for(price_model("claude-fable-5-2")).minimum == 1024
    assert cache_for(price_model("gpt-5.4")).name == "openai"
    assert cache_for(price_model("gpt-6.1-sol")).name == "openai-30m"


def test_unknown_models_and_rules_are_refused_with_what_to_do() -> None:
    with pytest.raises(HarnessError, match="near: claude-opus-5"):
        price_model("claude-opus-5.6")
    stranger = next(m for m in price_models().values() if m.provider == "x-ai")
    with pytest.raises(HarnessError, match="name some with --cache"):
        cache_for(stranger)


def test_every_model_of_the_snapshot_is_dated_and_not_free_to_write() -> None:
    models = price_models()
    assert len(models) > 100
    for model in models.values():
        assert model.as_of == "2026-11-30"
        assert model.base.cache_write >= model.base.cache_read
