"""What a plan is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.errors import HarnessError
from harness.settings import Settings, setting

Want = Literal["difference", "not-worse", "precision"]


@dataclass(frozen=True)
class PlanSettings(Settings):
    """What is to be shown, under which assumptions; a pilot gives those that are not stated."""

    paths: tuple[str, ...] = setting(
        "[PILOT]...", "A finished run of `harness arms` to take assumptions from.", (), path=True
    )
    want: Want = setting(
        "--want WHAT", "difference, not-worse by the margin, or precision of the margin.", "difference"
    )
    effect: float | None = setting(
        "--effect SHARE", "True difference of pass rates; by default .05 for a difference, else 0.", None
    )
    margin: float = setting("--margin SHARE", "Of not-worse; half the interval's width of precision.", 0.05, above=0)
    power: float = setting("--power SHARE", "How often the comparison is to show it.", 0.8, above=0)
    passed: float | None = setting("--passed SHARE", "Pass rate of the first arm; .5 without a pilot.", None, above=0)
    alike: float | None = setting(
        "--alike SHARE",
        "Correlation of two runs of a task, of what lies under pass and fail; .5 without a pilot.",
        None,
        least=0,
    )
    arms: int = setting("--arms N", "Arms compared with the first; they share the 5 %.", 1, least=1)
    repetitions: tuple[int, ...] = setting("--repetitions N", "Runs of a task in an arm.", (1, 2, 3, 5), least=1)
    most: int = setting("--most N", "Tasks that there are at most.", 5000, least=12)
    tokens: float | None = setting("--tokens N", "Of a run, input and output.", None, above=0)
    usd: float | None = setting("--usd PRICE", "Of a run.", None, above=0)
    draws: int = setting("--draws N", "Simulated comparisons behind each power.", 1000, least=100)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.paths) > 1:
            raise HarnessError(f"{len(self.paths)} pilots: give one run of `harness arms`")
        for name, value in (("power", self.power), ("passed", self.passed), ("margin", self.margin)):
            if value is not None and value >= 1:
                raise HarnessError(f"--{name} is {value:g}: give a share below 1, such as 0.8")
        if self.alike is not None and self.alike > MOST_ALIKE:
            raise HarnessError(f"--alike is {self.alike:g}: give at most {MOST_ALIKE}")
        if self.want == "difference" and self.effect == 0:
            raise HarnessError("--effect is 0: a difference of nothing is never shown; ask for not-worse or precision")
        if self.want == "not-worse" and self.wanted_effect <= -self.margin:
            raise HarnessError(
                f"--effect {self.wanted_effect:g} is as bad as the margin {self.margin:g}: it cannot be met"
            )

    @property
    def wanted_effect(self) -> float:
        """The true difference that is assumed."""
        if self.effect is not None:
            return self.effect
        return DEFAULT_EFFECT if self.want == "difference" else 0.0


DEFAULT_EFFECT = 0.05
MOST_ALIKE = 0.99
