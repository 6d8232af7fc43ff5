"""What a comparison of arms is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError
from harness.settings import Settings, named_path, setting

TABLES = (".csv", ".tsv", ".parquet")


@dataclass(frozen=True)
class ArmsSettings(Settings):
    """Which runs are compared, by which columns or folders, and what is taken to be the same."""

    paths: tuple[str, ...] = setting(
        "[NAME=]PATH...",
        "An arm: a table of its runs; or one table of all arms.",
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
    planned: int = setting("--planned N", "Tasks that every arm was to run; 0 for those that any has.", 0, least=0)
    repetitions: int = setting("--repetitions N", "Runs planned a task; 0 for those there are.", 0, least=0)
    margin: float = setting("--margin SHARE", "A difference of pass rates that would not matter.", 0.05, least=0)
    same: tuple[str, ...] = setting("--same ITEM", "Declared the same in all arms: model, agent, prompt, ….", ())
    doses: tuple[str, ...] = setting("--dose ARM=NUMBER", "The budget that an arm is.", ())

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin >= 1:
            raise HarnessError(f"margin is {self.margin}: give a share, such as 0.05 for five points")
        for option, given in (("--column", self.columns), ("--where", self.where), ("--dose", self.doses)):
            if odd := next((one for one in given if not all(one.partition("=")[::2])), None):
                raise HarnessError(f"{option} {odd}: write NAME=VALUE")
        self.dose()

    def check(self) -> None:
        """Raises `HarnessError` for what is no table of runs."""
        for path in (named_path(one)[1] for one in self.paths):
            if Path(path).suffix.lower() not in TABLES:
                raise HarnessError(f"{path}: arms are read from tables of runs: {', '.join(TABLES)}")

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
