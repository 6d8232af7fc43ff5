"""What else the machine did while an engine ran. A run on a busy machine is marked, not hidden."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICKS = os.sysconf("SC_CLK_TCK")
_STAT = Path("/proc/stat")

FOREIGN_CORES: Final = 0.25
STEAL: Final = 0.01
SWITCHES_A_SECOND: Final = 100.0
SHORTEST: Final = 0.2
"""Seconds below which the ticks in which CPU time is counted are too coarse to tell anything."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine at one moment. busy, stolen: seconds of all cores since it started, `None` where it does not say.

    own: CPU seconds of this process; ended: of those of its children that ended.
    """

    clock: float
    load: float
    cores: int
    busy: float | None
    stolen: float | None
    own: float
    ended: float


def look() -> Machine:
    """The machine now."""
    busy = stolen = None
    if _STAT.exists():
        user, nice, system, _, _, irq, softirq, steal = map(
            int, _STAT.read_text(encoding="ascii").split(maxsplit=9)[1:9]
        )
        busy, stolen = (user + nice + system + irq + softirq) / _TICKS, steal / _TICKS
    times = os.times()
    own, ended = times.user + times.system, times.children_user + times.children_system
    return Machine(time.perf_counter(), os.getloadavg()[0], os.cpu_count() or 1, busy, stolen, own, ended)


@dataclass(frozen=True, slots=True)
class Contention:
    """Between two looks. foreign_cores: kept busy by processes that are neither the engine nor the harness.

    steal: share of all cores. because: why the stretch counts as contended, empty if it does not. None: cannot be told.
    """

    foreign_cores: float | None
    steal: float | None
    contended: bool | None
    because: tuple[str, ...]


UNKNOWN: Final = Contention(None, None, None, ())


def contention(before: Machine, after: Machine, engine_seconds: float, switched_out: int) -> Contention:
    """engine_seconds, switched_out: CPU time and involuntary context switches of the engine in between."""
    seconds = after.clock - before.clock
    if before.busy is None or after.busy is None or seconds < SHORTEST:
        return UNKNOWN
    foreign = max(0.0, after.busy - before.busy - (after.own - before.own) - engine_seconds) / seconds
    stolen = ((after.stolen or 0.0) - (before.stolen or 0.0)) / (seconds * after.cores)
    rate = switched_out / seconds
    because = []
    if foreign > FOREIGN_CORES:
        because.append(f"others kept {foreign:.1f} of {after.cores} cores busy")
    if stolen > STEAL:
        because.append(f"the host took {100 * stolen:.1f} % of the time")
    if rate > SWITCHES_A_SECOND:
        because.append(f"{rate:.0f} involuntary context switches a second")
    return Contention(foreign, stolen, bool(because), tuple(because))
