"""Counts of texts that are alike are exact, whatever the texts."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.preview import render_preview
from harness.preview.typed import Budgets
from harness.tokens.alike import count_alike
from harness.tokens.exact import ExactTokenizer

PARTS = st.sampled_from(
    ["red ", "need's", "And 's", " ", "  ", "\n", "\\n", "\r\n", '"', "n7 ", "123", "d\t", "é ", "́", "<|endoftext|>",
     "'ll ", "的 ", "/", "();", "\u2028", "Ends ", "x"]
)  # fmt: skip


class Noting:
    """A tokenizer that adds up the characters that it is asked for."""

    def __init__(self, encoding: str) -> None:
        self.tokenizer = ExactTokenizer(encoding)
        self.characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return self.tokenizer.count(text)


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
@settings(max_examples=80, deadline=None)
@given(
    parts=st.lists(PARTS, max_size=30),
    other=st.lists(PARTS, max_size=6),
    cuts=st.lists(st.integers(0, 400), max_size=12),
)
def test_as_if_each_were_counted_whole(encoding: str, parts: list[str], other: list[str], cuts: list[int]) -> None:
    text = "".join(parts) * 6
    texts = [text, "", *(text[:a] + "".join(other) + text[max(a, b) :] for a, b in itertools.pairwise(cuts))]
    tokenizer = ExactTokenizer(encoding)
    assert count_alike(texts, tokenizer) == [tokenizer.count(each) for each in texts]


def test_what_renderings_share_is_counted_once() -> None:
    value = "".join(f"    if seconds > {n}:\n        return the_name_of[{n}], 'and more'\n" for n in range(400))
    noting = Noting("o200k_base")
    texts = [
        render_preview("r1", value, Budgets(text_head_bytes=head, text_tail_bytes=tail))
        for head in range(1000, 9000, 700)
        for tail in range(100, 5000, 700)
    ]
    assert count_alike(texts, noting) == [noting.tokenizer.count(text) for text in texts]
    assert noting.characters < sum(map(len, texts)) / 10
