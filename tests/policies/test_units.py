"""Cuts in every unit, at every boundary that agents differ at."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.policies.units import UNITS, line_count, unit, utf8_length, utf16_length

ASCII, CJK, EMOJI = "abcdef", "日本語です", "😀😁😂"
COMBINING = unicodedata.normalize("NFD", "éé")  # e, accent, e, accent: 1 + 2 bytes each
FAMILY = "👩‍👧"  # two emoji and a joiner: 4 + 3 + 4 bytes, 2 + 1 + 2 code units, 3 code points
TEXT = st.text(st.characters(exclude_categories=()), max_size=40)

# unit, text, n, what a head of n is, what a tail of n is
CASES = [
    ("bytes", ASCII, 0, "", ""),
    ("bytes", ASCII, 5, "abcde", "bcdef"),
    ("bytes", ASCII, 6, ASCII, ASCII),
    ("bytes", ASCII, 7, ASCII, ASCII),
    ("bytes", CJK, 2, "", ""),
    ("bytes", CJK, 3, "日", "す"),
    ("bytes", CJK, 4, "日", "す"),
    ("bytes", CJK, 14, "日本語で", "本語です"),
    ("bytes", CJK, 15, CJK, CJK),
    ("bytes", EMOJI, 3, "", ""),
    ("bytes", EMOJI, 4, "😀", "😂"),
    ("bytes", EMOJI, 5, "😀", "😂"),
    ("bytes", EMOJI, 7, "😀", "😂"),
    ("bytes", EMOJI, 8, "😀😁", "😁😂"),
    ("bytes", COMBINING, 1, "e", ""),
    ("bytes", COMBINING, 2, "e", "\u0301"),
    ("bytes", COMBINING, 3, "e\u0301", "e\u0301"),
    ("bytes", COMBINING, 4, "e\u0301e", "e\u0301"),
    ("bytes", FAMILY, 7, "👩\u200d", "\u200d👧"),
    ("codepoints", CJK, 2, "日本", "です"),
    ("codepoints", EMOJI, 2, "😀😁", "😁😂"),
    ("codepoints", EMOJI, 3, EMOJI, EMOJI),
    ("codepoints", EMOJI, 4, EMOJI, EMOJI),
    ("codepoints", COMBINING, 3, "e\u0301e", "\u0301e\u0301"),
    ("codepoints", FAMILY, 2, "👩\u200d", "\u200d👧"),
    ("utf16", CJK, 2, "日本", "です"),
    ("utf16", EMOJI, 1, "", ""),
    ("utf16", EMOJI, 2, "😀", "😂"),
    ("utf16", EMOJI, 3, "😀", "😂"),
    ("utf16", EMOJI, 4, "😀😁", "😁😂"),
    ("utf16", "a😀b", 2, "a", "b"),
    ("utf16", "a😀b", 3, "a😀", "😀b"),
    ("utf16", FAMILY, 3, "👩\u200d", "\u200d👧"),
    ("lines", "a\nb\nc", 1, "a\n", "c"),
    ("lines", "a\nb\nc", 2, "a\nb\n", "b\nc"),
    ("lines", "a\nb\nc", 3, "a\nb\nc", "a\nb\nc"),
    ("lines", "a\nb\nc\n", 2, "a\nb\n", "b\nc\n"),
    ("lines", "a\nb\nc\n", 3, "a\nb\nc\n", "a\nb\nc\n"),
    ("lines", "a\nb\nc\n", 4, "a\nb\nc\n", "a\nb\nc\n"),
    ("lines", "\n\n", 1, "\n", "\n"),
    ("lines", "a\u2028b\rc", 1, "a\u2028b\rc", "a\u2028b\rc"),
    ("lines", "a\nb", 0, "", ""),
]


@pytest.mark.parametrize(("name", "text", "n", "head", "tail"), CASES)
def test_a_character_that_does_not_fit_whole_is_left_out_whole(
    name: str, text: str, n: int, head: str, tail: str
) -> None:
    measure = UNITS[name]
    assert text[: measure.head(text, n)] == head
    assert text[measure.tail(text, n) :] == tail


def test_lengths_differ_by_unit() -> None:
    assert [UNITS[name].length(EMOJI + CJK + ASCII) for name in ("bytes", "codepoints", "utf16")] == [33, 14, 17]
    assert (utf8_length("\ud83d"), utf16_length("\ud83d"), utf8_length("a\0b")) == (3, 1, 3)


def test_tokens4_are_bytes_by_four_rounded_up() -> None:
    measure = UNITS["tokens4"]
    assert measure.step == 4
    assert [-(-measure.length("x" * n) // 4) for n in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]
    assert -(-measure.length("日本") // 4) == 2  # 6 bytes


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1), ("\n\n", 2), ("a\r\nb\r\n", 2)]
)
def test_a_line_feed_ends_a_line_and_the_rest_is_one_more(text: str, count: int) -> None:
    assert line_count(text) == count


@given(TEXT, st.integers(0, 60), st.sampled_from(sorted(UNITS)))
def test_a_head_and_a_tail_are_the_longest_that_fit(text: str, n: int, name: str) -> None:
    measure = UNITS[name]
    head, tail = measure.head(text, n), measure.tail(text, n)
    assert measure.length(text[:head]) <= n
    assert measure.length(text[tail:]) <= n
    assert head == len(text) or measure.length(text[: head + 1]) > n
    assert tail == 0 or measure.length(text[tail - 1 :]) > n


def test_tokens_of_a_vocabulary_end_at_characters() -> None:
    measure = unit("tokenizer", "o200k_base")
    text = "Hello world, 😀 日本語"
    lengths = [len(text[: measure.head(text, n)]) for n in range(measure.length(text) + 2)]
    assert lengths[0] == 0
    assert lengths[1] == len("Hello")
    assert lengths[-1] == lengths[-2] == len(text)
    assert lengths == sorted(lengths)
    assert text[measure.tail(text, 1) :] == "語"
    assert text[measure.tail(text, 0) :] == ""
    assert measure.tail(text, 99) == 0


@settings(deadline=None)  # the first example loads a vocabulary
@given(TEXT, st.integers(0, 30))
def test_cuts_by_tokens_never_rise_with_the_tokens(text: str, n: int) -> None:
    measure = unit("tokenizer", "o200k_base")
    assert measure.head(text, n) <= measure.head(text, n + 1) <= len(text)
    assert measure.tail(text, n) >= measure.tail(text, n + 1) >= 0
    assert measure.head(text, 0) == 0
    assert measure.tail(text, 0) == len(text)
