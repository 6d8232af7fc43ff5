"""What a re-drive is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

import random
from dataclasses import dataclass

from harness.engines.spec import EngineSpec, read_specs
from harness.errors import HarnessError
from harness.policies.spec import NamedPolicy, make_policy
from harness.runs import fields
from harness.runs.places import FileToWrite
from harness.settings import Settings, setting
from harness.tokens.profiles import TokenProfile, token_profile

DEFAULT_POLICIES = ("identity", "head:bytes=2000", "middle:bytes=4000", "car")


@dataclass(frozen=True)
class RedriveSettings(Settings):
    """What is asked of which engines. `identity` is put in front of the policies if it is missing. seed: draws the
    requests of `limit`, and the order in which the policies of a request are asked."""

    paths: tuple[str, ...] = fields.paths()
    engines: tuple[str, ...] = fields.engines()
    policies: tuple[str, ...] = fields.policies(DEFAULT_POLICIES)
    format: str | None = fields.recording_format()
    tokens: str = fields.tokens()
    window: int = setting("--window N", "Tokens of the engine's context, if it does not say.", 0, least=0)
    max_tokens: int = fields.max_tokens("an answer")
    turn_seconds: float = fields.turn_seconds(120.0)
    first: int = setting("--first N", "Only the first N transcripts.", 0, least=0)
    limit: int = setting("--limit N", "Only N requests of each transcript, drawn by --seed.", 0, least=0)
    seed: int = setting("--seed N", "Draws requests, and the order of the policies in each.", 1)

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


@dataclass(frozen=True)
class RedriveHow(Settings):
    """record: a file to which every envelope is added, for the engine `recorded`. It quotes the recordings, so it is no
    part of the run."""

    record: str | None = setting("--record FILE", "Add every envelope to a file.", None, kind=FileToWrite())
    max_usd: float = fields.max_usd()
    max_total_tokens: int = fields.max_total_tokens()
    dry_run: bool = fields.dry_run()
    yes: bool = fields.yes()
