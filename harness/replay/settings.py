"""What a replay is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from harness.money.tariffs import AUTO, Tariffs
from harness.policies.spec import make_policy
from harness.replay.measure import Measures
from harness.tokens.counter import open_counter
from harness.tokens.profiles import DEFAULT_PROFILE, token_profile

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
class ReplaySettings:
    """paths: recordings. policies: as written; `identity` is put in front if it is missing. prices: a model of the
    price snapshot, or `auto` for the one that answered each request. cache: a cache profile, or `auto` for that of the
    priced model. window: tokens of the model's context window, for overflow. keep_same_work: leave no transcript out as
    the same work as another."""

    paths: tuple[str, ...]
    policies: tuple[str, ...] = DEFAULT_POLICIES
    format: str | None = None
    tokens: str = DEFAULT_PROFILE
    prices: str = AUTO
    cache: str = AUTO
    window: int = 200_000
    keep_same_work: bool = False

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
        )

    def to_record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}
        return cls(**values)
