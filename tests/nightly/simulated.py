"""Simulated nights: timings resampled from recorded turns of an engine that was measured twice, interleaved, and what
is planted into them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.bench.throughput import OBSERVED
from harness.nightly.engines import Judged, confirmed, judge_engines, settle_again
from harness.nightly.steps import judge_series, levels, series_effect

NEW, OLD = "new", "old"
PAIRS = 20
"""Pairs of stretches a night: as many as 67 tasks in three repetitions make."""
NIGHTS, AT = 50, 25
BUSY, EVEN = "turn_seconds.json", "nights that scatter by 2 %"
"""A recording, and what an engine on a quiet machine looks like in the history."""
HERE = Path(__file__).parent


@cache
def recorded(recording: str = BUSY) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Pairs of neighbouring stretches, seconds of the same turns: both by the same engine."""
    pairs = json.loads((HERE / recording).read_text(encoding="utf-8"))["pairs"]
    return [(np.array(a), np.array(b)) for a, b in pairs]


def turns(
    rng: np.random.Generator, slower: float, machine: float = 1.0, pairs: int = PAIRS, recording: str = BUSY
) -> pd.DataFrame:
    """The frame of one night. slower: of the new engine. machine: of all that night, such as a backup that runs."""
    known = recorded(recording)
    rows = []
    for number, drawn in enumerate(rng.integers(len(known), size=pairs)):
        sides = known[drawn] if rng.random() < 0.5 else known[drawn][::-1]
        for side, (engine, factor) in enumerate(((NEW, slower), (OLD, 1.0))):
            for place, seconds in enumerate(sides[side]):
                rows.append((engine, f"p{number}t{place}", 1, 1 + number % 3, 2 * number + side, seconds * factor))
    frame = pd.DataFrame(rows, columns=["engine", "task", "turn", "repetition", "stretch", "seconds"])
    frame["seconds"] *= machine
    unknown = dict.fromkeys((name for name in OBSERVED if name != "seconds"), np.nan)
    return frame.assign(
        **unknown, needs_call=True, state="grounded", right=True, checked=1, ungrounded=0, schema_breaks=0
    )


def interleaved_night(rng: np.random.Generator, slower: float, machine: float = 1.0, recording: str = BUSY) -> Judged:
    """The verdict on the time of a turn, suspects run again."""
    first = _turn(judge_engines("turns", turns(rng, slower, machine, recording=recording), OLD, {}))
    if first.state != "worse":
        return first
    again = _turn(judge_engines("turns", turns(rng, slower, machine, recording=recording), OLD, {}))
    return confirmed(first, settle_again(again))


def _turn(judged: Sequence[Judged]) -> Judged:
    return next(j for j in judged if j.figure == "turn_seconds")


def night_value(rng: np.random.Generator, slower: float, machine: float = 1.0, recording: str = BUSY) -> float:
    """What the history keeps of a night: the median over repetitions of the median turn."""
    if recording == EVEN:
        return float(slower * machine * rng.lognormal(0, 0.02))
    frame = turns(rng, slower, machine, recording=recording)
    own = frame[frame["engine"] == NEW]
    return float(own.groupby("repetition")["seconds"].median().median())


@dataclass(frozen=True)
class Planted:
    """Fifty nights. slower: the new engine, by night. load: all of the machine. machines: which one. accepted: night
    whose level was accepted, from it on; None for the first. alarms: the nights that ought to raise one."""

    name: str
    slower: list[float] = field(default_factory=lambda: [1.0] * NIGHTS)
    load: list[float] = field(default_factory=lambda: [1.0] * NIGHTS)
    machines: str = "a" * NIGHTS
    accepted: int | None = None

    @property
    def alarms(self) -> list[bool]:
        return [s > 1 and (self.accepted is None or n < self.accepted) for n, s in enumerate(self.slower)]


def _from(factor: float) -> list[float]:
    return [1.0] * AT + [factor] * (NIGHTS - AT)


STEPS = (Planted("5 % slower", _from(1.05)), Planted("20 % slower", _from(1.2)))
STEADY = (
    Planted("nothing"),
    Planted("one bad night: all 3 times as slow", load=[3.0 if night == AT else 1.0 for night in range(NIGHTS)]),
)
OVER_NIGHTS = (
    Planted("20 % slower, accepted after 5 nights", _from(1.2), accepted=AT + 5),
    Planted("another machine, 1.6 times as slow", load=_from(1.6), machines="a" * AT + "b" * (NIGHTS - AT)),
)


def interleaved(rng: np.random.Generator, planted: Planted, recording: str = BUSY) -> list[bool]:
    """Per night, whether an alarm was raised against the reference."""
    both = zip(planted.slower, planted.load, strict=True)
    return [interleaved_night(rng, slower, load, recording).state == "worse" for slower, load in both]


def by_history(rng: np.random.Generator, planted: Planted, recording: str = BUSY) -> list[bool]:
    """Per night, whether an alarm was raised over the nights so far on its machine, confirmed by a second run."""
    alarms: list[bool] = []
    known: dict[str, list[float]] = {machine: [] for machine in planted.machines}
    for night, (slower, load) in enumerate(zip(planted.slower, planted.load, strict=True)):
        values = known[planted.machines[night]]
        values.append(night_value(rng, slower, load, recording))
        accepted = 0 if planted.accepted is None or night < planted.accepted else planted.accepted
        case = judge_series(OPEN, values, accepted, "lower")
        raised = case.state == "worse" and case.effect is not None
        if raised and case.effect is not None:
            level = levels(values, accepted, True)[0]
            again = series_effect(level, night_value(rng, slower, load, recording), True, "lower")
            raised = again >= case.effect / 2
        alarms.append(raised)
    return alarms


OPEN = Judged("turns", NEW, "turn_seconds", "history", 0, 0, None, None, None, None, 0.03, "inconclusive", "")


@dataclass(frozen=True)
class Caught:
    """What came of some series of fifty nights. slow: nights that ought to raise an alarm; delays: nights until the
    first of them that did, by series that had any."""

    series: int
    slow: int
    caught: int
    others: int
    false: int
    delays: list[int]

    def row(self) -> list[str]:
        """caught, of the series found, nights until the first alarm: median and the worst; false alarms."""
        if not self.slow:
            return ["", "", "", f"{self.false} of {self.others:,} nights"]
        late = f"{np.median(self.delays):.0f} ({max(self.delays)})" if self.delays else "never"
        power = f"{self.caught} of {self.slow:,} ({self.caught / self.slow:.0%})"
        return [power, f"{len(self.delays)} of {self.series}", late, f"{self.false} of {self.others:,} nights"]


def simulate(
    way: Callable[[np.random.Generator, Planted, str], list[bool]], planted: Planted, series: int, recording: str
) -> Caught:
    """Some series of one kind, seeded by their numbers."""
    slow = caught = others = false = 0
    delays = []
    for number in range(series):
        alarms = way(np.random.default_rng([sum(planted.name.encode()), number]), planted, recording)
        wanted = planted.alarms
        slow, others = slow + sum(wanted), others + wanted.count(False)
        caught += sum(a and w for a, w in zip(alarms, wanted, strict=True))
        false += sum(a and not w for a, w in zip(alarms, wanted, strict=True))
        if True in (due := [a and w for a, w in zip(alarms, wanted, strict=True)]):
            delays.append(due.index(True) - AT + 1)
    return Caught(series, slow, caught, others, false, delays)
