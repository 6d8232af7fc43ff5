"""A decision as a kind of run: a replay of both families at all of their budgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.decide.settings import DecideSettings
from harness.errors import HarnessError
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplayHow, ReplaySettings
from harness.runs.kind import Going, Kind, Record
from harness.runs.schema import TABLES

if TYPE_CHECKING:
    from harness.runs.run import Run


class Decide(Kind[DecideSettings]):
    name = "decide"
    help = """Which of two families of policies is better.

    And at which budget: both are replayed at all their budgets; the verdict is on what they show at equal tokens."""
    settings = DecideSettings
    how = ReplayHow
    tables = TABLES
    named = REPLAY.named
    compared = REPLAY.compared
    looks_itself = True
    unit = "B"
    part = "harness.decide.sections.part:Decided"

    def check(self, settings: DecideSettings) -> None:
        if settings.a == settings.b:
            raise HarnessError(f"both families are {settings.a}: name two that differ")
        REPLAY.check(self._replay(settings))

    def work(self, settings: DecideSettings, going: Going) -> Iterator[Record | bytes]:
        yield from REPLAY.work(self._replay(settings), going)

    def finish(self, settings: DecideSettings, going: Going) -> tuple[dict[str, int], Record]:
        return REPLAY.finish(self._replay(settings), going)

    def empty(self, run: Run) -> str:
        return REPLAY.empty(run)

    def _replay(self, settings: DecideSettings) -> ReplaySettings:
        from harness.decide.budgets import path_of, variants

        policies: dict[str, Any] = dict.fromkeys(path_of(settings.a).policies)
        policies |= dict.fromkeys(path_of(settings.b).policies) | dict.fromkeys(variants((settings.a, settings.b)))
        return settings.replay(*policies)


DECIDE = Decide()
