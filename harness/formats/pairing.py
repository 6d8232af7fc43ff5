"""Which call a result answers: told by position and id, since ids repeat within one run."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from harness.transcript import ToolCall

Place = tuple[int, int]


@dataclass(slots=True)
class _Open:
    place: Place
    call: ToolCall
    answered: bool = False


class Pairing:
    """The calls of a run that have no result yet. Feed it messages in their order."""

    def __init__(self) -> None:
        self._by_place: dict[Place, _Open] = {}
        self._by_trait: dict[Hashable, list[deque[_Open]]] = defaultdict(list)

    def called(self, message: int, calls: Sequence[ToolCall]) -> None:
        """Message number `message` makes these calls."""
        for position, call in enumerate(calls):
            made = _Open((message, position), call)
            self._by_place[made.place] = made
            for trait in _traits(call):
                messages = self._by_trait[trait]
                if not messages or messages[-1][-1].place[0] != message:
                    messages.append(deque())
                messages[-1].append(made)

    def answer(self, call_id: str | None, name: str = "") -> tuple[Place, ToolCall] | None:
        """The call that a result answers, as (message, which of its calls), and the call itself; `None` if there
        is none.

        With an id it is the nearest earlier unanswered call of that id. A result without one answers the first
        unanswered call of the last message that has any, of that tool if it names one; so does an id that only
        calls without id can be meant by.
        """
        found = None if call_id is None else self._nearest(("id", call_id))
        if found is None:
            found = self._nearest(("name", name, call_id is not None) if name else ("any", call_id is not None))
        return found

    def take(self, place: Place) -> tuple[Place, ToolCall] | None:
        """The call at a known place, which a result names in another way; `None` if it has its result already."""
        made = self._by_place.get(place)
        if made is None or made.answered:
            return None
        made.answered = True
        return made.place, made.call

    def _nearest(self, trait: Hashable) -> tuple[Place, ToolCall] | None:
        """The first unanswered call with that trait in the last message that has one."""
        messages = self._by_trait.get(trait, [])
        while messages:
            calls = messages[-1]
            while calls and calls[0].answered:
                calls.popleft()
            if calls:
                return self.take(calls[0].place)
            messages.pop()
        return None


def _traits(call: ToolCall) -> list[Hashable]:
    """What a call can be looked up by; the last part says whether only calls without id are meant."""
    found: list[Hashable] = [("any", False), ("name", call.name, False)]
    if call.call_id is None:
        return [*found, ("any", True), ("name", call.name, True)]
    return [*found, ("id", call.call_id)]
