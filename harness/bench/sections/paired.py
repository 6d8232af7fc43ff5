"""Engines against each other on the same turns: which is right more often, which takes longer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import pandas as pd

from harness.engines.envelope import TurnState
from harness.report.table import Column, Table
from harness.report.units import COUNT, DETECTABLE, NAME, POINTS, RATIO, P, between
from harness.statistics.mcnemar import Shares, compare_shares
from harness.statistics.significance import corrected

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

MARKS = {"right": "right", "grounded": "grounded by its own check"}


def section(part: Engines) -> Table | None:
    """Shares of turns, paired."""
    found = list(_shares(part))
    if not found:
        return None
    ps = corrected([shares.p for *_, shares in found], "holm")
    rows = []
    for (mark, later, earlier, s), p in zip(found, ps, strict=True):
        low, high = s.interval or (None, None)
        record = {"engine": later, "against": earlier, "what": mark, "turns": s.turns, "tasks": s.tasks}
        record |= {"both": s.both, "only_engine": s.first, "only_against": s.second, "neither": s.neither}
        record |= {"difference": s.difference, "low": low, "high": high, "p": s.p, "p_corrected": p}
        said = {"_what": MARKS[mark], "_same": "none differ" if s.interval and low == high else ""}
        rows.append(record | {"detectable": s.detectable} | said)
    return Table(
        "paired",
        "Engines against each other: right and grounded",
        "live",
        "The same turns, in the first repetition; grounded over the turns that both checked. The difference is in "
        "points of the share, with a percentile bootstrap over tasks (none under 8 tasks); p is McNemar's exact test "
        "over the turns on which they differ, corrected by Holm over this table; detectable is the smallest "
        "difference that a sample like this finds with 80 % power.",
        SHARES,
        rows,
    )


SHARES = (
    Column("engine", "engine", NAME),
    Column("against", "against", NAME),
    Column("_what", "what"),
    Column("turns", "turns", COUNT),
    Column("tasks", "tasks", COUNT),
    Column("both", "both", COUNT),
    Column("only_engine", "only the first", COUNT),
    Column("only_against", "only the second", COUNT),
    Column("neither", "neither", COUNT),
    Column("difference", "difference", POINTS),
    Column(("low", "high"), "95 % interval", between(POINTS), instead="_same"),
    Column("p_corrected", "p, corrected", P),
    Column("detectable", "detectable", DETECTABLE),
)


def _shares(part: Engines) -> Iterator[tuple[str, str, str, Shares]]:
    keys = ["task", "turn"]
    columns = [*keys, "state", "right"]
    for earlier, later in combinations(part.engines, 2):
        both = part.first(later)[columns].merge(part.first(earlier)[columns], on=keys, suffixes=("", "_other"))
        checked = both["state"].isin(CHECKED) & both["state_other"].isin(CHECKED)
        for mark, own in (("right", both), ("grounded", both[checked])):
            one, other = (_marked(own, mark, suffix) for suffix in ("", "_other"))
            shares = compare_shares(one.to_numpy(bool), other.to_numpy(bool), list(own["task"].astype("str")))
            if shares is not None:
                yield mark, later, earlier, shares


CHECKED = (TurnState.GROUNDED, TurnState.FLAGGED, TurnState.WITHHELD)


def _marked(both: pd.DataFrame, mark: str, suffix: str) -> pd.Series:
    if mark == "right":
        return both[f"right{suffix}"].fillna(False).astype("bool")
    return both[f"state{suffix}"].astype("str") == TurnState.GROUNDED


def times(part: Engines) -> Table | None:
    """Ratios of times, paired by neighbouring stretches."""
    found = part.summary.ratios
    if not found:
        return None
    rows = []
    for r in found:
        low, high = r.interval or (None, None)
        record = {key: value for key, value in r.to_record().items() if key != "interval"}
        rows.append(record | {"low": low, "high": high, "_so": _said(r.ratio, r.interval)})
    return Table(
        "ratios",
        "Engines against each other: time a turn",
        "live",
        "Time of the first over that of the second on the same turns: per pair of neighbouring stretches the median "
        "over the turns, over the pairs the median with its distribution-free interval, from six pairs on.",
        RATIOS,
        rows,
    )


RATIOS = (
    Column("engine", "engine", NAME),
    Column("reference", "against", NAME),
    Column("turns", "turns", COUNT),
    Column("pairs", "pairs of stretches", COUNT),
    Column("ratio", "time ratio", RATIO),
    Column(("low", "high"), "95 % interval", between(RATIO)),
    Column("_so", "so"),
)


def _said(ratio: float, interval: tuple[float, float] | None) -> str:
    if interval is None:
        return "too few pairs to say"
    if interval[0] <= 1 <= interval[1]:
        return "no difference shown"
    return "slower" if ratio > 1 else "faster"
