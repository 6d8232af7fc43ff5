"""Records as all templates have them: a key, a code, a group, a number, a note and a seal at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import FIRST, SECOND, paragraph

CODE: Final = r"(kx-[0-9a-f]{6})(?![0-9a-f])"
SEAL: Final = r"(SL[0-9A-F]{6})(?![0-9A-F])"
"""How codes and seals read. What follows must not go on with them, or they may have been cut."""


@dataclass(frozen=True, slots=True)
class Record:
    key: str
    code: str
    group: str
    number: int
    note: str
    seal: str
    n: int


FIELDS: Final = tuple(field.name for field in fields(Record))


def code(dice: Dice) -> str:
    return f"kx-{dice.hex(6)}"


def make_records(dice: Dice, count: int, prefix: str, groups: Sequence[str], long_note: int) -> list[Record]:
    """`count` records. The second has a note of so many sentences, so that what follows it stands far from the
    beginning."""
    found = []
    start = dice.between(1000, 6000)
    for n in range(count):
        note = paragraph(dice, long_note) if n == 1 else f"{dice.pick(FIRST)} {dice.pick(SECOND)}"
        found.append(
            Record(
                f"{prefix}-{start + 3 * n}",
                code(dice),
                dice.pick(groups),
                dice.between(2, 900),
                note,
                f"SL{dice.hex(6).upper()}",
                n,
            )
        )
    return found
