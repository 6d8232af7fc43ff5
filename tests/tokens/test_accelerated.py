"""The accelerator counts as tiktoken does, and where it would not, tiktoken counts."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import HarnessError
from harness.tokens import accelerated
from harness.tokens.accelerated import EVERY, AcceleratedTokenizer, accelerator, sample
from harness.tokens.counter import TokenCounter, open_counter, quickest
from harness.tokens.exact import LONG_RUN, ExactTokenizer
from tests.tokens.awkward import AWKWARD, TEXTS, WITH_SURROGATES

ENCODINGS = ("o200k_base", "cl100k_base", "o200k_harmony")


@pytest.fixture
def toktok() -> Any:
    return pytest.importorskip("toktok")


@pytest.fixture(autouse=True)
def asked_anew() -> None:
    quickest.cache_clear()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_sample_holds_what_tiktoken_counts(encoding: str) -> None:
    counts = sample(encoding)
    assert len(counts) > 40
    assert all(ExactTokenizer(encoding).count(text) == count for text, count in counts)


@pytest.mark.usefixtures("toktok")
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=150, deadline=None)
@given(text=st.one_of(TEXTS, WITH_SURROGATES))
def test_equals_tiktoken(encoding: str, text: str) -> None:
    assert AcceleratedTokenizer(encoding).count(text) == ExactTokenizer(encoding).count(text)


@pytest.mark.usefixtures("toktok")
@pytest.mark.parametrize(
    "text",
    [
        "\u017fa'\u017f",
        "it'\u017f\u017f x'\u017fs",
        "'\u017ft" * 50,
        "".join(AWKWARD),
        "\ud800x",
        "x" + " " * LONG_RUN + "y",
    ],
    ids=range(6),
)
def test_texts_on_which_they_may_differ_go_to_tiktoken(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    found = AcceleratedTokenizer("o200k_base")
    monkeypatch.setattr(found, "_accelerated", None)
    assert found.count(text) == ExactTokenizer("o200k_base").count(text)


@pytest.mark.usefixtures("toktok")
def test_it_is_the_default_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HARNESS_TOKENIZER", raising=False)
    assert open_counter("o200k_base").tokenizer == "toktok"
    monkeypatch.setenv("HARNESS_TOKENIZER", "tiktoken")
    assert open_counter("o200k_base").tokenizer == "tiktoken"


def test_without_the_package_tiktoken_counts_and_asking_for_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "toktok", None)
    monkeypatch.delenv("HARNESS_TOKENIZER", raising=False)
    assert open_counter("o200k_base").tokenizer == "tiktoken"
    with pytest.raises(HarnessError, match="pip install toktok-rs"):
        TokenCounter("o200k_base", tokenizer="toktok")


@pytest.mark.usefixtures("toktok")
def test_one_that_miscounts_the_sample_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AcceleratedTokenizer, "_accelerated", lambda self, text: len(text))
    assert "where tiktoken counts" in accelerator("o200k_base")
    assert quickest("o200k_base") == "tiktoken"


@pytest.mark.usefixtures("toktok")
def test_one_that_miscounts_later_stops_the_run_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = AcceleratedTokenizer("o200k_base")
    monkeypatch.setattr(found, "_accelerated", lambda text: 7)
    for _ in range(EVERY - 1):
        assert found.count("hello world") == 7
    with pytest.raises(HarnessError, match="counts 7 tokens in a text of 11 characters where tiktoken counts 2"):
        found.count("hello world")
    assert accelerated.EVERY == 1000
