"""What a loop is asked to do. Everything here that changes a number is in the run's header and manifest."""

from __future__ import annotations

import dataclasses
from typing import get_args

from harness.engines.spec import read_spec
from harness.errors import HarnessError
from harness.loop import DRIVERS, FAMILIES
from harness.loop.driver import Driver
from harness.loop.engine_driver import EngineDriver
from harness.loop.episode import Counting
from harness.loop.reader import Reader, TemperamentName
from harness.loop.task import Task
from harness.loop.tasks import tasks
from harness.money.bill import Tariff
from harness.money.tariffs import named_tariff
from harness.policies.spec import NamedPolicy, make_policy
from harness.runs import fields
from harness.runs.places import FolderToWrite
from harness.settings import Settings, setting
from harness.spec import split_spec
from harness.tokens.counter import open_counter
from harness.tokens.profiles import token_profile

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
class LoopSettings(Settings):
    """Who does what under which policies. `identity` is put in front of the policies if it is missing. seeds: 0 for as
    many as `first` needs, at least one."""

    drivers: tuple[str, ...] = setting(
        "--driver D", "A driver: reader:temperament=careful|hasty|forgetful, or an engine.", DEFAULT_DRIVERS
    )
    policies: tuple[str, ...] = fields.policies(DEFAULT_POLICIES)
    families: tuple[str, ...] = setting("--tasks FAMILY", "Only this family of tasks.", (), names=lambda: FAMILIES)
    seeds: int = setting(
        "--seeds N", "Seeds of every template (1, or what --first needs); 6 give all needs.", 0, least=0
    )
    first: int = setting("--first N", "Only N tasks, drawn from all.", 0, least=0)
    repetitions: int = setting("--repetitions N", "How often a driver does each task.", 1, least=1)
    tokens: str = fields.tokens()

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
        """Repetitions bear their number from the second on: `sql/stock/row/0#2`."""
        once = tasks(self.families, self.seeds, self.first)
        again = (dataclasses.replace(t, id=f"{t.id}#{n}") for n in range(2, self.repetitions + 1) for t in once)
        return [*once, *again]

    def counting(self) -> Counting:
        profile = token_profile(self.tokens)
        return Counting(open_counter(profile.encoding), profile)

    def tariff(self) -> Tariff:
        """Prices for the estimate, of which a loop keeps calls and tokens only: whose they are changes nothing."""
        return named_tariff(fields.DEFAULT_PRICES)


@dataclasses.dataclass(frozen=True)
class LoopHow(Settings):
    """record: a folder into which every run is written; those of servers are with the run in any case."""

    record: str | None = setting("--record DIR", "Write every transcript into a folder.", None, kind=FolderToWrite())
    concurrency: int = setting("--concurrency N", "Tasks under way at once.", 1, least=1)
    max_usd: float = fields.max_usd()
    max_total_tokens: int = fields.max_total_tokens()
    dry_run: bool = fields.dry_run()
    yes: bool = fields.yes()


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
