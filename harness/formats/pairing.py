"""Which call a result answers: told by position and id, since ids repeat within one run."""

from __future__ import annotations

from collections.abc import Sequence

from harness.transcript import ToolCall


class Pairing:
    """The calls of a run that have no result yet. Feed it messages in their order."""

    def __init__(self) -> None:
        self._open: list[tuple[int, int, ToolCall]] = []

    def called(self, message: int, calls: Sequence[ToolCall]) -> None:
        """Message number `message` makes these calls."""
        self._open += [(message, position, call) for position, call in enumerate(calls)]

    def answer(self, call_id: str | None, name: str = "") -> tuple[tuple[int, int], ToolCall] | None:
        """The call that a result answers, as (message, which of its calls), and the call itself; `None` if
        there is none.

        With an id it is the nearest earlier unanswered call of that id. A result without one answers the
        first unanswered call of the last message that has any, of that tool if it names one; so does an id
        that only calls without id can be meant by.
        """
        if call_id is not None:
            alike = [at for at, (_, _, call) in enumerate(self._open) if call.call_id == call_id]
        else:
            alike = []
        if not alike:
            alike = [
                at
                for at, (_, _, call) in enumerate(self._open)
                if (call_id is None or call.call_id is None) and (not name or call.name == name)
            ]
        if not alike:
            return None
        nearest = self._open[alike[-1]][0]
        return self._take(next(at for at in alike if self._open[at][0] == nearest))

    def take(self, place: tuple[int, int]) -> tuple[tuple[int, int], ToolCall] | None:
        """The call at a known place, which a result names in another way; `None` if it has its result already."""
        at = next((at for at, (message, position, _) in enumerate(self._open) if (message, position) == place), None)
        return None if at is None else self._take(at)

    def _take(self, at: int) -> tuple[tuple[int, int], ToolCall]:
        message, position, call = self._open.pop(at)
        return (message, position), call
