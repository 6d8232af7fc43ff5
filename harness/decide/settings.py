"""What a decision is asked."""

from __future__ import annotations

from dataclasses import dataclass

from harness.replay.settings import ReplaySettings
from harness.runs import fields
from harness.settings import Settings, setting

MARGIN = 2.0
"""Points."""


@dataclass(frozen=True)
class DecideSettings(Settings):
    """Two families with their budgets, and when they count as equal."""

    a: str = fields.policy("A", "The family that is asked about, at its default budget.")
    b: str = fields.policy("B", "Its rival, at every budget.")
    paths: tuple[str, ...] = fields.paths()
    margin: float = setting("--margin POINTS", "Differences up to so many points count as none.", MARGIN, above=0)
    format: str | None = fields.recording_format()
    tokens: str = fields.tokens()
    prices: str = fields.prices()
    keep_same_work: bool = setting(
        "--keep-same-work", "Leave no transcript out for being the same work as another.", False
    )

    def replay(self, *policies: str) -> ReplaySettings:
        """The replay behind it."""
        return ReplaySettings(
            self.paths, policies, self.format, self.tokens, self.prices, keep_same_work=self.keep_same_work
        )
