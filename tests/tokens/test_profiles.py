"""Token profiles are constants: a changed figure must be a new name."""

from __future__ import annotations

import dataclasses

import pytest

from harness.errors import HarnessError
from harness.tokens.profiles import DEFAULT_PROFILE, PROFILES, token_profile
from harness.tokens.vocabulary import load_encoding, rank_file


def test_the_constants_of_each_name() -> None:
    constants = {p.name: (p.encoding, p.per_message, p.priming, p.per_call) for p in PROFILES.values()}
    assert constants == {
        "openai-chat-3-3": ("o200k_base", 3, 3, 0),
        "openai-chat-3-3-cl100k": ("cl100k_base", 3, 3, 0),
        "harmony": ("o200k_harmony", 4, 2, 13),
        "content-only": ("o200k_base", 0, 0, 0),
        "content-only-cl100k": ("cl100k_base", 0, 0, 0),
    }
    assert [rank_file(p.encoding).tokens for p in PROFILES.values()]
    assert all(p.source and p.tool_definitions for p in PROFILES.values())


def test_the_default() -> None:
    assert token_profile() is token_profile(DEFAULT_PROFILE) is PROFILES["openai-chat-3-3"]
    assert {token_profile().message_framing(role) for role in ("system", "user", "assistant", "tool")} == {3}


def test_harmony_frames_as_its_format_does() -> None:
    encoding = load_encoding("o200k_harmony")

    def tokens(text: str) -> int:
        return len(encoding.encode(text, allowed_special="all"))

    harmony = token_profile("harmony")
    tool, name = "functions.read_file", tokens("read_file")
    assert name == 2
    call = f"<|start|>assistant<|channel|>commentary to={tool} <|constrain|>json<|message|><|call|>"
    assert harmony.priming == tokens("<|start|>assistant")
    assert harmony.per_call + name == tokens(call)
    assert {role: harmony.message_framing(role) for role in ("system", "user", "assistant", "tool")} == {
        "system": tokens("<|start|>system<|message|><|end|>"),
        "user": tokens("<|start|>user<|message|><|end|>"),
        "assistant": tokens("<|start|>assistant<|channel|>final<|message|><|end|>"),
        "tool": tokens(f"<|start|>{tool} to=assistant<|channel|>commentary<|message|><|end|>"),
    }


def test_a_miss_lists_the_names_and_guesses() -> None:
    with pytest.raises(HarnessError, match=r"called 'openai-chat-3-4' \(did you mean 'openai-chat-3-3'\?\)"):
        token_profile("openai-chat-3-4")
    with pytest.raises(HarnessError, match=r"called 'zzz'; there are: openai-chat-3-3, .*content-only"):
        token_profile("zzz")


def test_profiles_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        token_profile().priming = 4  # type: ignore[misc]
    with pytest.raises(TypeError):
        token_profile("harmony").per_role["tool"] = 0  # type: ignore[index]
