"""Engines against each other on the same turns: which is right more often, which takes longer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.sections import wording as say
from harness.engines.envelope import TurnState
from harness.report import wording
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.statistics.mcnemar import Shares, compare_shares
from harness.statistics.paired import corrected
from harness.text import count

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

MARKS = {"right": "right", "grounded": "grounded by its own check"}


def section(part: Engines) -> Table | None:
    """Shares of turns, paired."""
    found = list(_shares(part))
    if not found:
        return None
    ps = corrected([shares.p for *_, shares in found], "holm")
    rows, texts = [], []
    for (mark, later, earlier, s), p in zip(found, ps, strict=True):
        low, high = s.interval or (None, None)
        record = {"engine": later, "against": earlier, "what": mark, "turns": s.turns, "tasks": s.tasks}
        record |= {"both": s.both, "only_engine": s.first, "only_against": s.second, "neither": s.neither}
        record |= {"difference": s.difference, "low": low, "high": high, "p": s.p, "p_corrected": p}
        rows.append(record | {"detectable": s.detectable})
        texts.append(
            [later, earlier, MARKS[mark], count(s.turns), count(s.tasks)]
            + [count(n) for n in (s.both, s.first, s.second, s.neither)]
            + [points(s.difference), _between(s), wording.probability(p)]
            + ["-" if s.detectable is None else f"{100 * s.detectable:.1f} points"]
        )
    return Section(
        "paired",
        "Engines against each other: right and grounded",
        "live",
        "The same turns, in the first repetition; grounded over the turns that both checked. The difference is in "
        "points of the share, with a percentile bootstrap over tasks (none under 8 tasks); p is McNemar's exact test "
        "over the turns on which they differ, corrected by Holm over this table; detectable is the smallest "
        "difference that a sample like this finds with 80 % power.",
        (
            *("engine", "against", "what", "turns", "tasks", "both", "only the first", "only the second", "neither"),
            *("difference", "95 % interval", "p, corrected", "detectable"),
        ),
        pd.DataFrame(rows),
        texts,
        names=3,
        brief=True,
        words=frozenset({"what"}),
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


def points(value: float) -> str:
    """A difference of shares: `+3.2 points`."""
    return f"{100 * value:+.1f} points"


def _between(shares: Shares) -> str:
    if shares.interval is None:
        return "no interval"
    low, high = shares.interval
    return "none differ" if low == high else f"{100 * low:+.1f} … {100 * high:+.1f}"


def times(part: Engines) -> Table | None:
    """Ratios of times, paired by neighbouring stretches."""
    found = part.summary.ratios
    if not found:
        return None
    texts = [
        [
            r.engine,
            r.reference,
            count(r.turns),
            count(r.pairs),
            f"{r.ratio:.3f}",
            say.between(*(r.interval or (None, None))),
            _said(r.ratio, r.interval),
        ]
        for r in found
    ]
    frame = pd.DataFrame([r.to_record() for r in found])
    frame[["low", "high"]] = [r.interval or (None, None) for r in found]
    return Section(
        "ratios",
        "Engines against each other: time a turn",
        "live",
        "Time of the first over that of the second on the same turns: per pair of neighbouring stretches the median "
        "over the turns, over the pairs the median with its distribution-free interval, from six pairs on.",
        ("engine", "against", "turns", "pairs of stretches", "time ratio", "95 % interval", "so"),
        frame.drop(columns="interval"),
        texts,
        names=2,
        brief=True,
    )


def _said(ratio: float, interval: tuple[float, float] | None) -> str:
    if interval is None:
        return "too few pairs to say"
    if interval[0] <= 1 <= interval[1]:
        return "no difference shown"
    return "slower" if ratio > 1 else "faster"
