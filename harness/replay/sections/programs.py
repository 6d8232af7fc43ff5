"""How the programs behaved that stand behind policies: time, memory, failures, the same answer twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from harness.report.table import Column, Table
from harness.report.units import BYTES, COUNT, NAME, OF, SECONDS, TEXT, TOKENS

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay

Z = 1.96
LISTED = 200

WIRE = (
    Column("policy", "policy", NAME),
    Column("what", "what it did", TEXT),
    Column(("requests", "of"), "requests", OF, main=True),
)
TOLD = (
    Column("policy", "policy", NAME),
    Column("transcript", "transcript", NAME),
    Column("request", "request", COUNT),
    Column("told", "what it did", TEXT),
    Column("failed", "how it failed", TEXT),
)
WIRE_NOTE = (
    "Against what was sent: messages by role, call id and order. An orphaned call or result and a doubled result are "
    "what a provider refuses. Addresses are those tried in a session, told at its first request."
)

NOTE = (
    "A result is handed over once; where the program fails it stands as recorded. Seconds are of the run that asked, "
    "on its machine, and include carrying the text there and back. What answers differently when it is asked the same "
    "is not deterministic: its figures are of one draw, and its input tokens have the interval that two answers allow "
    "(normal approximation over the results asked twice)."
)
COLUMNS = (
    Column("policy", "policy", NAME),
    Column("asked", "asked", COUNT, "measured"),
    Column(("failures", "asked"), "failed", OF, "measured"),
    Column("failed", "how", TEXT, "measured", absent="none failed"),
    Column("median", "per request, median", SECONDS, main=True),
    Column("p95", "p95", SECONDS),
    Column("seconds", "in all", SECONDS),
    Column("memory", "peak memory", BYTES, absent="not reported"),
    Column("own", "by the harness, median", SECONDS),
    Column(("different", "again"), "differs when asked again", OF, "measured"),
    Column("spread", "± input tokens (95 %)", TOKENS, "measured", absent="exact", instead="untried"),
)


def tables(part: Replay) -> Iterator[Table]:
    """How they behaved, and what proxies did besides; where the run asked any program."""
    frame = part.run.table("programs")
    if not len(frame):
        return
    rows = [_row(policy, frame[frame["policy"] == policy]) for policy in part.run.policies]
    yield Table("programs", "Programs", "live", NOTE, COLUMNS, pd.DataFrame([row for row in rows if row["asked"]]))
    yield from _done(part.run.policies, frame)


def _done(policies: Sequence[str], frame: pd.DataFrame) -> Iterator[Table]:
    """What proxies did to requests, and each of the requests."""
    named = {policy: _told(frame[frame["policy"] == policy]) for policy in policies}
    rows = [
        {"policy": policy, "what": what, "requests": int(hit.sum()), "of": len(hit)}
        for policy, found in named.items()
        for what, hit in found.items()
    ]
    if rows:
        yield Table(
            "wire", "What proxies did besides shortening results", "measured", WIRE_NOTE, WIRE, pd.DataFrame(rows)
        )
    told = frame[frame["told"].astype(str).str.len().gt(0) | frame["failed"].astype(str).str.len().gt(0)]
    if len(told):
        listed = told[["policy", "transcript", "request", "told", "failed"]].sort_values(
            ["policy", "transcript", "request"]
        )
        note = f"The first {LISTED} of {len(listed)}; all are in the CSV file." if len(listed) > LISTED else ""
        yield Table("told", "By request", "measured", note, TOLD, listed, listed.head(LISTED), folded=True)


def _told(found: pd.DataFrame) -> dict[str, pd.Series[bool]]:
    """By name of what was done, in which requests it was."""
    texts = found["told"].astype(str)
    names = sorted({name for text in texts for name in text.split("+") if name})
    hits = {name: texts.map(lambda text, name=name: name in text.split("+")) for name in names}
    if found["added_tokens"].gt(0).any():
        tokens = f"{found['added_tokens'].sum():,} tokens of tools, messages and text put in"
        hits[tokens] = found["added_tokens"].gt(0)
    if found["handles"].gt(0).any():
        hits[f"{found['handles'].sum():,} results under a handle that the agent has no tool for"] = found["handles"].gt(
            0
        )
    tried = sorted({place for text in found["tried"].astype(str) for place in text.split("+") if place})
    return hits | {f"tried to reach {place}": found["tried"].astype(str).str.len().gt(0) for place in tried}


def _row(policy: str, found: pd.DataFrame) -> dict[str, Any]:
    seconds = found["seconds"].to_numpy(float)
    own = found["own_seconds"].to_numpy(float)
    again, noise = int(found["again"].sum()), float(found["noise"].sum())
    kinds = sorted({kind for text in found["failed"].astype(str) for kind in text.split("+") if kind})
    return {
        "policy": policy,
        "asked": int(found["asked"].sum()),
        "failures": int(found["failures"].sum()),
        "failed": ", ".join(kinds) or None,
        "median": float(np.median(seconds)) if len(seconds) else None,
        "p95": float(np.percentile(seconds, 95)) if len(seconds) else None,
        "seconds": float(seconds.sum()),
        "memory": None if found["memory"].isna().all() else int(found["memory"].max()),
        "own": float(np.median(own[own > 0])) if (own > 0).any() else None,
        "different": int(found["different"].sum()),
        "again": again or None,
        "untried": "" if again else "not asked twice",
        "spread": Z * (noise / (2 * again) * float(found["carried"].sum())) ** 0.5 if noise else None,
    }
