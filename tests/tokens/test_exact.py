"""Counts are exact for any string."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness.errors import HarnessError
from harness.tokens.exact import LONG_RUN, ExactTokenizer, long_run, repaired
from harness.tokens.vocabulary import load_encoding
from tests.tokens.awkward import AWKWARD, TEXTS, WITH_SURROGATES

O200K = ExactTokenizer("o200k_base")
CL100K = ExactTokenizer("cl100k_base")
HARMONY = ExactTokenizer("o200k_harmony")
BOTH = pytest.mark.parametrize("tokenizer", [O200K, CL100K], ids=lambda tokenizer: tokenizer.encoding)


@cache
def oracle(encoding: str) -> Any:
    """An independent implementation in Rust, with the same vocabulary."""
    return pytest.importorskip("bpe_openai._bindings").tokenizer_for_encoding(encoding)


@pytest.mark.parametrize(
    ("text", "o200k", "cl100k"),
    [
        ("", 0, 0),
        ("hello world", 2, 2),
        ("<|endoftext|>", 7, 7),
        ("\ud83d", 1, 1),
        ("\ud83d\ude00", 1, 2),
        ("a\udc00b", 3, 3),
        ("\u2028", 1, 2),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_known_counts(text: str, o200k: int, cl100k: int) -> None:
    assert (O200K.count(text), CL100K.count(text)) == (o200k, cl100k)


def test_a_million_times_one_letter() -> None:
    assert O200K.count("a" * 1_000_000) == 125_000


def test_special_tokens_of_harmony_are_ordinary_text_too() -> None:
    text = "<|start|>assistant<|channel|>final<|message|>hi<|return|>"
    assert HARMONY.count(text) == O200K.count(text) > 15


@BOTH
@settings(max_examples=150, deadline=None)
@given(text=st.one_of(TEXTS, WITH_SURROGATES))
def test_ids_spell_the_text(tokenizer: ExactTokenizer, text: str) -> None:
    spelled = load_encoding(tokenizer.encoding).decode_bytes(tokenizer.ids(text))
    assert spelled == repaired(text).encode("utf-8")
    ends = tokenizer.token_ends(text)
    assert len(ends) == tokenizer.count(text)
    assert ends == sorted(set(ends))
    assert ends[-1:] == [len(spelled)][: len(ends)]


@BOTH
@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_equals_an_independent_implementation(tokenizer: ExactTokenizer, text: str) -> None:
    assert tokenizer.count(text) == oracle(tokenizer.encoding).count(text)


@BOTH
@pytest.mark.parametrize("unit", ["a", "=", "\n", "0", "日", "👍", "\0", "Aa", "\r\n", "\x1c", "ab "])
def test_long_unbroken_text(tokenizer: ExactTokenizer, unit: str) -> None:
    text = unit * 20_000
    assert tokenizer.count(text) == oracle(tokenizer.encoding).count(text)


@pytest.mark.parametrize(
    ("tokenizer", "text"),
    [
        (O200K, "x.\n" + "\u3000 " * 500_000 + "1\ud800"),
        (CL100K, "x" + "\t" * 1_000_000 + "y"),
        pytest.param(O200K, "\n" + " " * 1_000_000, marks=pytest.mark.slow),
        pytest.param(CL100K, "a\n" + " " * 1_000_000, marks=pytest.mark.slow),
        pytest.param(CL100K, ("a" + " " * 1_000_000 + "\n" + " " * 1_000_000 + "/b") * 2, marks=pytest.mark.slow),
    ],
    ids=["o200k before text", "cl100k before text", "o200k last", "cl100k last", "many runs"],
)
def test_a_million_blanks(tokenizer: ExactTokenizer, text: str) -> None:
    assert tokenizer.count(text) == oracle(tokenizer.encoding).count(repaired(text))


@BOTH
@settings(max_examples=150, deadline=None)
@given(before=TEXTS, after=TEXTS, run=st.text(" \t\u00a0\u3000\u2028", min_size=2, max_size=5))
def test_taking_out_a_run_of_blanks_changes_nothing(
    tokenizer: ExactTokenizer, before: str, after: str, run: str
) -> None:
    """The rule for long runs, tried on short ones, which tiktoken counts itself."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("harness.tokens.exact.LONG_RUN", 2)
        found = long_run(before + run + after)
    text = before + run + after
    assume(found is not None)
    assert found is not None
    assume(tokenizer is O200K or found[1] < len(text))
    assert tokenizer._ids_around(text, *found) == tokenizer.ids(text)


def test_only_along_run_before_text_is_taken_out() -> None:
    long = " " * LONG_RUN
    assert long_run("ab" + long + "c") == (2, 2 + LONG_RUN - 1)
    assert long_run("ab" + long) == (2, 2 + LONG_RUN)
    assert long_run("ab" + long + "\nc" + long + "\r") is None
    assert long_run("ab" + long[1:] + "c") is None


def test_every_awkward_text_has_a_count_alone_and_together() -> None:
    assert all(O200K.count(text) > 0 for text in AWKWARD)
    assert O200K.count("".join(AWKWARD)) == oracle("o200k_base").count("".join(AWKWARD))


def test_an_unknown_encoding_is_refused_at_once() -> None:
    with pytest.raises(HarnessError, match=r"no encoding called 'gpt-9'"):
        ExactTokenizer("gpt-9")
