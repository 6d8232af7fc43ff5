"""The reader: a deterministic agent that acts only on the text it can see.

It knows how the question is to be answered (`Procedure`), looks for the answer in the context that it is shown, and
where that is cut takes the recovery that the rendering offers, then the one that its tools allow. It keeps no state:
what it has counted so far stands in its own words in the context, so a policy that clears results clears them for it.

    harness loop --driver reader:temperament=hasty --policy car
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, cast

from harness.loop.driver import Brief, Move, Seen
from harness.loop.recovery import Exchange, Recovery, exchanges
from harness.loop.signs import handle_of, is_partial, legible
from harness.loop.task import FOUND

TemperamentName = Literal["careful", "hasty", "forgetful"]


@dataclass(frozen=True)
class Temperament:
    """most: recoveries before it gives up. searches: goes straight for the place that it needs, by a text that stands
    there; else it reads on from the beginning. handles: thinks of handles and of spilled files. guesses: answers from
    what it sees when it has given up; else it says that it could not find out."""

    most: int
    searches: bool
    handles: bool
    guesses: bool


TEMPERAMENTS: dict[TemperamentName, Temperament] = {
    "careful": Temperament(most=60, searches=True, handles=True, guesses=False),
    "hasty": Temperament(most=2, searches=False, handles=True, guesses=True),
    "forgetful": Temperament(most=60, searches=True, handles=False, guesses=False),
}


@dataclass(frozen=True)
class Reader:
    """A driver; its settings are its temperament."""

    temperament: TemperamentName = "careful"

    identity: ClassVar[None] = None

    @property
    def label(self) -> str:
        return f"reader:temperament={self.temperament}"

    def begin(self, brief: Brief) -> Reading:
        return Reading(brief, TEMPERAMENTS[self.temperament])

    def close(self) -> None:
        """Nothing to let go of."""


@dataclass(frozen=True)
class Reading:
    """One run of a reader."""

    brief: Brief
    temperament: Temperament

    def next(self, context: Sequence[Seen]) -> Move:
        """The next call, or the answer."""
        return _Thought(self.brief, self.temperament, exchanges(context)).move()


@dataclass(frozen=True)
class _Thought:
    brief: Brief
    temperament: Temperament
    past: list[Exchange]

    @cached_property
    def recovery(self) -> Recovery:
        return Recovery(self.brief, self.temperament.searches, self.temperament.handles, self.past)

    def move(self) -> Move:
        procedure = self.brief.procedure
        if not self.past:
            return Move("I look.", (procedure.look,))
        if procedure.then is not None and self.past[-1].step.name == procedure.then.name:
            return Move("Done.")
        found = {"find": self._find, "count": self._fold, "sum": self._fold, "whole": self._whole}[procedure.goal]()
        if found is not None:
            return self._finish(found)
        if len(self.past) <= self.temperament.most and (move := self.recovery.move()) is not None:
            return move
        guess = self._guess() if self.temperament.guesses else None
        return Move("I could not find out.") if guess is None else self._finish(guess)

    def _finish(self, found: Any) -> Move:
        then = self.brief.procedure.then
        if then is None:
            return Move(f"It is {found}.")
        return Move("That is it.", (then.filled(**{FOUND.strip("{}"): found}),))

    def _find(self) -> str | None:
        for exchange in reversed(self.past):
            if found := re.search(self.brief.procedure.pattern, legible(exchange.shown)):
                return found.group(1)
        return None

    def _fold(self) -> str | None:
        procedure = self.brief.procedure
        look = self.past[0]
        if not is_partial(look.shown):
            return str(self.recovery.fold(legible(look.shown)))
        for exchange in self.past[1:]:
            if exchange.step == procedure.narrowed and (
                answer := re.search(procedure.narrowed_pattern, legible(exchange.shown))
            ):
                return answer.group(1)
        text = self.recovery.read_in_full()
        if text is not None:
            return str(self.recovery.fold(text))
        total = self.recovery.paged_total()
        return None if total is None else str(total)

    def _whole(self) -> Any:
        look = self.past[0]
        if self.temperament.handles and (handle := handle_of(look.shown)) is not None:
            return f"${handle}"
        if not is_partial(look.shown):
            return value_of(legible(look.shown))
        parts = self.recovery.paged_parts()
        return None if parts is None else _joined([value_of(part) for part in parts])

    def _guess(self) -> Any:
        """From the first result as it stands, however little that is; `None` if there is nothing to take."""
        text = legible(self.past[0].shown)
        match self.brief.procedure.goal:
            case "find":
                return None
            case "whole":
                return text
            case _:
                return str(self.recovery.fold(text))


def value_of(text: str) -> Any:
    """A text as a value to pass on: JSON if it is JSON, else itself."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _joined(parts: list[Any]) -> Any:
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    rows: list[Any] = []
    for part in parts:
        rows += part["items"] if isinstance(part, dict) else cast(list[Any], part)
    return rows
