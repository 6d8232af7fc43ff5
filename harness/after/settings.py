"""What is asked of recordings after a cut. Everything that changes a figure."""

from __future__ import annotations

from dataclasses import dataclass

from harness.after.acts import WITHIN
from harness.runs import fields
from harness.settings import Settings, setting
from harness.tokens.profiles import TokenProfile, token_profile


@dataclass(frozen=True)
class AfterSettings(Settings):
    """within: next calls in which an agent may turn back. at: a limit of bytes or characters; 0 to find it."""

    paths: tuple[str, ...] = fields.paths()
    format: str | None = fields.recording_format()
    tokens: str = fields.tokens()
    within: int = setting("--within N", "Next calls to look at, anew after each that turned back.", WITHIN, least=1)

    at: float = setting("--at SIZE", "The limit of the agent, in place of one found from the data.", 0.0, least=0)

    def profile(self) -> TokenProfile:
        return token_profile(self.tokens)
