"""What agents did after a cut, added up: by agent, by tool and mark, and what became of files and handles.

Shares that turned back have a 95 % interval over clusters (the bill's: of the results pooled); none where the clusters
are too few.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from harness.after.acts import ACTS, BACK
from harness.statistics.estimate import pooled

Row = dict[str, Any]
KEYS = {act: act.replace(" ", "_") for act in ACTS}
"""Keys of the columns that count each act."""
FATES = ("right", "wrong", "not there", "ignored")


def agents(results: pd.DataFrame, transcripts: pd.DataFrame) -> list[Row]:
    """A row an agent: its cuts, what it did, what that took, and its habits."""
    rows = []
    for agent, own in _groups(transcripts, ["agent"]):
        cuts = _cuts(results[results["agent"].astype(str) == agent[0]])
        rows.append(
            {"agent": agent[0]}
            | {key: int(own[key].sum()) for key in SUMMED}
            | {"transcripts": len(own), "longest_repeat": int(own["longest_repeat"].max())}
            | _acts(cuts)
        )
    return rows


SUMMED = (
    "requests", "tool_calls", "results", "removed_results", "repeated_calls", "repeated_groups", "repeated_tokens",
    "limited_calls", "thrashed", "invented",
)  # fmt: skip


def marks(results: pd.DataFrame) -> list[Row]:
    """A row an agent, tool and mark."""
    keys = ["agent", "tool", "cut", "mark"]
    return [dict(zip(keys, names, strict=True)) | _acts(own) for names, own in _groups(_cuts(results), keys)]


def offers(results: pd.DataFrame) -> list[Row]:
    """A row an agent and way to the rest that its cuts name: what became of it."""
    named = _cuts(results)
    named = named[named["offered"].astype(str) != ""]
    rows = []
    for (agent, offered), own in _groups(named, ["agent", "offered"]):
        fates = own["fate"].astype(str).value_counts()
        used = own["used_after"].dropna()
        rows.append(
            {"agent": agent, "offered": offered, "cut_results": len(own)}
            | {fate.replace(" ", "_"): int(fates.get(fate, 0)) for fate in FATES}
            | {"used": len(used), "used_after": float(used.median()) if len(used) else None}
        )
    return rows


def beside_whole(results: pd.DataFrame) -> list[Row]:
    """A row an agent: how often the same target was asked for again, after results that were cut and after whole ones
    of the same tools. An association: what is cut is larger, and larger things are asked for otherwise."""
    told = results[results["again"].notna()].astype({"tool": str, "cut": str, "again": float})
    rows = []
    for (agent,), own in _groups(told, ["agent"]):
        cut = own[own["cut"] != ""]
        whole = own[(own["cut"] == "") & own["tool"].isin(set(cut["tool"]))]
        if len(cut):
            rows.append({"agent": agent} | _share("cut", cut, "again") | _share("whole", whole, "again"))
    return rows


def _share(name: str, frame: pd.DataFrame, column: str) -> Row:
    """The share of rows with a flag, with its interval over clusters where there is one."""
    counts = frame.assign(cluster=frame["cluster"].astype(str)).groupby("cluster", observed=True)[column]
    some = np.array(counts.sum().tolist(), np.float64), np.array(counts.count().tolist(), np.float64)
    if not len(frame):
        return {f"{name}_n": 0, f"{name}_share": None, f"{name}_low": None, f"{name}_high": None}
    (found,) = pooled(some[0][None, :], some[1], [str(name) for name in counts.groups])
    low, high = (None, None) if found.exact or found.interval is None else found.interval
    return {f"{name}_n": len(frame), f"{name}_share": found.value, f"{name}_low": low, f"{name}_high": high}


def _acts(cuts: pd.DataFrame) -> Row:
    """How many results were cut, what was done after them, and what turning back took."""
    counts = cuts["act"].astype(str).value_counts()
    told = cuts[cuts["act"].astype(str) != "not identified"]
    back = told["act"].astype(str).isin(BACK)
    share = _share("back", told.assign(turned=back.astype(float)), "turned")
    seconds = cuts.loc[cuts["calls"] > 0, "seconds"].dropna()
    return {
        "cut_results": len(cuts),
        **{KEYS[act]: int(counts.get(act, 0)) for act in ACTS},
        "turned_back": int(back.sum()),
        **share,
        "calls": int(cuts["calls"].sum()),
        "back_requests": int(cuts["requests"].sum()),
        "tokens": int(cuts["tokens"].sum()),
        "seconds": float(seconds.sum()) if len(seconds) else None,
        "timed": len(seconds),
    }


def _cuts(results: pd.DataFrame) -> pd.DataFrame:
    return results[results["cut"].astype(str) != ""]


def _groups(frame: pd.DataFrame, keys: list[str]) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    """The rows by their names, sorted."""
    plain = frame.astype(dict.fromkeys(keys, str))
    return [(tuple(map(str, names)), own) for names, own in plain.groupby(keys, sort=True)]


TABLES: dict[str, Callable[[pd.DataFrame, pd.DataFrame], list[Row]]] = {
    "agents": agents,
    "marks": lambda results, _: marks(results),
    "offers": lambda results, _: offers(results),
    "beside_whole": lambda results, _: beside_whole(results),
}
