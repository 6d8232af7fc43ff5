"""What a replay is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

from dataclasses import dataclass

from harness.money import AUTO
from harness.money.tariffs import Tariffs
from harness.policies.spec import make_policy
from harness.replay.added import WINDOW_BYTES
from harness.replay.measure import Measures
from harness.runs import fields
from harness.settings import Settings, setting
from harness.tokens.counter import open_counter
from harness.tokens.profiles import token_profile

DEFAULT_POLICIES = (
    "identity",
    "head:bytes=2000",
    "middle:bytes=4000",
    "middle:bytes=10000",
    "tail:bytes=4000",
    "swe_agent",
    "mini_swe",
    "codex",
    "inspect",
    "car",
    "car:min_bytes=600",
    "car:parse=sniff",
)


@dataclass(frozen=True)
class ReplaySettings(Settings):
    """What is replayed, and how it is counted and priced. `identity` is put in front of the policies if it is
    missing."""

    paths: tuple[str, ...] = fields.paths()
    policies: tuple[str, ...] = fields.policies(DEFAULT_POLICIES)
    format: str | None = fields.recording_format()
    tokens: str = fields.tokens()
    prices: str = fields.prices()
    cache: str = setting("--cache PROFILE", "Rules of the prefix cache; auto: the model's.", AUTO)
    window: int = setting("--window N", "The model's context window in tokens.", 200_000, least=1)
    recovery_window: int = setting(
        "--recovery-window BYTES", "Bytes that one recovery brings back, in estimates.", WINDOW_BYTES, least=60
    )
    floor: str = fields.floor()
    keep_same_work: bool = setting(
        "--keep-same-work", "Leave no transcript out for being the same work as another.", False
    )

    def measures(self) -> Measures:
        """The objects behind the names. Raises `HarnessError` for anything unknown or given twice."""
        policies = {"identity": make_policy("identity")}
        for text in self.policies:
            policy = make_policy(text)
            policies.setdefault(policy.label, policy)
        profile = token_profile(self.tokens)
        tariffs = Tariffs(self.prices, self.cache)
        tariffs.check()
        return Measures(
            policies=list(policies.values()),
            counter=open_counter(profile.encoding),
            tokens=profile,
            tariffs=tariffs,
            window=self.window,
            recovery_window=self.recovery_window,
        )


@dataclass(frozen=True)
class ReplayHow(Settings):
    """By how many processes."""

    jobs: int = fields.jobs()
