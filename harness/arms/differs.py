"""What differs between two arms besides the setting that is compared, item by item.

An item is the same only where both arms have it recorded, and every run of both says the same. What a user declares is
printed as declared. While an item differs or is unknown, a difference between arms is no effect of the policy.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pandas as pd

from harness.arms.compare import Arms
from harness.arms.rows import FACTS

ITEMS = (*FACTS, "date", "tasks")
DAY = 86_400.0
SHARED = 0.95
"""Of the tasks; a few that one arm does not have are runs that are missing, which count as failed."""


def differs(arms: Arms, declared: Collection[str]) -> list[dict[str, Any]]:
    """A row an arm and item: same, differs, unknown or declared, and what each arm has."""
    return [_item(arms, arm, item, declared) for arm in arms.others for item in ITEMS]


def attributable(rows: list[dict[str, Any]], arm: str) -> bool:
    """Whether a difference of the arm can be laid to the policy."""
    return all(row["state"] in ("same", "declared") for row in rows if row["arm"] == arm)


def _item(arms: Arms, arm: str, item: str, declared: Collection[str]) -> dict[str, Any]:
    first, second = arms.of(arms.baseline), arms.of(arm)
    if item == "tasks":
        state, has = _tasks(first, second)
    elif item == "date":
        state, has = _dates(first, second)
    else:
        state, has = _values(first, second, item)
    if item in declared:
        state = "differs" if state == "differs" else "declared"
    return {"arm": arm, "item": item, "state": state, "first": has[0], "second": has[1]}


def _values(first: pd.DataFrame, second: pd.DataFrame, item: str) -> tuple[str, tuple[str, str]]:
    """Task by task, of the tasks that both have: a prompt may hold its task, and a model that only one arm had for the
    hard ones is no common one."""
    has = _said(first[item]), _said(second[item])
    if first[item].isna().any() or second[item].isna().any():
        return "unknown" if has[0] == has[1] or not all(has) else "differs", has
    shared = set(first["task"]) & set(second["task"])
    a, b = (set(zip(own["task"], own[item], strict=True)) for own in (first, second))
    same = {pair for pair in a if pair[0] in shared} == {pair for pair in b if pair[0] in shared}
    return "same" if same else "differs", has


def _said(values: pd.Series[Any]) -> str:
    known = sorted(map(str, values.dropna().unique()))
    return ", ".join(known[:3]) + (f" and {len(known) - 3} more" if len(known) > 3 else "")


def _tasks(first: pd.DataFrame, second: pd.DataFrame) -> tuple[str, tuple[str, str]]:
    a, b = set(first["task"]), set(second["task"])
    only = len(a - b), len(b - a)
    state = "same" if len(a & b) >= SHARED * len(a | b) else "differs"
    return state, (f"{len(a)}, {only[0]} alone", f"{len(b)}, {only[1]} alone")


def _dates(first: pd.DataFrame, second: pd.DataFrame) -> tuple[str, tuple[str, str]]:
    """No difference where the arms ran interleaved, or within a day at one model version."""
    a, b = first["date"].dropna(), second["date"].dropna()
    has = _days(a), _days(b)
    if len(a) < len(first) or len(b) < len(second):
        return "unknown", has
    interleaved = a.min() <= b.median() <= a.max() and b.min() <= a.median() <= b.max()
    models = set(first["model"].dropna()) | set(second["model"].dropna())
    near = max(a.max(), b.max()) - min(a.min(), b.min()) <= DAY and len(models) == 1
    return "same" if interleaved or near else "differs", has


def _days(seconds: pd.Series[Any]) -> str:
    if seconds.empty:
        return ""
    ends = [pd.Timestamp(float(end), unit="s", tz="UTC").strftime("%Y-%m-%d") for end in (seconds.min(), seconds.max())]
    return " to ".join(dict.fromkeys(ends))
