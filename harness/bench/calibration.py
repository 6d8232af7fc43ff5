"""Whether an engine's confidence says how often it is right: on turns with calls and a reported confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

BINS: Final = 10
TARGET: Final = 0.95


@dataclass(frozen=True, slots=True)
class Bin:
    """count turns with a confidence from low to high: their mean confidence, and the share that was right."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Gate:
    """Acting only at this confidence or above: the share of turns that pass, and how many of them are right."""

    threshold: float
    coverage: float
    accuracy: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """error: expected calibration error, Σ count |accuracy - confidence| / Σ count over the bins. curve: a gate for
    every confidence that occurs, the highest first. gate: of those with an accuracy of at least 95 %, the widest; None
    where there is none.
    """

    bins: tuple[Bin, ...]
    error: float
    curve: tuple[Gate, ...]
    gate: Gate | None


def calibration(confidence: Sequence[float], right: Sequence[bool]) -> Calibration | None:
    """confidence, right: one of each a turn. None without turns.

    Bins are of equal mass (Nguyen and O'Connor 2015); turns of one confidence stay in one bin, so bins may differ and
    be fewer than ten.
    """
    c, r = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    if not c.size:
        return None
    bins = _bins(c, r)
    error = sum(b.count * abs(b.accuracy - b.confidence) for b in bins) / c.size
    curve = _curve(c, r)
    good = [gate for gate in curve if gate.accuracy >= TARGET]
    return Calibration(bins, error, curve, max(good, key=lambda gate: gate.count, default=None))


def _bins(c: NDArray[np.float64], r: NDArray[np.float64]) -> tuple[Bin, ...]:
    middle_rank = pd.Series(c).rank(method="average").to_numpy() - 0.5
    number = np.minimum((middle_rank * BINS / c.size).astype(np.int64), BINS - 1)
    return tuple(
        Bin(float(c[own].min()), float(c[own].max()), int(own.sum()), float(c[own].mean()), float(r[own].mean()))
        for own in (number == n for n in np.unique(number))
    )


def _curve(c: NDArray[np.float64], r: NDArray[np.float64]) -> tuple[Gate, ...]:
    order = np.argsort(-c, kind="stable")
    sorted_c, hits = c[order], np.cumsum(r[order])
    last = np.flatnonzero(np.append(np.diff(sorted_c) != 0, True))
    return tuple(Gate(float(sorted_c[i]), float((i + 1) / c.size), float(hits[i] / (i + 1)), int(i + 1)) for i in last)
