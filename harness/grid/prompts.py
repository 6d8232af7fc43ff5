"""Prompts of a wanted size that no cache can serve: random words from the first one on, no two prompts alike."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

_PARTS: Final = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "zu")
PROBES: Final = (24, 72)
"""Words of the two prompts by which an engine's tokens a word are found out."""
GUESS: Final = 3.0
"""Tokens of a word where the engine counts none."""


def prompt(words: int, *key: object) -> str:
    """So many made-up words; another text for every key."""
    draw = random.Random(repr(key))
    return " ".join("".join(draw.choices(_PARTS, k=3)) for _ in range(words))


Measured = tuple[int | None, int | None]
"""Tokens of the two probes; None where the engine counts none."""


def measured(count: Callable[[str], int | None]) -> Measured:
    """The probes as `count` measures them, the engine's own words around a prompt included. Once for an engine: a cache
    would answer the second time."""
    few, many = (count(prompt(n, "probe", n)) for n in PROBES)
    return few, many


def words_for(tokens: int, probes: Measured) -> int:
    """How many words come to so many tokens."""
    few, many = probes
    if few is None or many is None or many <= few:
        return max(1, round(tokens / GUESS))
    a_word = (many - few) / (PROBES[1] - PROBES[0])
    return max(1, round((tokens - few) / a_word + PROBES[0]))
