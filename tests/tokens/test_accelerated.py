"""The optional accelerator counts as tiktoken does."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import HarnessError
from harness.tokens.accelerated import AcceleratedTokenizer
from harness.tokens.counter import TokenCounter
from harness.tokens.exact import ExactTokenizer
from tests.tokens.awkward import AWKWARD, TEXTS, WITH_SURROGATES


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base", "o200k_harmony"])
@settings(max_examples=150, deadline=None)
@given(text=st.one_of(TEXTS, WITH_SURROGATES))
def test_equals_tiktoken(encoding: str, text: str) -> None:
    pytest.importorskip("toktok")
    assert AcceleratedTokenizer(encoding).count(text) == ExactTokenizer(encoding).count(text)


def test_a_long_s_after_an_apostrophe() -> None:
    pytest.importorskip("toktok")
    for text in ("\u017fa'\u017f", "it'\u017f\u017f x'\u017fs", "'\u017ft" * 50, "".join(AWKWARD)):
        assert AcceleratedTokenizer("o200k_base").count(text) == ExactTokenizer("o200k_base").count(text)


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "toktok", None)
    with pytest.raises(HarnessError, match="pip install toktok-rs"):
        TokenCounter("o200k_base", tokenizer="toktok")
