"""Leaves every result as it was recorded: what all other policies are measured against."""

from __future__ import annotations

from dataclasses import dataclass

from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Rendering


@dataclass(frozen=True, kw_only=True)
class Identity(Admission):
    """The recorded text of every result, to the byte."""

    def render(self, arrival: Arrival) -> Rendering:
        return Rendering(arrival.result.content)
