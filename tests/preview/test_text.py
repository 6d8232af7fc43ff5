from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.preview.text import clip_head, clip_string, clip_tail, human_bytes, line_count, utf8_length

from .strategies import bounded, good_text


@bounded
@given(good_text, st.integers(0, 60))
def test_cuts_keep_whole_characters_and_no_more_would_fit(text: str, budget: int) -> None:
    raw = text.encode("utf-8")
    head, tail = clip_head(text, budget).encode("utf-8"), clip_tail(text, budget).encode("utf-8")
    assert raw.startswith(head)
    assert raw.endswith(tail)
    for kept in (head, tail):
        assert len(kept) <= budget
        assert len(kept) == len(raw) or len(kept) > budget - 4
    rest = text[len(head.decode("utf-8")) :]
    assert not rest or len(head) + utf8_length(rest[0]) > budget


@bounded
@given(good_text, st.integers(0, 60))
def test_an_ellipsis_marks_a_clipped_string_and_comes_on_top(text: str, budget: int) -> None:
    clipped = clip_string(text, budget)
    assert clipped == (text if len(text.encode("utf-8")) <= budget else clip_head(text, budget) + "…")


@bounded
@given(good_text)
def test_only_line_feeds_end_lines(text: str) -> None:
    assert line_count(text) == len(text.split("\n")) - (text == "" or text[-1] == "\n")


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0B"),
        (1023, "1023B"),
        (1280, "1.2KB"),
        (1281, "1.3KB"),
        (1048575, "1024.0KB"),
        (2**20, "1.0MB"),
        (2**31, "2048.0MB"),
    ],
)
def test_sizes(size: int, text: str) -> None:
    assert human_bytes(size) == text
