"""Keeps both ends of a large result."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from harness.errors import HarnessError
from harness.policies.clip import Clip


@dataclass(frozen=True, kw_only=True)
class Middle(Clip):
    """The beginning and the end of a value that is over the limit, with the marker between them.

    ratio: the head's share of what is kept. rounding: `floor` and `ceil` round the head's share and leave the
    rest to the tail; `floor-both` and `ceil-both` round each by itself, as agents do that cut both ends by
    one number.
    """

    ratio: float = 0.5
    rounding: Literal["floor", "ceil", "floor-both", "ceil-both"] = "floor"
    marker: str = "\n[{elided} of {total} {unit} left out]\n"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.ratio <= 1:
            raise HarnessError(f"ratio is {self.ratio}: give the head's share, from 0 to 1")

    def split(self, budget: int) -> tuple[int, int]:
        # As an exact fraction: in floats the head could gain two and the tail lose one when the budget grows
        # by one.
        share = Fraction(str(self.ratio)) * budget
        down, up = floor(share), ceil(share)
        match self.rounding:
            case "floor":
                return down, budget - down
            case "ceil":
                return up, budget - up
            case "floor-both":
                return down, floor(budget - share)
            case "ceil-both":
                return up, ceil(budget - share)
