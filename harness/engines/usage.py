"""What the operating system (Linux; others say nothing) says of a process and of everything that it started."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PEAK: Final = re.compile(rb"^VmHWM:\s*(\d+) kB$", re.MULTILINE)
_SWITCHED_OUT: Final = re.compile(rb"^nonvoluntary_ctxt_switches:\s*(\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Usage:
    """peak_bytes: the most memory so far (VmHWM, not what a parent had before it). switched_out: times that a thread
    which still runs lost its core to somebody else. cpu_seconds: of all threads, and of children that ended."""

    peak_bytes: int
    cpu_seconds: float
    switched_out: int


def usage(pid: int) -> Usage | None:
    """The sums over a process and its descendants; `None` where there is no /proc or no such process."""
    peak, ticks, switched, seen = 0, 0, 0, 0
    waiting = [pid]
    while waiting:
        process = f"/proc/{waiting.pop()}"
        try:
            # It may end while it is read, or be a zombie, which has no memory.
            own_peak, own_ticks = _peak(process), _ticks(process)
            for thread in os.listdir(f"{process}/task"):
                switched += _switched(f"{process}/task/{thread}")
                waiting += map(int, _read(f"{process}/task/{thread}/children").split())
        except OSError:
            continue
        if own_peak is not None:
            peak, ticks, seen = peak + own_peak, ticks + own_ticks, seen + 1
    return Usage(peak, ticks / _TICKS, switched) if seen else None


def _peak(process: str) -> int | None:
    found = _PEAK.search(_read(f"{process}/status"))
    return 1024 * int(found[1]) if found else None


def _ticks(process: str) -> int:
    """User and system time, own and of children that ended: fields 14 to 17 of `stat`, counted from behind the name."""
    return sum(map(int, _read(f"{process}/stat").rpartition(b")")[2].split()[11:15]))


def _switched(thread: str) -> int:
    found = _SWITCHED_OUT.search(_read(f"{thread}/status"))
    return int(found[1]) if found else 0


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as stream:
        return stream.read()
