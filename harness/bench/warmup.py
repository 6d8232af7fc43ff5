"""When an engine is warm: its last turns took the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

FEWEST_TURNS: Final = 2
MOST_TURNS: Final = 8
SPREAD: Final = 0.15


def is_stable(seconds: Sequence[float]) -> bool:
    """Whether the last three turns took the same time within 15 %."""
    if len(seconds) <= FEWEST_TURNS:
        return False
    last = seconds[-3:]
    return max(last) <= (1 + SPREAD) * min(last)
