"""Which axes a tuning sweeps, and over which range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from harness.policies.units import UnitName
from harness.tune.field import Axis
from harness.tune.shapes import BOTH, GATE, HEAD, TAIL, Point, Shape
from harness.tune.vary import Vary


def free_axes(shape: Shape, largest: int) -> dict[str, Axis]:
    """Everything that the shape has, up to the largest result."""
    found = {axis: Axis(0, largest + 1) for axis in shape.axes}
    return found if BOTH in found else _whole(found, shape.own)


def gate_alone(shape: Shape, largest: int) -> dict[str, Axis]:
    """Only the gate."""
    return _whole({GATE: Axis(0, largest + 1)}, shape.own, BOTH in shape.names)


def varied_axes(shape: Shape, vary: Sequence[Vary], largest: int) -> dict[str, Axis] | None:
    """Those that are asked for; None where anything else is."""
    if not vary:
        return free_axes(shape, largest)
    names = {name: axis for axis, name in shape.names.items()}
    found = {}
    for one in vary:
        axis = names.get("limit" if one.name in get_args(UnitName) else one.name)
        if axis is None or not one.whole or (one.name in get_args(UnitName) and one.name != "bytes"):
            return None
        values = tuple(int(v) for v in one.candidates([], None, 0)) if one.step is not None else None
        found[axis] = Axis(int(one.low), min(int(one.high), largest + 1) if values is None else int(one.high), values)
    return _whole(found, shape.own, BOTH in shape.names)


def _whole(given: Mapping[str, Axis], own: Point, is_split: bool = False) -> dict[str, Axis]:
    """With one value for what is not given: the policy's own."""
    head, tail, gate = own
    kept = {BOTH: head + tail, GATE: gate} if is_split else {HEAD: head, TAIL: tail, GATE: gate}
    return {axis: given.get(axis, Axis(value, value, (value,))) for axis, value in kept.items()}
