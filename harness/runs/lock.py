"""One nightly at a time in a results folder; the operating system lets go of the lock when the process ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import HarnessError

NAME = ".nightly.lock"


@contextmanager
def alone(results: Path) -> Iterator[None]:
    """Hold the folder. Raises `HarnessError` if another process does."""
    results.mkdir(parents=True, exist_ok=True)
    with (results / NAME).open("a+", encoding="utf-8") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read().strip() or "unknown"
            raise HarnessError(
                f"{results}: another nightly is running here (process {holder}); wait for it, or give another --results"
            ) from None
        stream.truncate(0)
        stream.write(f"{os.getpid()}\n")
        stream.flush()
        yield
