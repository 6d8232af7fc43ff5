"""Simulated nights: timings resampled from recorded turns of an engine that was measured twice, interleaved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.compare.engines import Judged, confirmed, judge_engines, settle

NEW, OLD = "new", "old"
PAIRS = 20
"""Pairs of stretches a night: as many as 67 tasks in three repetitions make."""


@cache
def recorded() -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Pairs of neighbouring stretches, seconds of the same turns: both by the same engine."""
    pairs = json.loads((Path(__file__).parent / "turn_seconds.json").read_text(encoding="utf-8"))["pairs"]
    return [(np.array(a), np.array(b)) for a, b in pairs]


def turns(rng: np.random.Generator, slower: float, machine: float = 1.0, pairs: int = PAIRS) -> pd.DataFrame:
    """The frame of one night. slower: of the new engine. machine: of all that night, such as a backup that runs."""
    known = recorded()
    rows = []
    for number, drawn in enumerate(rng.integers(len(known), size=pairs)):
        sides = known[drawn] if rng.random() < 0.5 else known[drawn][::-1]
        for side, (engine, factor) in enumerate(((NEW, slower), (OLD, 1.0))):
            for place, seconds in enumerate(sides[side]):
                rows.append((engine, f"p{number}t{place}", 1, 1 + number % 3, 2 * number + side, seconds * factor))
    frame = pd.DataFrame(rows, columns=["engine", "task", "turn", "repetition", "stretch", "seconds"])
    frame["seconds"] *= machine
    return frame.assign(first_seconds=np.nan, needs_call=True, state="grounded", right=True)


def interleaved_night(rng: np.random.Generator, slower: float, machine: float = 1.0) -> Judged:
    """The verdict on the time of a turn, suspects run again."""
    first = _turn(judge_engines("turns", turns(rng, slower, machine), OLD, {}))
    if first.state != "worse":
        return first
    again = _turn(judge_engines("turns", turns(rng, slower, machine), OLD, {}))
    return confirmed(first, settle([again])[0])


def _turn(judged: Sequence[Judged]) -> Judged:
    return next(j for j in judged if j.figure == "turn_seconds")


def night_value(rng: np.random.Generator, slower: float, machine: float = 1.0, pairs: int = PAIRS) -> float:
    """What the history keeps of a night: the median over repetitions of the median turn."""
    frame = turns(rng, slower, machine, pairs)
    own = frame[frame["engine"] == NEW]
    return float(own.groupby("repetition")["seconds"].median().median())
