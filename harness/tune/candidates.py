"""What a tuning chooses from: settings of one role, each with cost and evidence by transcript."""

from __future__ import annotations

from harness.policies.spec import NamedPolicy
from harness.tune.choose import Ground
from harness.tune.field import Field
from harness.tune.sweep import Figures

TUNED, GATED, CUT, IDENTITY, DEFAULT = "tuned", "gate alone", "plain cut", "identity", "default"
"""Roles of settings."""


class Tried:
    """Settings measured one by one, in place of a sweep: the same to a choice as `Field`."""

    def __init__(self, role: str, policies: list[NamedPolicy], figures: Figures, money: bool) -> None:
        self.role, self.policies, self.figures = role, policies, figures
        self.cost = figures.usd if money else figures.tokens
        self.visible, self.whole = figures.visible, figures.whole

    @property
    def size(self) -> int:
        """How many were looked at."""
        return len(self.policies)

    def choose(self, ground: Ground, floor: float) -> int | None:
        """The number of the choice on some transcripts; None where nothing meets the floor."""
        return ground.choose(self.cost, self.whole, floor)

    def policy(self, number: int) -> NamedPolicy:
        return self.policies[number]


class Swept(Field):
    """The same of a field, whose points become policies."""

    def choose(self, ground: Ground, floor: float) -> int | None:
        """Tried ever finer around the choice."""
        point = self.settle(ground, floor)
        return None if point is None else self.number(point)

    def policy(self, number: int) -> NamedPolicy:
        return self.sweep.shape.at(self.points[number])


Candidates = Swept | Tried
