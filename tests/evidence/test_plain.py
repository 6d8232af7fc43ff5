from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.evidence.plain import Plain, plain, units
from harness.preview.rust_debug import debug_string

PIECES = st.sampled_from(
    ["\\", "\\\\", "n", "\\n", '"', '\\"', "\\u0041", "\\u{e9}", "\\x41", "\\ud83d\\ude00", "\x1b[31m", "\\u001b[0m",
     "é", "e\u0301", "ab_c", " ", "\n", "7", "/", "\\d", "한", "\u1112\u1161\u11ab", "文", "\\u005cn", "\\0", "\x1b"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("escaped", "meant"),
    [
        (r"one\ntwo", "one\ntwo"),
        (r"one\\ntwo", "one\ntwo"),
        (r"one\\\\ntwo", "one\ntwo"),
        (r"say \"hi\"", 'say "hi"'),
        (r"caf\u00e9", "café"),
        (r"caf\u{e9}", "café"),
        (r"caf\xe9", "café"),
        (r"\ud83d\ude00", "😀"),
        (r"settings\.py", "settings.py"),
        (r"C:\Users\dana", "C:/Users/dana"),
        (r"\w+", "/w+"),
        ("end\\", "end/"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        (r"\u001b[1;31mred\u001b[0m", "red"),
        ("cafe\u0301", "café"),
        ("plain", "plain"),
    ],
)
def test_escaping_is_undone(escaped: str, meant: str) -> None:
    assert plain(escaped) == meant


ORDINARY = st.text(st.characters(codec="utf-8", exclude_characters="\\\x1b\x00\x08\x0b\x0c\x07"), max_size=60)


@given(ORDINARY)
def test_a_text_is_the_same_however_deep_it_was_quoted(text: str) -> None:
    once = json.dumps(text)[1:-1]
    twice = json.dumps(once)[1:-1]
    assert plain(once) == plain(text)
    assert plain(twice) == plain(text)
    assert plain(json.dumps(text, ensure_ascii=False)[1:-1]) == plain(text)


@given(ORDINARY)
def test_what_a_repr_escapes_is_undone(text: str) -> None:
    assert plain(repr(text)[1:-1]) == plain(text)


@given(ORDINARY)
def test_a_preview_escapes_what_is_undone_here(text: str) -> None:
    assert plain(debug_string(text)[1:-1]) == plain(text)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_the_way_back_is_in_order(text: str) -> None:
    whole = Plain(text)
    before = 0
    for at in range(len(whole.text)):
        start, end = whole.raw_span(at, at + 1)
        assert before <= start < end <= len(text)
        before = start


@given(
    st.lists(st.sampled_from(["word_1", "x\\ny", '\\"', " ", "é ", "e\u0301", "\\u00e9", "\x1b[0m"]), max_size=12).map(
        "".join
    )
)
def test_words_are_found_again_where_they_came_from(text: str) -> None:
    held = Plain(text)
    at = held.text.find("word_1")
    while at >= 0:
        start, end = held.raw_span(at, at + 6)
        assert text[start:end] == "word_1"
        assert held.text_span(start, end) == (at, at + 6)
        at = held.text.find("word_1", at + 1)


def test_composed_and_decomposed_letters_are_alike() -> None:
    assert plain(unicodedata.normalize("NFD", "Ångström_42")) == "Ångström_42"


def test_scripts_without_spaces_give_signs() -> None:
    assert units("see 文件abc_1在 here") == ["see", "文", "件", "abc_1", "在", "here"]
