"""Texts that tokenizers stumble over, for the tests in this folder."""

from __future__ import annotations

from hypothesis import strategies as st

AWKWARD = (
    "<|endoftext|>",
    "<|im_start|>user",
    "\u2028",
    "\u2029\x85\x0b\x0c",
    "\x1c\x1d\x1e\x1f",
    "\ufeff",
    "\0",
    "\r",
    "\r\n",
    "\n",
    "\n\n\n",
    "\n/",
    "\n //",
    "\n \t",
    "/",
    "   ",
    "\t",
    "\u00a0\u3000",
    "x'll",
    "'\u017f",
    "İı",
    "日本語のテキスト",
    "👩‍👩‍👧‍👦🇩🇪",
    "e\u0301\u0323",
    "12345",
    "٣٤٥",
    "ﷺ",
    "a.b/c:d-e",
    "{}[]();,",
    "foo bar",
    "\U0010ffff\ue000",
)

# Fragments put together meet at their borders, where mistakes are; random text brings the rest of Unicode.
TEXTS = st.lists(
    st.one_of(st.sampled_from(AWKWARD), st.text(max_size=8), st.sampled_from(" \n\t/ax.1")), max_size=30
).map("".join)
WITH_SURROGATES = st.text(st.characters(codec=None), max_size=60)
