"""What a tuning is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.replay.settings import ReplaySettings
from harness.runs import fields
from harness.settings import Settings, setting
from harness.tune.floor import DEFAULT, Floor, floor_of

MATCHED = ("head", "middle", "tail", "auto")

Metric = Literal["tokens", "money"]


@dataclass(frozen=True)
class TuneSettings(Settings):
    """What is varied over which range, and what is to be small while how much stays visible."""

    paths: tuple[str, ...] = fields.paths()
    vary: tuple[str, ...] = setting(
        "--vary NAME=LOW:HIGH[:STEP]", "A setting and its range; by default head, tail and gate over all sizes.", ()
    )
    policy: str = fields.policy("--policy P", "The policy to tune.", "car")
    metric: Metric = setting("--metric WHAT", "What is to be small.", "tokens")
    evidence: float = setting(
        "--evidence FLOOR",
        "The least share of requests with dependencies that must see all of theirs, such as 95%.",
        DEFAULT,
        read=floor_of,
        kind=Floor(),
    )
    folds: int = setting("--folds N", "Parts of the clusters for cross-fitting.", 5, least=2)
    settings: int = setting("--settings N", "How many settings to try where a sweep is not exact.", 200, least=2)
    format: str | None = fields.recording_format()
    tokens: str = fields.tokens()
    prices: str = fields.prices()
    against: str = fields.policy("--against P", "The default to compare with; else --policy as written.", "")

    def __post_init__(self) -> None:
        super().__post_init__()
        floor_of(self.evidence)


@dataclass(frozen=True)
class MatchSettings(Settings):
    """Which policies get the size at which they cost what another one costs."""

    paths: tuple[str, ...] = fields.paths()
    to: str = fields.policy("--to P", "The policy that sets the price.", "car")
    policies: tuple[str, ...] = fields.policies(MATCHED, help="A policy to be sized: head, middle, tail, auto.")
    beside: tuple[str, ...] = fields.policies((), "--beside P", "A policy shown as it is; car_read for car, else none.")
    format: str | None = fields.recording_format()
    tokens: str = fields.tokens()
    prices: str = fields.prices()

    def replay(self, *policies: str) -> ReplaySettings:
        """The replay behind it, of these policies."""
        return ReplaySettings(self.paths, policies, self.format, self.tokens, self.prices)

    def shown(self) -> tuple[str, ...]:
        """The policies that are shown as they are, the one that sets the price first."""
        return (self.to, *(self.beside or (("car_read",) if self.to == "car" else ())))
