"""Which transcripts and which results make a policy's difference, and where the bytes of results are."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.runs.run import Run

Ints = NDArray[np.int64]


def transcript_movers(run: Run, policy: str, most: int) -> pd.DataFrame:
    """The transcripts whose input tokens a policy changes most, largest first.

    saved: tokens under identity less those under the policy. share: of the sum of all savings and losses, signs
    dropped.
    """
    columns = ["transcript", "format", "requests", "input_tokens"]
    identity = run.transcripts.loc[run.transcripts["policy"] == "identity", columns]
    own = run.transcripts.loc[run.transcripts["policy"] == policy, ["transcript", "input_tokens"]]
    both = identity.merge(own, on="transcript", suffixes=("_identity", ""))
    both["saved"] = both["input_tokens_identity"] - both["input_tokens"]
    moved = both["saved"].abs().sum()
    both["share"] = both["saved"].abs() / moved if moved else 0.0
    return _largest(both, most)


def result_movers(run: Run, policy: str, most: int) -> pd.DataFrame:
    """The results whose rendering changes most, by tokens times requests, largest first.

    tokens: of the result as recorded; rendered: under the policy. requests: how many the rendering stands in, up to the
    next recorded compaction, clearing or rewind. saved: their product.
    """
    identity = run.results[run.results["policy"] == "identity"].reset_index(drop=True)
    own = run.results[run.results["policy"] == policy].reset_index(drop=True)
    found = pd.DataFrame(
        {
            "transcript": identity["transcript"],
            "message": identity["message"],
            "tool": identity["tool"],
            "content": identity["content"],
            "value_bytes": identity["value_bytes"],
            "tokens": identity["rendered_tokens"],
            "rendered": own["rendered_tokens"],
            "reach": own["reach"],
            "requests": _carried(run.requests, own),
        }
    )
    found["saved"] = (found["tokens"] - found["rendered"]) * found["requests"]
    return _largest(found, most)


def _largest(frame: pd.DataFrame, most: int) -> pd.DataFrame:
    moved = frame[frame["saved"] != 0]
    order = moved["saved"].abs().sort_values(ascending=False, kind="stable").index
    return moved.loc[order[:most]].reset_index(drop=True)


def _carried(requests: pd.DataFrame, results: pd.DataFrame) -> Ints:
    """Per result, the requests whose prompt holds its rendering, as long as the recording cut nothing."""
    asked = requests[requests["policy"] == "identity"]
    codes = asked["transcript"].cat.codes.to_numpy(np.int64)
    span = 1 + max(asked["message"].max(), results["message"].max()) if len(asked) and len(results) else 1
    order = np.argsort(codes * span + asked["message"].to_numpy(np.int64), kind="stable")
    codes = codes[order]
    at = codes * span + asked["message"].to_numpy(np.int64)[order]
    until = codes * span + asked["cuts"].to_numpy(np.int64)[order]
    category = {name: code for code, name in enumerate(asked["transcript"].cat.categories)}
    own = results["transcript"].map(category).to_numpy(np.int64)
    first = np.searchsorted(at, own * span + results["message"].to_numpy(np.int64), side="right")
    rewritten = results["rewritten"].to_numpy(np.float64, na_value=0).astype(np.int64)
    first = np.maximum(first, np.searchsorted(codes, own) + rewritten - 1)
    inside = first < np.searchsorted(codes, own, side="right")
    segment = until[np.minimum(first, len(until) - 1)] if len(until) else first
    return np.where(inside, np.searchsorted(until, segment, side="right") - first, 0)


def by_column(results: pd.DataFrame, column: str) -> pd.DataFrame:
    """Result bytes by a column, largest first: what was recorded and what every policy renders."""
    sums = results.groupby([column, "policy"], observed=True)["rendered_bytes"].sum().unstack("policy")
    identity = results[results["policy"] == "identity"].groupby(column, observed=True)
    sums.insert(0, "results", identity.size())
    sums.insert(1, "value_bytes", identity["value_bytes"].sum())
    sums.columns = [str(c) for c in sums.columns]
    return sums.sort_values("value_bytes", ascending=False, kind="stable").reset_index()
