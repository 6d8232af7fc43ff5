"""What is varied, and over which values.

text_head_bytes=100:8k        candidates from the quantiles of the corpus's own result sizes in that range
seq_head=0:8                  a small range of whole numbers is tried in full
ratio=0:1:0.25                with a step: exactly these
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from harness.errors import HarnessError
from harness.policies.settings import field_types
from harness.policies.spec import NamedPolicy, make_policy
from harness.policies.units import UnitName
from harness.spec import size
from harness.tune.settings import TuneSettings
from harness.tune.shapes import shape_of

SMALL = 12
"""A range of so many whole numbers is tried in full."""
MOST = 1000
"""Values that a step may give."""


@dataclass(frozen=True)
class Vary:
    """One setting: its range, both ends included, and the step, `None` to take candidates from the corpus."""

    name: str
    low: float
    high: float
    step: float | None
    whole: bool

    def candidates(self, sizes: Sequence[int], default: float | None, most: int) -> list[float]:
        """Values to try, ascending: at most `most` where no step says how many.

        sizes: bytes of the corpus's results. The ends and the default, where it lies within, are always among them.
        """
        if self.step is not None:
            count = math.floor((self.high - self.low) / self.step + 1e-9) + 1
            return [self._value(self.low + n * self.step) for n in range(count)]
        if self.whole and self.high - self.low < SMALL:
            return [float(n) for n in range(int(self.low), int(self.high) + 1)]
        fixed = {self.low, self.high}
        if default is not None and self.low < default < self.high:
            fixed.add(default)
        wanted = max(most - len(fixed), 0)
        inside = [n for n in sizes if self.low < n < self.high]
        shares = (np.arange(wanted) + 0.5) / max(wanted, 1)
        if len(inside) >= wanted:
            found = {self._value(float(n)) for n in np.quantile(inside, shares, method="nearest")} if wanted else set()
        else:
            found = {self._value(float(self.low + share * (self.high - self.low))) for share in shares}
        return sorted(fixed | found)

    def _value(self, value: float) -> float:
        return float(round(value)) if self.whole else round(value, 9)


def parse_vary(text: str, policy: NamedPolicy) -> Vary:
    """`name=low:high[:step]` for a setting of a policy. Raises `HarnessError` that says what to write."""
    name, _, ends = text.partition("=")
    name = name.strip()
    parts = ends.split(":")
    try:
        low, high, *rest = (size(part.strip()) for part in parts)
        step = rest[0] if rest else None
        if len(rest) > 1 or not all(map(math.isfinite, (low, high, *rest))):
            raise ValueError(ends)
    except ValueError:
        raise HarnessError(f"--vary {text!r}: write name=low:high[:step], such as bytes=500:20k") from None
    if high <= low or (step is not None and step <= 0):
        raise HarnessError(f"--vary {text!r}: the range must rise, from low to high, in steps above 0")
    if step is not None and (high - low) / step >= MOST:
        raise HarnessError(f"--vary {text!r} gives more than {MOST} values: take a larger step")
    hint = field_types(type(policy.family)).get(name)
    if name in get_args(UnitName) and "limit" in policy.settings:
        hint = float
    if hint not in (int, float):
        numbers = [key for key, kind in field_types(type(policy.family)).items() if kind in (int, float)]
        raise HarnessError(
            f"--vary {text!r}: {policy.label} has no number called {name!r}; there are: {', '.join(numbers)}"
        )
    whole = all(float(number).is_integer() for number in (low, high, *rest)) and (hint is int or high - low > 1)
    if hint is int and not whole:
        raise HarnessError(f"--vary {text!r}: {name} is a whole number, and so must its range and step be")
    return Vary(name, low, high, step, whole)


def parse_all(texts: Sequence[str], policy: NamedPolicy) -> list[Vary]:
    """All that is varied; nothing where head, tail and gate are swept by default. A setting given twice is a
    `HarnessError`."""
    if not texts and shape_of(policy) is None:
        raise HarnessError("nothing to tune: name a setting and its range, such as --vary text_head_bytes=100:8k")
    found = [parse_vary(text, policy) for text in texts]
    for name in (names := [vary.name for vary in found]):
        if names.count(name) > 1:
            raise HarnessError(f"--vary {name} is given twice")
    return found


def default_of(policy: NamedPolicy, name: str) -> float | None:
    """The value that a policy has without tuning; `None` where it is no number or has another unit."""
    value = policy.settings.get("limit" if name in get_args(UnitName) else name)
    if name in get_args(UnitName) and policy.settings.get("unit") != name:
        return None
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def setting(policy: NamedPolicy, values: Mapping[str, float]) -> NamedPolicy:
    """The policy with those values."""
    given: dict[str, Any] = {name: int(value) if value.is_integer() else value for name, value in values.items()}
    return policy.varied(**given)


def check(settings: TuneSettings) -> None:
    """Raises `HarnessError` for a policy or a setting to vary that there is not."""
    parse_all(settings.vary, make_policy(settings.policy))
    make_policy(settings.against or settings.policy)
