"""Seeded choices that are the same under every Python.

Only `random.Random.random` promises its sequence across versions, so everything here is made of it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Choices from a seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random

    def below(self, limit: int) -> int:
        """An integer in 0 .. limit-1."""
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """An integer in low .. high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def hex(self, digits: int) -> str:
        roll = self._random
        return "".join(["0123456789abcdef"[int(roll() * 16)] for _ in range(digits)])

    def shuffled(self, items: Sequence[T]) -> list[T]:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]
