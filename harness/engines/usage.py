"""What the operating system (Linux; others say nothing) says of a process and of everything that it started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Usage:
    """peak_bytes: the most memory so far (VmHWM, not what a parent had before it). switched_out: times that a thread
    which still runs lost its core to somebody else. cpu_seconds: of all threads, and of children that ended."""

    peak_bytes: int
    cpu_seconds: float
    switched_out: int

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.peak_bytes + other.peak_bytes,
            self.cpu_seconds + other.cpu_seconds,
            self.switched_out + other.switched_out,
        )


def usage(pid: int) -> Usage | None:
    """The sums over a process and its descendants; `None` where there is no /proc or no such process."""
    whole: Usage | None = None
    for process in _tree(pid):
        try:
            one = _one(process)
        except (OSError, ValueError, IndexError, KeyError):
            continue  # it ended between being listed and being read, or is a zombie without memory
        whole = one if whole is None else whole + one
    return whole


def _tree(pid: int) -> Iterator[Path]:
    process = Path(f"/proc/{pid}")
    yield process
    try:
        children = [
            child for task in (process / "task").iterdir() for child in (task / "children").read_bytes().split()
        ]
    except OSError:
        return
    for child in children:
        yield from _tree(int(child))


def _one(process: Path) -> Usage:
    peak = int(_fields(process / "status")[b"VmHWM"].split()[0]) * 1024
    after_name = (process / "stat").read_bytes().rpartition(b")")[2].split()
    switched = sum(
        int(_fields(task / "status")[b"nonvoluntary_ctxt_switches"]) for task in (process / "task").iterdir()
    )
    return Usage(peak, sum(map(int, after_name[11:15])) / _TICKS, switched)


def _fields(path: Path) -> dict[bytes, bytes]:
    return dict(line.split(b":", 1) for line in path.read_bytes().splitlines() if b":" in line)
