"""All tasks: every template of a family with a seed, its need going round so that all needs come up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from harness.errors import HarnessError
from harness.loop import FAMILIES, FAMILY_GROUP
from harness.loop.environment.dice import Dice
from harness.loop.task import NEEDS, Family, Need, Task
from harness.registry import load, targets


def family(name: str) -> Family:
    """The family of that name; an unknown name is a `HarnessError` that lists all."""
    return cast(Family, load(FAMILIES, FAMILY_GROUP, name))


def family_names() -> list[str]:
    return list(targets(FAMILIES, FAMILY_GROUP))


def tasks(families: Sequence[str], seeds: int = 0, first: int = 0) -> list[Task]:
    """The tasks of `seeds` seeds from 0; `len(NEEDS)` seeds give each template every need. With `first`, only so many
    of them, drawn once and for all. 0 seeds: as many as `first` needs, at least one."""
    if seeds < 0 or first < 0:
        raise HarnessError(
            f"seeds is {seeds}, first is {first}: give 0 or more; 6 seeds give every template every need"
        )
    chosen = families or family_names()
    found = list(_all(chosen, seeds or max(1, -(-first // len(list(_all(chosen, 1)))))))
    if first > len(found):
        raise HarnessError(f"there are {len(found)} tasks of {seeds} seeds: ask for fewer than {first}, or more seeds")
    if first and first < len(found):
        drawn = Dice("which tasks come first").shuffled(range(len(found)))[:first]
        found = [found[n] for n in sorted(drawn)]
    return [made.make(template, need, seed) for made, template, need, seed in found]


def _all(families: Sequence[str], seeds: int) -> Iterator[tuple[Family, str, Need, int]]:
    for seed in range(seeds):
        for name in dict.fromkeys(families):
            made = family(name)
            start = family_names().index(name) + seed
            for number, template in enumerate(made.templates, start):
                yield made, template, NEEDS[number % len(NEEDS)], seed
