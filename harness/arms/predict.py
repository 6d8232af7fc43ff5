"""What a replay foretells of an arm, held against what the arm did.

The first arm's recordings are replayed under the policy that the other arm had: tokens, added calls as a range,
requests whose evidence would not have been in sight. Then the other arm's own runs of the same tasks say how far off
that was. More failures where evidence was out of sight are an association: nobody put tasks there by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from harness.arms.compare import Arms
from harness.policies.spec import make_policy
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplaySettings
from harness.runs import life
from harness.runs.run import Run
from harness.statistics.bootstrap import mean_intervals
from harness.statistics.clusters import Floats
from harness.statistics.resampling import ENOUGH

IDENTITY = "identity"
SUMS = {
    "requests": "requests",
    "bearing_requests": "bearing_requests",
    "at_risk_requests": "at_risk_requests",
    "added_low": "added_low",
    "added_evidence": "added_evidence",
    "added_high": "added_high",
    "input_tokens": "predicted_tokens",
}
SAFE, RISKY = "all in sight", "at risk"
Keys = Mapping[str, tuple[str, str]]


def predictions(
    paths: Sequence[tuple[str, Keys]], policies: Mapping[str, str], format: str | None, prices: str
) -> list[dict[str, Any]]:
    """A row an arm and a run of the first: what a replay says of it under the arm's policy.

    paths: of the first arm's recordings, each with the task and repetition of every transcript. policies: by arm.
    """
    labels = {arm: make_policy(spec).label for arm, spec in policies.items()}
    found: list[dict[str, Any]] = []
    for path, keys in paths:
        with TemporaryDirectory() as place:
            settings = ReplaySettings((path,), tuple(dict.fromkeys(labels.values())), format=format, prices=prices)
            frame = Run(life.run(REPLAY, settings, Path(place))).transcripts
        frame = frame[frame["transcript"].astype(str).isin(list(keys))]
        for arm, label in labels.items():
            found += _rows(arm, frame, label, keys)
    return sorted(found, key=lambda row: (row["arm"], row["task"], row["repetition"]))


def _rows(arm: str, frame: pd.DataFrame, label: str, keys: Keys) -> list[dict[str, Any]]:
    """Runs of several transcripts are summed."""
    whole = frame[frame["policy"] == IDENTITY].set_index("transcript")["input_tokens"]
    own = frame[frame["policy"] == label]
    names = own["transcript"].astype(str)
    values = own[list(SUMS)].astype("int64").rename(columns=SUMS)
    values["prompt_tokens"] = whole.reindex(own["transcript"]).to_numpy()
    values["task"] = [keys[name][0] for name in names]
    values["repetition"] = [keys[name][1] for name in names]
    summed = values.groupby(["task", "repetition"], as_index=False).sum()
    return [{"arm": arm, **{str(k): v for k, v in row.items()}} for row in summed.to_dict("records")]


def checked(arms: Arms, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """A row an arm: tokens and calls as foretold and as they were, over the tasks that both have."""
    found = []
    for arm, own in _by_arm(arms, rows):
        tokens = _both(arms, arm, "input_tokens", own)
        foretold = np.log((own["predicted_tokens"] / own["prompt_tokens"]).reindex(tokens.index).to_numpy(np.float64))
        happened = np.log(tokens[arm].to_numpy(np.float64) / tokens[arms.baseline].to_numpy(np.float64))
        calls = _both(arms, arm, "calls", own)
        more = (calls[arm] - calls[arms.baseline]).to_numpy(np.float64)
        ends = own[["added_low", "added_evidence", "added_high"]].reindex(calls.index).to_numpy(np.float64)
        row: dict[str, Any] = {"arm": arm, "tasks": len(own), "token_tasks": len(tokens), "call_tasks": len(calls)}
        row |= {"foretold": _power(foretold), "happened": _power(happened)}
        row |= dict(zip(("off", "off_low", "off_high"), map(_exp, _mean(happened - foretold)), strict=True))
        for n, key in enumerate(("calls_low", "calls_evidence", "calls_high")):
            row[key] = float(ends[:, n].mean()) if len(ends) else None
        row |= dict(zip(("calls", "calls_from", "calls_to"), _mean(more), strict=True))
        inside = (ends[:, 0] <= more) & (more <= ends[:, 2])
        row["covered"] = float(inside.mean()) if len(inside) else None
        found.append(row)
    return found


def failures(arms: Arms, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """A row an arm, state of the evidence and length of task: how often each arm fails there, and by how much more."""
    found = []
    for arm, own in _by_arm(arms, rows):
        if not arms.has("passed", arms.baseline, arm):
            continue
        both = 1 - arms.outcome("passed")[[arms.baseline, arm]].reindex(own.index).dropna()
        known = own.loc[both.index]
        state = np.where(known["at_risk_requests"] > 0, RISKY, SAFE)
        long = (known["requests"] > known["requests"].median()).to_numpy()
        for name in (SAFE, RISKY):
            for length, chosen in (("all", np.full(len(known), True)), ("shorter", ~long), ("longer", long)):
                part = both[(state == name) & chosen]
                if part.empty:
                    continue
                difference, low, high = _mean((part[arm] - part[arms.baseline]).to_numpy(np.float64))
                found.append(
                    {
                        "arm": arm,
                        "state": name,
                        "length": length,
                        "tasks": len(part),
                        "first": float(part[arms.baseline].mean()),
                        "second": float(part[arm].mean()),
                        "difference": difference,
                        "low": low,
                        "high": high,
                    }
                )
    return found


def _by_arm(arms: Arms, rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Per arm the means over runs of each task that both arms have."""
    found = []
    for arm in arms.others:
        own = rows[rows["arm"].astype(str) == arm]
        means = own.assign(task=own["task"].astype(str)).groupby("task").mean(numeric_only=True).astype("float64")
        both = arms.counts[(arms.counts[arm] > 0) & (arms.counts[arms.baseline] > 0)].index
        shared = means.loc[[task for task in means.index if task in set(both.astype(str))]]
        if len(shared):
            found.append((arm, shared))
    return found


def _both(arms: Arms, arm: str, metric: str, own: pd.DataFrame) -> pd.DataFrame:
    """The metric of both arms, where both have it."""
    found = arms.means[metric][[arms.baseline, arm]].reindex(own.index).dropna()
    return found[(found > 0).all(axis=1)] if metric == "input_tokens" else found


def _mean(values: Floats) -> tuple[float | None, float | None, float | None]:
    """With its interval over tasks, where there are enough of them."""
    if not len(values):
        return None, None, None
    if len(values) < ENOUGH:
        return float(values.mean()), None, None
    low, high = mean_intervals(values[None, :])[0]
    return float(values.mean()), float(low), float(high)


def _power(logs: Floats) -> float | None:
    return float(np.exp(logs.mean())) if len(logs) else None


def _exp(value: float | None) -> float | None:
    return None if value is None else float(np.exp(value))
