"""The audit of a corpus in words, and out of the tables of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from harness.replay.sections import wording as say
from harness.report.screen import Fact
from harness.statistics.audit import Audit, audit
from harness.statistics.clusters import clusters_of
from harness.text import count, short

TOKENS = "input tokens"
REQUESTS = "requests that use results"
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
        [str(pair["copy"]) for pair in manifest.get("copies") or [] if pair["left"]],
        _doubtful(identity),
    )


def _doubtful(identity: pd.DataFrame) -> list[str] | None:
    """Names of transcripts whose reading the audit doubts; None for a run from before there was one."""
    if "doubtful" not in identity.columns or identity["doubtful"].isna().all():
        return None
    said = identity["doubtful"].fillna("").astype(str)
    return identity.loc[said != "", "transcript"].astype(str).tolist()


def audit_line(found: Audit) -> tuple[str, str]:
    """On how many clusters each denominator really rests, and what is large, there twice, or in doubt."""
    axes = ", ".join(f"{axis.effective:.1f} in {axis.denominator}" for axis in found.axes) or "none"
    largest = "".join(
        f"; largest transcript {say.percent(axis.transcript.share)}, cluster {say.percent(axis.cluster.share)} of "
        f"{axis.denominator}"
        for axis in found.axes[:1]
    )
    looked = (("copies", found.duplicates), ("doubtful", found.doubtful))
    seen = [
        f"{what} {'not looked for' if names is None else count(len(names))}" for what, names in looked if names != ()
    ]
    seen = seen or ["no copies, none doubtful"]
    return f"{count(found.clusters)} clusters,", f"effective {axes}{largest}; {', '.join(seen)}"


def audit_names(found: Audit) -> Iterator[Fact]:
    """Which transcripts are copies, and which readings are in doubt."""
    for question, names in (("Left out as copies", found.duplicates), ("Doubtful readings", found.doubtful)):
        if names:
            shown = ", ".join(map(short, names[:SOME])) + (", …" if len(names) > SOME else "")
            yield Fact(question, "recorded", count(len(names)), shown, detail=True)
