"""Which messages the prompt shows, while a reader goes through events that add to it and take from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from harness.transcript import Cut


class Shown:
    """`indices` are the messages in the prompt so far, `cuts` what happened to it.

    A message stands for one event or several (an answer with three calls for three); it is gone when all of them are.
    """

    def __init__(self) -> None:
        self.indices: list[int] = []
        self.cuts: list[Cut] = []
        self._events: dict[int, set[str]] = {}

    def add(self, index: int, events: Iterable[str] = ()) -> None:
        """Message `index` was added to the prompt; `events` are the recorder's names for what it stands for."""
        self.indices.append(index)
        self._events[index] = set(events)

    def also(self, index: int, event: str) -> None:
        """Message `index` stands for one more event."""
        self._events[index].add(event)

    def replace(self, indices: list[int], at: int, kind: Literal["compacted", "cleared", "rewound"]) -> None:
        """From message `at` on, the prompt starts with these messages."""
        if indices != self.indices:
            self.indices = indices
            self.cuts.append(Cut(at, tuple(indices), kind))

    def forget(self, events: set[str], at: int, summary: int | None, offset: int | None) -> None:
        """From message `at` on, these events are gone, and `summary` stands before the `offset`th of the events that
        are left, or in the first gap."""
        kept: list[int] = []
        gap: int | None = None
        counted: set[str] = set()
        for index in self.indices:
            own = self._events[index]
            if own and own <= events:
                gap = len(kept) if gap is None else gap
                continue
            if offset == len(counted) and not own <= counted:
                gap = len(kept)
            counted |= (own - events) or {f"message {index}"}
            kept.append(index)
        if offset == len(counted):
            gap = len(kept)
        if summary is not None:
            self._events[summary] = set()
            kept.insert(len(kept) if gap is None else gap, summary)
        self.replace(kept, at, "compacted")
