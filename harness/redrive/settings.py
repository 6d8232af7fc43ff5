"""What a re-drive is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from harness.engines.spec import EngineSpec, read_specs
from harness.errors import HarnessError
from harness.policies.spec import NamedPolicy, make_policy
from harness.tokens.profiles import DEFAULT_PROFILE, TokenProfile, token_profile

DEFAULT_POLICIES = ("identity", "head:bytes=2000", "middle:bytes=4000", "car")


@dataclass(frozen=True)
class RedriveSettings:
    """paths: recordings. engines, policies: as written; `identity` is put in front if it is missing. window: tokens of
    the engines' context, 0 for what they say themselves. max_tokens: budget of an answer. turn_seconds: after which a
    turn has failed. first: only so many transcripts; 0 for all. limit: only so many requests of each, drawn by `seed`;
    0 for all. seed: draws requests, and the order in which the policies of a request are asked."""

    paths: tuple[str, ...]
    engines: tuple[str, ...]
    policies: tuple[str, ...] = DEFAULT_POLICIES
    format: str | None = None
    tokens: str = DEFAULT_PROFILE
    window: int = 0
    max_tokens: int = 256
    turn_seconds: float = 120.0
    first: int = 0
    limit: int = 0
    seed: int = 1

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise HarnessError(f"a budget of {self.max_tokens} tokens holds no answer: give 1 or more")
        if min(self.window, self.first, self.limit) < 0:
            raise HarnessError("window, first and limit are 0 or more")

    def make_engines(self) -> list[EngineSpec]:
        """Raises `HarnessError` for unknown ones."""
        if not self.engines:
            raise HarnessError("no engine to ask: name one with --engine")
        return read_specs(self.engines)

    def make_policies(self) -> list[NamedPolicy]:
        """`identity` first. Raises `HarnessError` for unknown ones."""
        found = {"identity": make_policy("identity")}
        for text in self.policies:
            policy = make_policy(text)
            found.setdefault(policy.label, policy)
        return list(found.values())

    def profile(self) -> TokenProfile:
        return token_profile(self.tokens)

    def drawn(self, transcript: str, requests: int) -> list[int]:
        """Which requests (from 0) of a transcript are asked, in order."""
        if not self.limit or requests <= self.limit:
            return list(range(requests))
        return sorted(self._dice(transcript).sample(range(requests), self.limit))

    def order(self, transcript: str, request: int, labels: list[str]) -> list[str]:
        """The policies of a request in the order in which they are asked, so that none is always the first."""
        return self._dice(f"{transcript} {request}").sample(labels, len(labels))

    def _dice(self, name: str) -> random.Random:
        return random.Random(f"{self.seed} {name}".encode("utf-8", "surrogatepass"))

    def to_record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}
        return cls(**values)
