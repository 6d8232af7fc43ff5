"""The audit of a corpus in words, and out of the tables of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from harness.replay.sections import wording as say
from harness.statistics.audit import Audit, audit
from harness.statistics.clusters import clusters_of
from harness.text import short

TOKENS = "input tokens"
REQUESTS = "requests with dependencies"
SOME = 3


def audit_transcripts(identity: pd.DataFrame, manifest: Mapping[str, Any]) -> Audit:
    """identity: the rows of `transcripts` under identity."""
    columns = {TOKENS: "input_tokens", REQUESTS: "bearing_requests"}
    denominators = {
        name: identity[column].to_numpy(np.float64, na_value=0)
        for name, column in columns.items()
        if column in identity.columns
    }
    return audit(
        identity["transcript"].astype(str).tolist(),
        clusters_of(identity),
        int(identity["format"].nunique()),
        denominators,
        [str(c.get("copy", c)) if isinstance(c, dict) else str(c) for c in manifest.get("copies") or []],
        _doubtful(identity),
    )


def _doubtful(identity: pd.DataFrame) -> list[str] | None:
    """Names of transcripts whose reading the audit doubts; None for a run from before there was one."""
    if "doubtful" not in identity.columns or identity["doubtful"].isna().all():
        return None
    said = identity["doubtful"].fillna("").astype(str)
    return identity.loc[said != "", "transcript"].astype(str).tolist()


def audit_lines(found: Audit) -> tuple[str, str]:
    """Two lines: on how many clusters each denominator really rests; what is large, there twice, or in doubt."""
    axes = ", ".join(f"{axis.effective:.1f} in {axis.denominator}" for axis in found.axes) or "none"
    largest = "; ".join(
        f"largest transcript {say.percent(axis.transcript.share)}, cluster {say.percent(axis.cluster.share)} "
        f"of {axis.denominator}"
        for axis in found.axes[:1]
    )
    seen = f"copies: {_named(found.duplicates)}; doubtful: {_named(found.doubtful)}"
    return f"effective clusters: {axes}", f"of {found.clusters}; {largest}; {seen}" if largest else seen


def _named(names: tuple[str, ...] | None) -> str:
    if names is None:
        return "not looked for"
    if not names:
        return "none"
    return f"{len(names)} ({', '.join(map(short, names[:SOME]))}{', …' if len(names) > SOME else ''})"
