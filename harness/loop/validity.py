"""How far off the estimate of added calls is: what it says of a recording against what happened in the loop.

Against readers this is a consistency check, since a reader behaves much as the estimate assumes; against models it is
validity. A driver that passes under half of the tasks under identity identifies nothing about policies.

    from harness.loop.validity import validity
    validity(run.loop, ["temperament", "family"])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from harness.statistics.paired import mean_with_interval

IDENTITY = "identity"
ENOUGH = 0.5
"""Share of tasks that a driver must pass under identity."""

REASONS = {
    "counted": "a count or sum leaves no span in what follows, so no recovery is expected, but all of it was read",
    "held": "what only a handle holds counts as a loss, but the tool was called again, narrower",
    "paged": "what is passed on whole was read page by page, in pages smaller than the estimate's",
    "cut again": "what was fetched was cut again, so that it took more tries than there are pages",
    "lost": "what was hidden counts as lost, and so it was: the run gave up, with fewer calls than if it had gone on",
    "gave up": "nothing brought the hidden text back, so the run gave up, where the estimate expects no fewer calls",
    "fewer": "the run came to its end with fewer calls than were expected at the least",
    "": "",
}


def outcomes(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of all policies but identity, with `covered` (low <= added <= high), `width` (high - low), and where not
    covered the cause (a key of `REASONS`)."""
    found = frame[frame.policy != IDENTITY].copy()
    over = found.added > found.high
    found["covered"] = (found.added >= found.low) & ~over
    found["width"] = found.high - found.low
    found["cluster"] = found.family.astype(str) + "/" + found.template.astype(str)
    found["reason"] = np.select(
        [
            found.covered,
            ~over & ~found.passed.astype(bool) & (found.losses > 0),
            ~over & ~found.passed.astype(bool),
            ~over,
            found.need.astype(str) == "aggregate",
            found.need.astype(str) == "whole",
            found.losses > 0,
        ],
        ["", "lost", "gave up", "fewer", "counted", "paged", "held"],
        "cut again",
    )
    return found


def validity(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """A row a group: runs, coverage of [low, high] with its interval over templates, and of the runs that passed (one
    that gives up stops early, and makes fewer calls for that), mean width, mean added calls and
    estimate, mean absolute error of the estimate and of always saying low or high, and the rank correlation over
    policies."""
    rows = []
    for key, group in _groups(outcomes(frame), by):
        share, interval = mean_with_interval(
            group.covered.astype(float).to_list(), group.cluster.to_list(), untouched=None
        )
        rows.append(
            dict(zip(by, key, strict=True))
            | {
                "runs": len(group),
                "covered": share,
                "covered_low": interval[0] if interval else None,
                "covered_high": interval[1] if interval else None,
                "covered_passed": _mean(group[group.passed.astype(bool)].covered),
                "width": float(group.width.mean()),
                "added": float(group.added.mean()),
                "evidence": float(group.evidence.mean()),
                "error_evidence": float((group.added - group.evidence).abs().mean()),
                "error_low": float((group.added - group.low).abs().mean()),
                "error_high": float((group.added - group.high).abs().mean()),
                "rank_correlation": rank_correlation(group),
            }
        )
    return pd.DataFrame(rows)


def losses(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Losses against failures: a row a group, over the runs of tasks that the driver passes under identity. runs,
    failed: all of them. foreseen, failed_foreseen: those where the estimate counts a loss. failed_else: the others that
    failed."""
    rows = []
    judged = outcomes(frame)
    for key, group in _groups(judged[judged.identity_passed.astype(bool)], by):
        failed, lost = ~group.passed.astype(bool), group.losses > 0
        rows.append(
            dict(zip(by, key, strict=True))
            | {
                "runs": len(group),
                "failed": int(failed.sum()),
                "foreseen": int(lost.sum()),
                "failed_foreseen": int((failed & lost).sum()),
                "failed_else": int((failed & ~lost).sum()),
            }
        )
    return pd.DataFrame(rows, columns=[*by, "runs", "failed", "foreseen", "failed_foreseen", "failed_else"])


def _mean(values: pd.Series[bool]) -> float | None:
    return float(values.mean()) if len(values) else None


def rank_correlation(group: pd.DataFrame) -> float | None:
    """Spearman's rho, over policies, of mean added calls with mean estimate; `None` with fewer than three policies or
    where one of them never differs."""
    means = group.groupby("policy", observed=True)[["added", "evidence"]].mean()
    if len(means) < 3 or means.added.nunique() < 2 or means.evidence.nunique() < 2:
        return None
    return float(stats.spearmanr(means.added, means.evidence).statistic)


def failures(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Where the estimate fails: a row a group and reason, with the runs that it explains and their share."""
    rows = []
    for key, group in _groups(outcomes(frame), by):
        missed = group[~group.covered]
        for reason, part in missed.groupby("reason", observed=True):
            rows.append(
                dict(zip(by, key, strict=True))
                | {
                    "cause": str(reason),
                    "reason": REASONS[str(reason)],
                    "runs": len(part),
                    "share": len(part) / len(group),
                }
            )
    columns = [*by, "cause", "reason", "runs", "share"]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values([*by, "runs"], ascending=[True] * len(by) + [False], ignore_index=True)


def worst_family(frame: pd.DataFrame) -> dict[str, Any] | None:
    """The family whose runs the estimate covers least, with the reason that explains most of its misses; `None` if
    there is nothing to judge."""
    table = validity(frame, ["family"])
    if table.empty:
        return None
    worst = table.sort_values(["covered", "error_evidence"], ascending=[True, False]).iloc[0]
    why = failures(frame, ["family"])
    why = why[why.family == worst.family]
    return {
        "family": worst.family,
        "covered": worst.covered,
        "reason": why.iloc[0].reason if len(why) else "",
        "share_of_misses": float(why.iloc[0].runs / why.runs.sum()) if len(why) else 0.0,
    }


def identified(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a driver: tasks, those passed under identity, and whether that says anything about policies."""
    under = frame[frame.policy == IDENTITY]
    table = under.groupby("driver", observed=True).passed.agg(tasks="size", passed="sum").reset_index()
    table["identifies"] = table.passed >= ENOUGH * table.tasks
    return table


def judged(frame: pd.DataFrame) -> pd.DataFrame:
    """The runs of the drivers that identify something about policies."""
    table = identified(frame)
    return frame[frame.driver.isin(table[table.identifies].driver)]


def _groups(frame: pd.DataFrame, by: list[str]) -> Iterator[tuple[tuple[Any, ...], pd.DataFrame]]:
    for key, group in frame.groupby(by, observed=True, sort=True):
        yield key if isinstance(key, tuple) else (key,), group
