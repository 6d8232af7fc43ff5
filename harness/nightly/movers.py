"""The transcripts that moved a measured figure, and what a policy hides in them: places and hashes, never text."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from harness.nightly.figures import Measured

MOST = 3


@dataclass(frozen=True)
class HiddenAtom:
    """An atom that is not visible, without its text. message: index of the result that holds it. start, bytes: its
    first place in the result's value, in UTF-8. sha256: the first 12 hex digits of its plain form's. state: reachable,
    held or lost."""

    message: int
    start: int
    bytes: int
    sha256: str
    state: str


@dataclass(frozen=True)
class Hidden:
    """The request that lost most, its borne atoms that are not visible (some of `hidden` in all), and the command that
    shows its prompt with their text."""

    request: int
    borne: int
    hidden: int
    atoms: tuple[HiddenAtom, ...]
    command: str


@dataclass(frozen=True)
class Mover:
    """A transcript that moved a figure. hidden: where its action bears what the policy now leaves out of sight, if the
    figure is about that and the recording could be read again."""

    transcript: str
    source: str
    before: float
    after: float
    hidden: Hidden | None = None


def top_movers(figure: Measured, before: pd.DataFrame, after: pd.DataFrame) -> tuple[Mover, ...]:
    """Those that moved it most, the largest first. before, after: a policy's rows `transcripts`, indexed by transcript,
    over the same ones."""
    column = figure.column or figure.name
    old, new = (rows[column].astype("float64") for rows in (before, after))
    moved = (new - old).abs()
    top = moved[moved > 0].sort_values(ascending=False, kind="stable").index[:MOST]
    sources = after["source"].astype(str)
    return tuple(Mover(str(n), sources[n], float(old[n]), float(new[n])) for n in top)
