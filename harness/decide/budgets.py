"""The budgets of a family: one path through its settings, the default among them.

A family with one size (a limit or a budget) is swept over that. The reference's preview has nine budgets: all are taken
times one factor. The steps do not depend on the corpus: eight to a factor of ten, from 64 bytes to 64 kB.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

from harness.errors import HarnessError
from harness.policies.car import Car
from harness.policies.spec import NamedPolicy, make_policy
from harness.preview import Budgets

STEPS = 8
"""To a factor of ten."""
SMALLEST, LARGEST = 64, 64_000
NINE = "all nine budgets of the preview, times one factor"
SIZES = ("limit", "budget", "n")
ALONG = ("keep",)
"""Settings that go along with a size."""


@dataclass(frozen=True)
class Path:
    """A family: its policies in the order of their budgets, and which of them is the default.

    words: what is varied, for a reader. sizes: what each shows at most, in the family's unit.
    """

    family: str
    policies: tuple[str, ...]
    sizes: tuple[float, ...]
    default: int
    words: str


def path_of(label: str) -> Path:
    """Raises `HarnessError` for a policy without a size."""
    policy = make_policy(label)
    own, words = _size(policy)
    unit = policy.settings.get("unit", "bytes")
    least, most = (SMALLEST, LARGEST) if unit not in ("lines", "n") else (1, 2000)
    low = min(0, math.ceil(STEPS * math.log10(least / own)))
    high = max(0, math.floor(STEPS * math.log10(most / own)))
    made: dict[str, float] = {}
    for step in range(low, high + 1):
        factor = 10 ** (step / STEPS)
        made.setdefault(at(policy, factor).label, own * factor)
    labels = tuple(made)
    return Path(policy.label, labels, tuple(made.values()), labels.index(policy.label), words)


def at(policy: NamedPolicy, factor: float) -> NamedPolicy:
    """The policy with all its budgets times a factor."""
    settings = policy.settings
    if isinstance(policy.family, Car):
        names = [field.name for field in fields(Budgets)]
    else:
        names = [name for name in (*SIZES, *ALONG) if _is_size(settings.get(name))]
    return policy.varied(**{name: max(round(settings[name] * factor), 1) for name in names})


def _size(policy: NamedPolicy) -> tuple[float, str]:
    settings = policy.settings
    if isinstance(policy.family, Car):
        return settings["text_head_bytes"] + settings["text_tail_bytes"], NINE
    for name in SIZES:
        if _is_size(settings.get(name)):
            along = [other for other in ALONG if _is_size(settings.get(other))]
            return float(settings[name]), " and ".join([_named(policy, name), *along])
    raise HarnessError(
        f"{policy.label} has no one setting for its size: take a family with a limit or a budget, such as head, "
        "middle, tail, spill, auto, or car"
    )


def _named(policy: NamedPolicy, name: str) -> str:
    return f"limit in {policy.settings['unit']}" if name == "limit" and "unit" in policy.settings else name


def _is_size(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def variants(labels: Sequence[str]) -> tuple[str, ...]:
    """What would be of a family with one thing changed: a handle that can be read, JSON taken for values."""
    found = []
    for label in labels:
        policy = make_policy(label)
        name, _, rest = label.partition(":")
        if isinstance(policy.family, Car):
            if name == "car":
                found.append(make_policy(f"car_read:{rest}" if rest else "car_read").label)
            if policy.settings["parse"] != "sniff":
                found.append(policy.varied(parse="sniff").label)
    return tuple(dict.fromkeys(found))
