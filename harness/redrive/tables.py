"""The tables of a re-drive: what fits, what agrees with the recording under each policy, what becomes of handles.

Everything but the first table is over the requests whose prompts fit under all policies. The unit is the request,
paired between a policy and identity; intervals are over clusters (tasks or repositories), under eight there is none.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.statistics.paired import Interval, compare_all, means_with_intervals
from harness.statistics.resampling import ENOUGH
from harness.statistics.significance import corrected, sign_flips

IDENTITY: Final = "identity"
FIGURES: Final = ("same_tools", "same_arguments", "grounded")
"""Shares of the requests whose recorded action is a call: the same tools; with the same arguments; calls were made and
the harness traces every argument of them. A turn that failed or made no call has none of them."""


def tables(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Every table by name, for the terminal, for JSON and for a report. frame: `redrive` of a run."""
    compared = frame[frame["comparable"].astype(bool)].astype({"transcript": str, "cluster": str})
    return {
        "fit": fit(frame),
        "agreement": agreement(compared),
        "costs": costs(compared),
        "hidden": hidden(compared),
        "handles": handles(compared),
    }


def fit(frame: pd.DataFrame) -> pd.DataFrame:
    """A row an engine and policy: requests, those that fit into the window, overflows that were counted beforehand and
    those that the engine reported, turns that failed, and requests that fit under all policies."""
    rows = []
    for (engine, policy), part in frame.groupby(["engine", "policy"], observed=True):
        over = part["outcome"] == "overflow"
        rows.append(
            {
                "engine": engine,
                "policy": policy,
                "requests": len(part),
                "fit": int((~over).sum()),
                "overflow_counted": int((over & (part["asked"] == "no")).sum()),
                "overflow_reported": int((over & (part["asked"] != "no")).sum()),
                "failed": int((part["outcome"] == "failed").sum()),
                "fit_under_all": int(part["comparable"].sum()),
            }
        )
    return pd.DataFrame(rows)


def agreement(compared: pd.DataFrame) -> pd.DataFrame:
    """A row an engine and policy: of the requests whose recorded action is a call, the shares of `FIGURES` with their
    paired differences from identity; of the others, how often the engine made no call either. p: of the difference in
    `same_arguments`, by sign flips over clusters, corrected over the table (Benjamini-Hochberg)."""
    rows = [row for engine, part in compared.groupby("engine", observed=True) for row in _agreement(str(engine), part)]
    table = pd.DataFrame(rows)
    if len(table):
        table["p"] = corrected([None if pd.isna(p) else float(p) for p in table["p"]], "fdr_bh")
    return table


def _agreement(engine: str, compared: pd.DataFrame) -> list[dict[str, Any]]:
    marked = compared.assign(
        same_tools=_true(compared["same_tools"]),
        same_arguments=_true(compared["same_arguments"]),
        grounded=(compared["calls"].fillna(0) > 0) & (compared["ungrounded"].fillna(1) == 0),
        silent=compared["outcome"] == "no call",
    )
    calling, answering = marked[marked["recorded_calls"] > 0], marked[marked["recorded_calls"] == 0]
    order = _order(compared)
    rows: list[dict[str, Any]] = [{"engine": engine, "policy": policy} for policy in order]
    wide = {name: _wide(calling, name, order) for name in FIGURES}
    clusters = _clusters(calling)
    for name in FIGURES:
        values = wide[name]
        for row, own, (difference, interval) in zip(
            rows, values, means_with_intervals(values - values[0], clusters), strict=True
        ):
            row |= {"calls": values.shape[1], name: float(own.mean()) if own.size else None}
            row |= _with_interval(f"{name}_difference", difference, interval)
    silent = _wide(answering, "silent", order)
    ps = _ps(wide["same_arguments"] - wide["same_arguments"][0], clusters)
    ps[0] = None  # identity against itself is no test
    for row, own, p in zip(rows, silent, ps, strict=True):
        row |= {"answers": len(own), "no_call": float(own.mean()) if own.size else None, "p": p}
    return rows


def costs(compared: pd.DataFrame) -> pd.DataFrame:
    """A row an engine and policy: prompt tokens as given and seconds of the turns, each with the ratio of totals to
    identity's. Seconds are over the requests that were answered under both; a prompt that is the same under both was
    asked once, and its time stands for both."""
    rows = []
    for engine, part in compared.groupby("engine", observed=True):
        order, clusters = _order(part), _clusters(part)
        tokens = _wide(part, "prompt_tokens", order)
        found = compare_all(tokens, tokens[0], clusters)
        seconds = _wide(part, "seconds", order)
        for n, policy in enumerate(order):
            timed = np.isfinite(seconds[n]) & np.isfinite(seconds[0]) & (seconds[n] > 0) & (seconds[0] > 0)
            took = None
            if timed.any():
                near = [cluster for cluster, one in zip(clusters, timed, strict=True) if one]
                (took,) = compare_all(seconds[n : n + 1, timed], seconds[0, timed], near)
            rows.append(
                {"engine": engine, "policy": policy, "requests": tokens.shape[1], "prompt_tokens": int(tokens[n].sum())}
                | _with_interval("tokens_ratio", found[n].ratio, found[n].interval)
                | {"timed": int(timed.sum()), "seconds": took.total if took else None}
                | _with_interval("seconds_ratio", took.ratio if took else None, took.interval if took else None)
            )
    return pd.DataFrame(rows)


def hidden(compared: pd.DataFrame) -> pd.DataFrame:
    """A row an engine and policy: requests that bear evidence of which the policy hides some, and how many of these the
    engine answers with the recorded arguments, under identity and under the policy; then the same where all of it is
    visible. Two counts on the same requests, so that what hiding changes stands beside what it does not."""
    rows = []
    for engine, part in compared[compared["recorded_calls"] > 0].groupby("engine", observed=True):
        right = _wide(part.assign(right=_true(part["same_arguments"])), "right", _order(part)) > 0
        risk = _wide(part, "at_risk", _order(part)) > 0
        bears = _wide(part, "bears", _order(part)) > 0
        for n, policy in enumerate(_order(part)):
            at_risk, visible = risk[n], bears[n] & ~risk[n]
            rows.append(
                {
                    "engine": engine,
                    "policy": policy,
                    "at_risk": int(at_risk.sum()),
                    "at_risk_right_identity": int((right[0] & at_risk).sum()),
                    "at_risk_right": int((right[n] & at_risk).sum()),
                    "visible": int(visible.sum()),
                    "visible_right_identity": int((right[0] & visible).sum()),
                    "visible_right": int((right[n] & visible).sum()),
                }
            )
    return pd.DataFrame(rows)


def handles(compared: pd.DataFrame) -> pd.DataFrame:
    """A row an engine and policy that shows handles, or under which any was invented: requests with handles in the
    prompt, those in which one was used, and uses, wrong uses and inventions."""
    columns = ["handles_used", "handles_wrong", "handles_invented"]
    rows = []
    for (engine, policy), part in compared.groupby(["engine", "policy"], observed=True):
        counts = {name: int(part[name].sum()) for name in columns}
        if (shown := int((part["handles_shown"] > 0).sum())) or counts["handles_invented"]:
            used = int((part["handles_used"].fillna(0) > 0).sum())
            rows.append({"engine": engine, "policy": policy, "requests": shown, "requests_using": used} | counts)
    return pd.DataFrame(rows, columns=["engine", "policy", "requests", "requests_using", *columns])


def _ps(differences: NDArray[np.float64], clusters: list[str]) -> list[float | None]:
    """Per row, p of the difference by sign flips over clusters; None where there are too few."""
    names, member = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    if len(names) < ENOUGH:
        return [None] * len(differences)
    return [*sign_flips(np.array([np.bincount(member, row, len(names)) for row in differences], np.float64))]


def _true(marks: pd.Series) -> pd.Series:
    return marks.fillna(False).astype(bool)


def _order(frame: pd.DataFrame) -> list[str]:
    """Identity, then the policies in the order in which they were asked for."""
    found = [str(policy) for policy in frame["policy"].cat.categories if (frame["policy"] == policy).any()]
    return [IDENTITY, *(policy for policy in found if policy != IDENTITY)]


def _wide(frame: pd.DataFrame, column: str, order: list[str]) -> NDArray[np.float64]:
    """Values by policy and request, (policies, requests)."""
    if frame.empty:
        return np.zeros((len(order), 0))
    found = frame.pivot(index=["transcript", "request"], columns="policy", values=column)
    return found[order].to_numpy(np.float64, na_value=np.nan).T


def _clusters(frame: pd.DataFrame) -> list[str]:
    """The cluster of each request, in the order of `_wide`."""
    one = frame[frame["policy"] == IDENTITY].set_index(["transcript", "request"])["cluster"]
    return [str(cluster) for cluster in one.sort_index()]


def _with_interval(name: str, value: float | None, interval: Interval | None) -> dict[str, Any]:
    low, high = interval or (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}
