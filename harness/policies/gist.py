"""Leaves of a large result its first line and the places that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from harness.errors import HarnessError
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Reach, Rendering
from harness.policies.units import utf8_length

_WORD = re.compile(r"[^\s\"'`<>()\[\]{},;]+")
LONGEST = 200
"""Code points of a path or address; what is longer is more likely data."""


@dataclass(frozen=True, kw_only=True)
class Gist(Admission):
    """The first line and the first few paths and addresses of a value of more than `limit` code points.

    width: how many code points of the line. places: how many different paths and addresses.
    """

    counts: ClassVar[str] = "codepoints"
    limit: float = 2000
    width: int = 200
    places: int = 5
    reach: Reach = "rerun"

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.limit, self.width, self.places) < 0:
            raise HarnessError("gist: limit, width and places are 0 or more")

    @property
    def notice(self) -> str:
        return "[pruned; names ...]"

    def render(self, arrival: Arrival) -> Rendering:
        value = arrival.value
        if len(value) <= self.limit:
            return Rendering(value)
        line = value[: self.width].partition("\n")[0]
        found: dict[str, None] = {}
        for match in _WORD.finditer(value, len(line)):
            if len(found) == self.places:
                break
            word = match[0].rstrip(".:")
            if "/" in word.rstrip("/") and len(word) <= LONGEST:
                found[word] = None
        text = f"{line}\n[pruned; names {', '.join(found)}]" if found else f"{line}\n[pruned]"
        elided = utf8_length(value) - utf8_length(line) - sum(map(utf8_length, found))
        return Rendering(text, elided, self.reach if elided else "none")
