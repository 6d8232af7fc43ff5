"""Policies whose text renderings keep the first and the last so many bytes of a value: those that are swept exactly.

    car          head, tail and gate, each by itself
    head, tail   one end and the gate
    middle       both ends of one limit, and the gate

The gate (`min_bytes`) leaves smaller results as they are. What a typed preview shows of JSON does not depend on these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from harness.policies.car import Car
from harness.policies.clip import Clip
from harness.policies.family import Admission
from harness.policies.head import Head
from harness.policies.middle import Middle
from harness.policies.spec import NamedPolicy, make_policy
from harness.policies.tail import Tail

Point = tuple[int, int, int]
"""Bytes of head, tail and gate."""

HEAD, TAIL, GATE, BOTH = "head", "tail", "gate", "both"
HUGE = 1 << 40
CUTS = ("head:bytes=2000", "middle:bytes=2000", "tail:bytes=2000")
"""The plain cuts that every tuning is held against."""


@dataclass(frozen=True)
class Shape:
    """A policy and the names of its settings by axis: `head`, `tail`, `gate`; `both` where one limit is split."""

    policy: NamedPolicy
    names: Mapping[str, str]

    def at(self, point: Point) -> NamedPolicy:
        """The policy with such a head, tail and gate."""
        head, tail, gate = point
        values = {HEAD: head, TAIL: tail, GATE: gate, BOTH: head + tail}
        return self.policy.varied(**{name: values[axis] for axis, name in self.names.items()})

    @property
    def own(self) -> Point:
        """The point of the policy as it is written."""
        found = self.policy.settings
        if BOTH in self.names:
            head, tail = self.split(int(found[self.names[BOTH]]))
        else:
            head, tail = (int(found[self.names[axis]]) if axis in self.names else 0 for axis in (HEAD, TAIL))
        assert isinstance(self.policy.family, Admission)
        gate = self.policy.family.min_bytes
        return head, tail, HUGE if math.isinf(gate) else math.ceil(gate)

    def split(self, limit: int) -> tuple[int, int]:
        """Head and tail of one limit."""
        assert isinstance(self.policy.family, Clip)
        return self.policy.family.split(limit)

    @property
    def axes(self) -> tuple[str, ...]:
        """Those of its settings."""
        return tuple(self.names)

    @property
    def is_split(self) -> bool:
        return BOTH in self.names

    @property
    def escapes(self) -> bool:
        """Whether text stands in quotes."""
        return isinstance(self.policy.family, Car)


def shape_of(policy: NamedPolicy) -> Shape | None:
    """None for a policy that is not of this kind: history, other units, a second stage, other renderings."""
    family = policy.family
    if isinstance(family, Car):
        return Shape(policy, {HEAD: "text_head_bytes", TAIL: "text_tail_bytes", GATE: "min_bytes"})
    if type(family) not in (Head, Tail, Middle):
        return None
    assert isinstance(family, Clip)
    told = family.unit, family.boundary, family.keep, family.within, family.second
    if told != ("bytes", "over", -1, "kept", "") or family.limit == float("inf"):
        return None
    axis = {Head: HEAD, Tail: TAIL, Middle: BOTH}[type(family)]
    return Shape(policy, {axis: "limit", GATE: "min_bytes"})


def plain_cuts() -> list[Shape]:
    found = [shape_of(make_policy(label)) for label in CUTS]
    return [shape for shape in found if shape is not None]
