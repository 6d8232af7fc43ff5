"""Recorded model ids as they come from providers, clouds and gateways."""

from __future__ import annotations

import pytest

from harness.errors import HarnessError
from harness.money.models import price_name
from harness.money.tariffs import Tariffs, named_tariff


@pytest.mark.parametrize(
    ("recorded", "name"),
    [
        ("claude-sonnet-4-20250514", "claude-sonnet-4-0"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        (
            "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-5-sonnet-20241022-v2:0",
            "claude-3-5-sonnet",
        ),
        ("publishers/anthropic/models/claude-opus-4-1@20250805", "claude-opus-4-1"),
        ("openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("claude-4.5-sonnet-thinking", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5[1m]", "claude-sonnet-4-5"),
        ("claude-3-5-haiku-20241022", "claude-3-5-haiku-latest"),
        ("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
        ("openai.gpt-oss-120b-1:0", "gpt-oss-120b"),
        ("gpt-5-codex", "gpt-5"),
        ("google/gemini-3-pro-preview", "gemini-3-pro-preview"),
        ("gemini-2.5-pro-preview-05-06", "gemini-2.5-pro"),
        ("gemini-2.0-flash-001", "gemini-2.0-flash"),
    ],
)
def test_a_recorded_id_is_known(recorded: str, name: str) -> None:
    assert price_name(recorded) == name


@pytest.mark.parametrize("recorded", ["", "scripted", "anthropic/claude-opus-4.8-fast", "meta-llama/llama-4-maverick"])
def test_what_has_another_price_or_none_is_not_guessed(recorded: str) -> None:
    assert price_name(recorded) is None
    assert Tariffs().of(recorded) is None


def test_a_named_model_overrides_what_was_recorded() -> None:
    named = Tariffs("claude-haiku-4-5-20251001").of("gpt-5.4")
    assert named is not None
    assert named.model.name == "claude-haiku-4-5"
    assert Tariffs(cache="none").requests(["gpt-5.4", None]).caches[0].name == "none"


def test_a_model_without_cache_rules_is_priced_all_the_same() -> None:
    tariff = Tariffs().of("grok-4.5")
    assert tariff is not None
    assert tariff.cache.name == "unknown"
    with pytest.raises(HarnessError, match="--cache"):
        named_tariff("grok-4.5")


def test_a_name_that_nobody_knows() -> None:
    with pytest.raises(HarnessError, match="no prices for a model called"):
        Tariffs("claude-opus-99").check()
