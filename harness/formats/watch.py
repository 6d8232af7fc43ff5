"""Time and memory of one source: a reader that does not end, or fills the memory, costs its source and nothing else.

In one process, by a timer that counts the processor time that reading takes: whatever Python code and regular
expressions do is looked at ten times a second. What is parsed in one go is weighed before (`json_text`), and what small
files unpack to is bounded (`limits`), since nothing can look into those from outside.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from harness.errors import HarnessError

SECONDS: Final = 300  # of processor time
SECONDS_A_MB: Final = 2  # beyond the first 150 MB on disk
MEMORY: Final = 4 << 30  # bytes
TICK: Final = 0.1  # seconds of processor time

T = TypeVar("T")


class TooMuch(Exception):
    """One source took more time or memory than it may."""


def limit(name: str, usual: int) -> int:
    """A limit that the environment may set. Raises `HarnessError` for what is no number."""
    given = os.environ.get(name)
    if given is None:
        return usual
    if not given.isdecimal() or not int(given):
        raise HarnessError(f"{name} is {given!r}: set it to a whole number over 0, or leave it away for {usual:,}")
    return int(given)


def watched(things: Iterator[T], size: int) -> Iterator[T]:
    """The same, as far as it comes within the limits; what is done between one and the next is not counted. size: bytes
    on disk. Raises `TooMuch`."""
    if threading.current_thread() is not threading.main_thread():
        yield from things  # signals reach the first thread alone
        return
    watch = Watch(max(SECONDS, SECONDS_A_MB * (size >> 20)))
    while True:
        with watch:
            try:
                thing = next(things)
            except StopIteration:
                return
            watch.look()  # many short steps never meet a tick
        yield thing


class Watch:
    """A context in which time and memory are counted, entered as often as one likes. seconds: of all together."""

    def __init__(self, seconds: int) -> None:
        self._seconds = limit("HARNESS_SOURCE_SECONDS", seconds)
        self._memory = limit("HARNESS_SOURCE_MEMORY", MEMORY)
        self._spent = self._began = 0.0
        self._held = resident()

    def __enter__(self) -> None:
        global _looking
        self._began = time.process_time()
        _looking = self
        signal.signal(signal.SIGVTALRM, _look)
        signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)

    def __exit__(self, *_: object) -> None:
        global _looking
        _looking = None  # first: from here on a signal that is under way says nothing
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self._spent += time.process_time() - self._began

    def look(self) -> None:
        """Raises `TooMuch` where a limit is passed."""
        if self._spent + time.process_time() - self._began > self._seconds:
            raise TooMuch(f"takes over {self._seconds:,} s of processor time to read (HARNESS_SOURCE_SECONDS)")
        if resident() - self._held > self._memory:
            raise TooMuch(f"takes over {self._memory:,} bytes of memory to read (HARNESS_SOURCE_MEMORY)")


_looking: Watch | None = None


def _look(number: int, frame: Any) -> None:
    if _looking is not None:
        _looking.look()


def resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say (only Linux does)."""
    try:
        pages = Path("/proc/self/statm").read_bytes().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
