"""What else the machine did: told from what the system counts, and not told where it cannot be."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from harness.bench.machine import Machine, contention, look

BEFORE = Machine(clock=0.0, load=0.1, cores=4, busy=100.0, stolen=1.0, own=2.0, ended=0.0)


@pytest.mark.parametrize(
    ("busy", "stolen", "switched", "because"),
    [
        (110.5, 1.0, 0, ()),
        (114.0, 1.0, 0, ("others kept 0.4 of 4 cores busy",)),
        (110.5, 2.0, 0, ("the host took 2.5 % of the time",)),
        (110.5, 1.0, 5000, ("500 involuntary context switches a second",)),
    ],
)
def test_contended(busy: float, stolen: float, switched: int, because: tuple[str, ...]) -> None:
    after = replace(BEFORE, clock=10.0, busy=busy, stolen=stolen, own=2.5)
    found = contention(BEFORE, after, engine_seconds=9.5, switched_out=switched)
    assert found.because == because
    assert found.contended == bool(because)


def test_what_cannot_be_told() -> None:
    after = replace(BEFORE, clock=10.0)
    for one, other in ((replace(BEFORE, busy=None), after), (BEFORE, replace(after, clock=0.05))):
        found = contention(one, other, 0.0, 0)
        assert (found.contended, found.foreign_cores, found.steal) == (None, None, None)


def test_this_machine() -> None:
    first = look()
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    second = look()
    assert second.clock > first.clock
    assert second.own - first.own >= 0.03
    assert first.cores >= 1
    if first.busy is not None:
        assert second.busy is not None
        assert second.busy >= first.busy
