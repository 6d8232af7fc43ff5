"""Where a shape is swept: points of head, tail and gate, more of them near a choice, with their exact evidence.

Evidence changes only at bytes that some dependency gives (`Offsets.critical`), and a longer head, tail or gate costs
more but for previews that are longer than their value. So nothing between two such bytes is worth trying. First a
lattice of them over the whole range; then around a choice all of them, until the choice stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.tune.choose import Floats, Ground, Ints, front
from harness.tune.offsets import Sweep
from harness.tune.shapes import BOTH, GATE, HEAD, TAIL, Point

Singles = NDArray[np.float32]

HEADS, TAILS, LIMITS = 64, 28, 300
"""Points of the lattice on each axis, spread evenly over the bytes at which evidence changes."""
ON_A_LINE, BELOW, ABOVE = 10, 2, 12
"""Gates that are kept of a head and a tail, out of all that nothing beats: some all along, and those just under and
just over the floor."""
ROUNDS = 12
NEAR = 24
"""Bytes at which evidence changes, on either side of a choice and on each axis, that are all tried around it."""


@dataclass(frozen=True)
class Axis:
    """low, high: the range, both ends included. values: the only ones, where a step says so or nothing varies."""

    low: int
    high: int
    values: tuple[int, ...] | None = None

    def holds(self, value: int) -> bool:
        return self.low <= value <= self.high and (self.values is None or value in self.values)

    def within(self, wanted: Iterable[int]) -> list[int]:
        """Those of the axis, ascending, each once; its ends among them."""
        if self.values is not None:
            return list(self.values)
        return sorted({self.low, self.high, *(int(n) for n in wanted if self.low <= n <= self.high)})

    def near(self, values: Sequence[int], at: int, count: int) -> list[int]:
        """So many of the values on either side of one."""
        found = self.within(values)
        place = int(np.searchsorted(found, at))
        return sorted({*found[max(place - count, 0) : place + count + 1], at})


class Field:
    """The points tried of a shape, with cost and requests that see all, (C, T) each.

    Of a head and a tail all gates are found at once; kept are those that no other beats in cost and evidence.
    """

    def __init__(self, role: str, sweep: Sweep, axes: Mapping[str, Axis], money: bool, floor: float = 0.95) -> None:
        self.floor = floor * len(sweep.known.request_starts)
        self.role, self.sweep, self.axes, self.money = role, sweep, axes, money
        self.points: list[Point] = []
        self._known: dict[Point, int] = {}
        self._lines: set[tuple[int, int]] = set()
        self._blocks: list[tuple[Floats, Singles]] = []
        self._gates = self._allowed_gates()
        self._add_own()
        self.add(self._lattice())

    @property
    def size(self) -> int:
        """How many points were looked at."""
        return len(self._lines) * len(self._gates)

    def add(self, pairs: Iterable[tuple[int, int]]) -> bool:
        """Try heads and tails that are not known yet under every gate; whether there were any."""
        new = sorted({pair for pair in pairs if pair not in self._lines and self._holds(*pair)})
        for head, tail in new:
            self._lines.add((head, tail))
            tokens, usd, _, whole = self.sweep.line(head, tail)
            cost = usd if self.money else tokens
            own = self._gates
            total, seen = cost[own].sum(axis=1), whole[own].sum(axis=1)
            best = front(total, seen)
            at = int(np.searchsorted(seen[best], self.floor))
            kept = sorted({*thin(best, ON_A_LINE), *best[max(at - BELOW, 0) : at + ABOVE]})
            self._keep(head, tail, [own[n] for n in kept], (cost, whole))
        return bool(new)

    def every_gate(self, head: int, tail: int) -> None:
        """Keep all gates of a head and a tail."""
        tokens, usd, _, whole = self.sweep.line(head, tail)
        self._keep(head, tail, self._gates, (usd if self.money else tokens, whole))

    def _keep(self, head: int, tail: int, numbers: Sequence[int], figures: tuple[Floats, Floats]) -> None:
        new = [n for n in numbers if (head, tail, int(self.sweep.gates[n])) not in self._known]
        for n in new:
            point = head, tail, int(self.sweep.gates[n])
            self._known[point] = len(self.points)
            self.points.append(point)
        if new:
            cost, whole = figures
            self._blocks.append((cost[new], whole[new].astype(np.float32)))

    def _add_own(self) -> None:
        """The policy as it is written, though its gate may be none of a result's size."""
        own = self.sweep.shape.own
        tokens, _, whole = self.sweep.at([own])
        self._known[own] = 0
        self.points.append(own)
        self._blocks.append((self.sweep.cost([own]) if self.money else tokens, whole.astype(np.float32)))

    def number(self, point: Point) -> int:
        return self._known[point]

    def _allowed_gates(self) -> list[int]:
        axis = self.axes[GATE]
        found = [n for n, gate in enumerate(self.sweep.gates.tolist()) if axis.holds(gate)]
        return found or [0]

    @property
    def cost(self) -> Floats:
        found: Floats = self._joined(0)
        return found

    @property
    def whole(self) -> Floats:
        found: Floats = self._joined(1)
        return found

    def _joined(self, which: int) -> Any:
        if len(self._blocks) > 1:
            self._blocks = [tuple(np.vstack(parts) for parts in zip(*self._blocks, strict=True))]  # type: ignore[list-item]
        return self._blocks[0][which]

    def settle(self, ground: Ground, floor: float) -> Point | None:
        """The choice on some transcripts, tried ever finer around it until it stays."""
        point = None
        for _ in range(ROUNDS):
            at = ground.choose(self.cost, self.whole, floor)
            if at is None:
                return None
            if point == self.points[at]:
                break
            point = self.points[at]
            self.add(self._around(point))
            self.every_gate(*point[:2])
        return point

    def unchanged(self, point: Point) -> dict[str, list[int]]:
        """By setting, the first and the last value with which all that is visible stays as it is, the others fixed."""
        found = {}
        for axis, name in self.sweep.shape.names.items():
            if self.axes[axis].low == self.axes[axis].high:
                continue
            own = _value(point, axis)
            values = self.axes[axis].near(self._all(axis, point), own, 1 << 30)
            visible = self.sweep.at([self._moved(point, axis, value) for value in values])[1]
            at = values.index(own)
            same = (visible == visible[at]).all(axis=1)
            low = next((n + 1 for n in range(at, -1, -1) if not same[n]), 0)
            high = next((n for n in range(at, len(values)) if not same[n]), len(values))
            found[name] = [values[low], values[high] - 1 if high < len(values) else values[-1]]
        return found

    def _all(self, axis: str, point: Point) -> list[int]:
        """Every value of an axis at which something may change, the others fixed."""
        head, tail, _ = point
        sizes = self.sweep.known.size
        if axis == BOTH:
            return self._limits()
        if axis == GATE:
            return sorted(self._critical(GATE).tolist())
        other = tail if axis == HEAD else head
        return sorted({*self._critical(axis).tolist(), *(sizes[sizes > other] - other).tolist()})

    def _moved(self, point: Point, axis: str, value: int) -> Point:
        head, tail, gate = point
        if axis == BOTH:
            return (*self.sweep.shape.split(value), gate)
        return {HEAD: (value, tail, gate), TAIL: (head, value, gate), GATE: (head, tail, value)}[axis]

    def _holds(self, head: int, tail: int) -> bool:
        given = {BOTH: head + tail} if BOTH in self.axes else {HEAD: head, TAIL: tail}
        return all(self.axes[axis].holds(value) for axis, value in given.items())

    def _critical(self, axis: str) -> Ints:
        return self.sweep.known.critical(axis)

    def _lattice(self) -> list[tuple[int, int]]:
        if self.sweep.shape.is_split:
            return [self.sweep.shape.split(limit) for limit in thin(self._limits(), LIMITS)]
        heads, tails = (self.axes[a].within(self._critical(a).tolist()) for a in (HEAD, TAIL))
        if 1 in (len(heads), len(tails)):
            return [(head, tail) for head in thin(heads, LIMITS) for tail in thin(tails, LIMITS)]
        return [(head, tail) for head in thin(heads, HEADS) for tail in thin(tails, TAILS)]

    def _limits(self) -> list[int]:
        known = self.sweep.known
        wanted = {*(2 * known.critical(HEAD)).tolist(), *(2 * known.critical(TAIL)).tolist(), *known.size.tolist()}
        return self.axes[BOTH].within(wanted)

    def _around(self, point: Point) -> list[tuple[int, int]]:
        """Every byte near a point on each axis, the whole of one with what is near on the other, and the two ends
        against each other."""
        head, tail, _ = point
        if self.sweep.shape.is_split:
            limits = self._limits()
            place = int(np.searchsorted(limits, head + tail))
            return [self.sweep.shape.split(n) for n in limits[max(place - NEAR, 0) : place + NEAR + 1]]
        heads, tails = (self.axes[a].near(self._all(a, point), _value(point, a), NEAR) for a in (HEAD, TAIL))
        moved, ends = (thin(self.axes[a].within(self._critical(a).tolist()), HEADS) for a in (HEAD, TAIL))
        return [
            *((h, t) for h in thin(heads, 9) for t in thin(ends, 2 * 9)),
            *((h, t) for h in thin(moved, 2 * 9) for t in thin(tails, 9)),
            *((h, tail) for h in heads),
            *((head, t) for t in tails),
            *((h, t) for h in thin(heads, 12) for t in thin(tails, 12)),
            *((h, head + tail - h) for h in moved if h < head + tail),
        ]


def _value(point: Point, axis: str) -> int:
    head, tail, gate = point
    return {HEAD: head, TAIL: tail, GATE: gate, BOTH: head + tail}[axis]


def thin(values: Sequence[int] | Ints, most: int) -> list[int]:
    """So many of the values, evenly by rank, the first and the last among them."""
    ordered = list(values)
    if len(ordered) <= most:
        return [int(v) for v in ordered]
    return sorted({int(ordered[round(n * (len(ordered) - 1) / (most - 1))]) for n in range(most)})
