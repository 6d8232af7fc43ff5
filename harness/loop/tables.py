"""The tables of a loop: outcomes by policy with paired intervals, uptake of handles, what reading a handle buys."""

from __future__ import annotations

import numpy as np
import pandas as pd

from harness.loop.validity import IDENTITY, failures, identified, judged, losses, outcomes, validity
from harness.statistics.paired import compare_all, means_with_intervals
from harness.statistics.significance import corrected

CLIPPING = ("head", "tail", "middle", "codex", "mini_swe", "swe_agent", "inspect", "smolagents", "cline")
NEAR = 0.15
"""Prompts whose totals differ by no more than this share are about equal."""


def by_policy(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a driver and policy: runs, pass rate and its paired difference from identity, mean requests and tool calls,
    total input tokens and their ratio to identity's, each with its interval over templates; p of the ratio by sign
    flips, corrected over the table (Benjamini-Hochberg)."""
    parts = [_paired(driver, part) for driver, part in frame.groupby("driver", observed=True)]
    table = pd.concat(parts, ignore_index=True)
    table["p"] = corrected([None if pd.isna(p) else float(p) for p in table.p], "fdr_bh")
    return table


def _paired(driver: object, frame: pd.DataFrame) -> pd.DataFrame:
    order = [IDENTITY, *(p for p in frame.policy.unique() if p != IDENTITY)]
    wide = {name: frame.pivot(index="task", columns="policy", values=name)[order] for name in WIDE}
    clusters = [task.rsplit("/", 2)[0] for task in wide["passed"].index.astype(str)]
    tokens = wide["input_tokens"].to_numpy(np.float64).T
    passed = wide["passed"].to_numpy(np.float64).T
    ratios = compare_all(tokens, tokens[0], clusters)
    differences = means_with_intervals(passed - passed[0], clusters)
    rows = []
    for n, policy in enumerate(order):
        difference, interval = differences[n]
        ratio = ratios[n]
        rows.append(
            {
                "driver": driver,
                "policy": policy,
                "runs": passed.shape[1],
                "passed": float(passed[n].mean()),
                "difference": difference,
                "difference_low": interval[0] if interval else None,
                "difference_high": interval[1] if interval else None,
                "requests": float(wide["requests"][policy].mean()),
                "tool_calls": float(wide["tool_calls"][policy].mean()),
                "input_tokens": int(tokens[n].sum()),
                "ratio": ratio.ratio,
                "ratio_low": ratio.interval[0] if ratio.interval else None,
                "ratio_high": ratio.interval[1] if ratio.interval else None,
                "p": ratio.p,
            }
        )
    return pd.DataFrame(rows)


WIDE = ("passed", "requests", "tool_calls", "input_tokens")


def uptake(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a driver and policy that offers handles: results that came with one, uses, wrong uses, inventions, and runs
    that ignored handles though something needed was hidden."""
    columns = [
        "handles_offered",
        "handles_needed",
        "handles_used",
        "handles_wrong",
        "handles_invented",
        "handles_ignored",
    ]
    table = frame.groupby(["driver", "policy"], observed=True)[columns].sum().reset_index()
    table["runs"] = frame.groupby(["driver", "policy"], observed=True).size().to_numpy()
    some = (table.handles_offered > 0) | (table.handles_invented > 0)
    return table[some].reset_index(drop=True)


def stops(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a driver and policy, a column a way in which runs ended: how many did."""
    counts = frame.groupby(["driver", "policy", "stopped"], observed=True).size().unstack(fill_value=0)
    return counts.loc[:, counts.any()].reset_index().rename_axis(columns=None)


def reading_buys(frame: pd.DataFrame) -> pd.DataFrame:
    """`car`, `car_read`, and the best truncation at about equal tokens: per driver, what each shows of the same
    recordings (tokens, requests at risk, losses) and what came of it (pass, requests, tokens).

    Equal is taken over the replayed recordings, where no recovery has been paid yet; of the truncations within 15 % of
    `car`, or the nearest if there is none, the one that passes most.
    """
    rows = []
    for driver, part in frame.groupby("driver", observed=True):
        means = part.groupby("policy", observed=True)[list(BOUGHT)].mean()
        names = {str(policy).partition(":")[0]: policy for policy in reversed(list(means.index))}
        if "car" not in names or "car_read" not in names:
            continue
        clipping = means[[str(policy).partition(":")[0] in CLIPPING for policy in means.index]]
        chosen = [names["car"], names["car_read"]]
        if len(clipping):
            off = np.log(clipping.replayed_tokens / means.replayed_tokens[names["car"]]).abs()
            near = clipping[off <= max(np.log1p(NEAR), off.min())]
            chosen.append(near.sort_values(["passed", "input_tokens"], ascending=[False, True]).index[0])
        rows.append(means.loc[chosen].reset_index().assign(driver=driver))
    columns = ["driver", "policy", *BOUGHT]
    return pd.concat(rows, ignore_index=True)[columns] if rows else pd.DataFrame(columns=columns)


BOUGHT = (
    "replayed_tokens",
    "at_risk",
    "losses",
    "evidence",
    "added",
    "passed",
    "requests",
    "tool_calls",
    "input_tokens",
)


def tables(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Every table of a loop by name, for the terminal, for JSON and for a report. Drivers that identify nothing about
    policies are only in the first four."""
    telling = judged(frame)
    return {
        "drivers": identified(frame),
        "policies": by_policy(frame),
        "stops": stops(frame),
        "uptake": uptake(frame),
        "reading": reading_buys(telling),
    } | (
        {
            "validity": validity(telling, ["driver", "family"]),
            "validity_by_need": validity(telling, ["driver", "need"]),
            "validity_by_policy": validity(telling, ["driver", "policy"]),
            "failures": failures(telling, ["family"]),
            "losses": losses(telling, ["driver", "policy"]),
        }
        if len(outcomes(telling))
        else {}
    )
