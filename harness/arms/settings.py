"""What a comparison of arms is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError, did_you_mean
from harness.formats.corpus import format_named
from harness.money.tariffs import Tariffs
from harness.policies.spec import make_policy
from harness.runs import fields
from harness.settings import Settings, named_path, setting

TABLES = (".csv", ".tsv", ".parquet")
PLACES = re.compile(r"field|file|one|folder:[1-9][0-9]?")


@dataclass(frozen=True)
class ArmsSettings(Settings):
    """Which runs are compared, by which columns or folders, and what is taken to be the same."""

    paths: tuple[str, ...] = setting(
        "[NAME=]PATH...",
        "An arm: a table of its runs, or recordings; or one table of all arms.",
        path=True,
        named=True,
    )
    arms: tuple[str, ...] = setting(
        "--arm NAME[=VALUE]", "An arm of the column `arm`, the first the one compared with.", ()
    )
    columns: tuple[str, ...] = setting(
        "--column FIELD=COLUMN", "Which column holds what; sums and products as A+B, A*B.", ()
    )
    where: tuple[str, ...] = setting("--where COLUMN=VALUE", "Only rows with this value.", ())
    outcomes: str = setting("--outcomes FILE", "A table with how recorded runs ended.", "", path=True)
    task: str = setting("--task WHERE", "Of recordings: field, folder:N, file, or one for all.", "field")
    repetition: str = setting("--repetition WHERE", "Of recordings: field, folder:N, file, or one for all.", "field")
    predict: tuple[str, ...] = setting(
        "--predict ARM=POLICY", "An arm's policy: the first arm's recordings are replayed under it.", ()
    )
    planned: int = setting("--planned N", "Tasks that every arm was to run; 0 for those that any has.", 0, least=0)
    repetitions: int = setting("--repetitions N", "Runs planned a task; 0 for those there are.", 0, least=0)
    margin: float = setting("--margin SHARE", "A difference of pass rates that would not matter.", 0.05, least=0)
    same: tuple[str, ...] = setting("--same ITEM", "Declared the same in all arms: model, agent, prompt, ….", ())
    doses: tuple[str, ...] = setting("--dose ARM=NUMBER", "The budget that an arm is.", ())

    format: str | None = fields.recording_format()
    prices: str = fields.prices()

    def __post_init__(self) -> None:
        super().__post_init__()
        for option, place in (("--task", self.task), ("--repetition", self.repetition)):
            if not PLACES.fullmatch(place):
                raise HarnessError(f"{option} {place}: write field, file, one, or folder:N, counted from the arm's own")
        if self.margin >= 1:
            raise HarnessError(f"margin is {self.margin}: give a share, such as 0.05 for five points")
        for option, given in (
            ("--column", self.columns),
            ("--where", self.where),
            ("--dose", self.doses),
            ("--predict", self.predict),
        ):
            if odd := next((one for one in given if not all(one.partition("=")[::2])), None):
                raise HarnessError(f"{option} {odd}: write NAME=VALUE")
        self.dose()

    def are_tables(self) -> bool:
        """Whether the arms are read from tables, not from recordings. Raises `HarnessError` for both at once."""
        kinds = {Path(named_path(one)[1]).suffix.lower() in TABLES for one in self.paths}
        if len(kinds) > 1:
            raise HarnessError(f"some arms are tables ({', '.join(TABLES)}) and some are recordings: give one sort")
        if self.outcomes and kinds == {True}:
            raise HarnessError("--outcomes is for recordings: a table of runs has its outcomes in its own columns")
        return kinds == {True}

    def check(self) -> None:
        """Raises `HarnessError` for arms that are not of one sort, and for names that are not known."""
        self.are_tables()
        Tariffs(self.prices).check()
        if self.format:
            format_named(self.format)
        if self.predict and self.are_tables():
            raise HarnessError(
                "--predict replays the first arm's recordings, and these arms are tables: nothing can be replayed"
            )
        names = [named_path(one)[0] or Path(one).name for one in self.paths]
        for arm, spec in self.pairs(self.predict).items():
            if arm not in names[1:]:
                raise HarnessError(
                    f"--predict {arm}: no arm beside the first{did_you_mean(arm, names[1:])}: {', '.join(names[1:])}"
                )
            make_policy(spec)

    def pairs(self, given: tuple[str, ...]) -> dict[str, str]:
        """`NAME=VALUE` settings as a mapping."""
        return {name: value for name, _, value in (one.partition("=") for one in given)}

    def dose(self) -> dict[str, float]:
        """The dose of each arm that has one. Raises `HarnessError` where it is no number above 0."""
        found = {}
        for name, text in ((one.rpartition("=")[0], one.rpartition("=")[2]) for one in self.doses):
            try:
                found[name] = float(text)
            except ValueError:
                raise HarnessError(f"--dose {name}={text}: give a number") from None
            if not found[name] > 0:
                raise HarnessError(f"--dose {name}={text}: give a number above 0, or inf for no limit")
        return found

    def declared(self) -> frozenset[str]:
        """What is declared the same."""
        return frozenset(item.strip() for one in self.same for item in one.split(",") if item.strip())
