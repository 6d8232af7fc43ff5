"""What a loop is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Self, get_args

from harness.engines.spec import read_spec
from harness.errors import HarnessError
from harness.loop import DRIVERS
from harness.loop.driver import Driver
from harness.loop.engine_driver import EngineDriver
from harness.loop.episode import Counting
from harness.loop.reader import Reader, TemperamentName
from harness.loop.task import Task
from harness.loop.tasks import tasks
from harness.money.bill import Tariff
from harness.money.tariffs import named_tariff
from harness.policies.spec import NamedPolicy, make_policy
from harness.spec import split_spec
from harness.tokens.counter import open_counter
from harness.tokens.profiles import DEFAULT_PROFILE, token_profile

DEFAULT_POLICIES = (
    "identity",
    "head:bytes=2000",
    "tail:bytes=2000",
    "middle:bytes=600",
    "middle:bytes=2000",
    "middle:bytes=4000",
    "spill:bytes=4000,keep=1000",
    "mask_last_n:n=1",
    "car",
    "car_read",
)
DEFAULT_DRIVERS = ("reader",)


@dataclasses.dataclass(frozen=True)
class LoopSettings:
    """drivers: `reader:temperament=...` or engines, as written. policies: as written; `identity` is put in front if it
    is missing. families: of tasks, all if empty. seeds: how many of each template; 0 for as many as `first` needs, at
    least one. first: only so many tasks, drawn from all; 0 for all. prices: a model of the price snapshot, for the
    estimate."""

    drivers: tuple[str, ...] = DEFAULT_DRIVERS
    policies: tuple[str, ...] = DEFAULT_POLICIES
    families: tuple[str, ...] = ()
    seeds: int = 0
    first: int = 0
    tokens: str = DEFAULT_PROFILE
    prices: str = "gpt-5.4"

    def make_policies(self) -> list[NamedPolicy]:
        found = {"identity": make_policy("identity")}
        for text in self.policies:
            policy = make_policy(text)
            found.setdefault(policy.label, policy)
        return list(found.values())

    def make_drivers(self) -> list[Driver]:
        found: dict[str, Driver] = {}
        for text in self.drivers:
            driver = make_driver(text)
            found.setdefault(driver.label, driver)
        return list(found.values())

    def make_tasks(self) -> list[Task]:
        return tasks(self.families, self.seeds, self.first)

    def counting(self) -> Counting:
        profile = token_profile(self.tokens)
        return Counting(open_counter(profile.encoding), profile)

    def tariff(self) -> Tariff:
        return named_tariff(self.prices)

    def to_record(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}
        return cls(**values)


def make_driver(spec: str) -> Driver:
    """The driver that a text describes: a reader with its temperament, or an engine. What is unknown is a
    `HarnessError`."""
    name, given = split_spec(spec, "driver")
    if name not in DRIVERS:
        try:
            return EngineDriver(read_spec(spec))
        except HarnessError as error:
            raise HarnessError(f"driver {spec!r}: neither {' nor '.join(DRIVERS)}, nor an engine: {error}") from error
    temperament = given.pop("temperament", "careful")
    known: tuple[TemperamentName, ...] = get_args(TemperamentName)
    chosen = next((one for one in known if one == temperament), None)
    if given or chosen is None:
        raise HarnessError(f"driver {spec!r} will not do: write reader:temperament= and one of {', '.join(known)}")
    return Reader(chosen)
