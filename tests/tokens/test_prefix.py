"""Counts of cuts equal counts of the texts that the cuts leave."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.tokens import prefix
from harness.tokens.exact import ExactTokenizer
from harness.tokens.prefix import MIN_LENGTH, CutCounter
from tests.tokens.awkward import AWKWARD, TEXTS, WITH_SURROGATES

O200K = ExactTokenizer("o200k_base")
CL100K = ExactTokenizer("cl100k_base")
BOTH = pytest.mark.parametrize("tokenizer", [O200K, CL100K], ids=lambda tokenizer: tokenizer.encoding)
MARKERS = ("", "\n", "\n[... 1234 bytes elided ...]\n", "…", " ", "/", "\n\n  ")

LINES = (
    "def read(path: str) -> list[str]:",
    "    with open(path, encoding='utf-8') as file:  # it's closed",
    "\t\treturn [line.rstrip() for line in file]",
    "",
    "   ",
    "2026-01-02T03:04:05Z ERROR worker-7: can't reach 10.0.0.1:8080",
    "/usr/lib/python3/dist-packages/x.py:17: note",
    "// comment",
    '{"id": 12345, "name": "Ünïcödé", "tags": ["a", "b"]},',
    "日本語のテキスト、もう一つの行",
    "👍👩‍👩‍👧 done\r",
    "|---|---|",
    "\u2028odd\u2029 \x85line\x1cends",
)


def real_like(lines: int, seed: int) -> str:
    return "\n".join(random.Random(seed).choices(LINES, k=lines))


@pytest.fixture
def short_texts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix, "MIN_LENGTH", 0)


@BOTH
@settings(max_examples=250, deadline=None)
@given(
    text=st.one_of(TEXTS, WITH_SURROGATES, st.lists(st.sampled_from(LINES), max_size=8).map("\n".join)),
    middle=st.one_of(st.sampled_from(MARKERS), st.sampled_from(AWKWARD)),
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_any_splice_of_any_text(tokenizer: ExactTokenizer, text: str, middle: str, cuts: tuple[float, float]) -> None:
    end, start = (round(share * len(text)) for share in cuts)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(prefix, "MIN_LENGTH", 0)
        counter = CutCounter(text, tokenizer)
    assert counter.whole == tokenizer.count(text)
    assert counter.spliced(end, middle, start) == tokenizer.count(text[:end] + middle + text[start:])


@BOTH
@pytest.mark.usefixtures("short_texts_too")
def test_every_cut_of_a_text(tokenizer: ExactTokenizer) -> None:
    text = real_like(25, seed=1) + "\n \n/x\n  y\n"
    counter = CutCounter(text, tokenizer)
    assert len(counter._places) > 8
    for cut in range(len(text) + 1):
        assert counter.head(cut) == tokenizer.count(text[:cut])
        assert counter.tail(cut) == tokenizer.count(text[cut:])


@BOTH
@pytest.mark.parametrize("seed", [2, 3])
def test_large_texts(tokenizer: ExactTokenizer, seed: int) -> None:
    text = real_like(1500, seed)
    counter = CutCounter(text, tokenizer)
    assert len(counter._places) > 500
    draw = random.Random(seed)
    for _ in range(40):
        end, start = sorted(draw.choices(range(len(text) + 1), k=2))
        middle = draw.choice(MARKERS)
        assert counter.spliced(end, middle, start) == tokenizer.count(text[:end] + middle + text[start:])


def test_a_cut_of_a_large_text_counts_some_lines_only() -> None:
    counted: list[int] = []

    class Watched(ExactTokenizer):
        def count(self, text: str) -> int:
            counted.append(len(text))
            return super().count(text)

    text = real_like(3000, seed=4)
    counter = CutCounter(text, Watched("o200k_base"))
    for place in range(0, len(text), 500):
        counter.spliced(place, "...", len(text) - place)
    assert len(counted) > 100
    assert max(counted) < 1000


@pytest.mark.parametrize("text", ["short\n" * 10, "\ud83d\ude00 line\n" * 1000, "no line end " * 1000, ""])
def test_texts_without_places_are_counted_directly(text: str) -> None:
    counter = CutCounter(text, O200K)
    assert counter._places == []
    assert counter.whole == O200K.count(text)
    for cut in (0, 1, len(text) // 2, len(text)):
        if cut <= len(text):
            assert counter.head(cut) == O200K.count(text[:cut])
            assert counter.tail(cut) == O200K.count(text[cut:])
    assert len("short\n" * 10) < MIN_LENGTH


def test_a_cut_outside_of_the_text_is_a_bug() -> None:
    counter = CutCounter("abc", O200K)
    for end, start in ((-1, 0), (4, 0), (0, 4), (0, -1)):
        with pytest.raises(ValueError, match="text of 3 characters"):
            counter.spliced(end, "", start)
