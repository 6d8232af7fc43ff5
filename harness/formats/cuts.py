"""Where a prompt was rewritten, collected while reading, and bounded: a file can be made to rewrite it without end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from harness.formats.assembly import Assembly
from harness.transcript import Cut

Kind = Literal["compacted", "cleared", "rewound"]

MOST_KEPT = 5_000_000  # messages that all cuts of a run keep together; a long session of a busy week keeps some 100,000


class Cuts:
    """The cuts of one run. `full` says that no more are taken, and is a problem of the run."""

    def __init__(self, assembly: Assembly) -> None:
        self.full = False
        self._assembly = assembly
        self._found: list[Cut] = []
        self._kept = 0

    def add(self, at: int, keep: Sequence[int], kind: Kind) -> None:
        """From message `at` on the prompt starts with the messages `keep`."""
        if self.full:
            return
        self._kept += len(keep)
        if self._kept > MOST_KEPT:
            self.full = True
            self._assembly.problem("", "the prompt was rewritten more often than is followed; the rest is left out")
            return
        self._found.append(Cut(at, tuple(keep), kind))

    def latest_at(self) -> int | None:
        """The message before which the latest cut stands."""
        return self._found[-1].at if self._found else None

    def of(self, length: int) -> tuple[Cut, ...]:
        """The cuts that matter in a run of so many messages: those with messages before and behind them."""
        return tuple(cut for cut in self._found if 0 < cut.at < length)
