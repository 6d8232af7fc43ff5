"""Which requests a policy puts at risk: no longer all visible that they take from tool results. Ids and counts only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.runs.run import Run

HIDDEN = ("reachable", "reachable_unknown", "held", "lost")
WORDS = {"reachable": "reachable", "reachable_unknown": "reachable, tool unknown", "held": "held", "lost": "lost"}


@dataclass(frozen=True)
class Risk:
    """One request under a policy. borne: what it takes that only results had shown. hidden: of that, not visible;
    states: the same in words."""

    transcript: str
    request: int
    policy: str
    borne: int
    hidden: int
    states: str

    @property
    def key(self) -> tuple[str, str, int]:
        return self.policy, self.transcript, self.request


def is_known(run: Run) -> bool:
    """Whether the run has evidence request by request."""
    return {"at_risk", "borne", "visible"} <= set(run.requests.columns)


def at_risk(run: Run, policy: str, most: int, against: str = "") -> list[Risk]:
    """The requests that take most that is not visible under a policy, most first; with `against`, only those of which
    that policy shows everything."""
    rows = run.requests[(run.requests["policy"] == policy) & run.requests["at_risk"]]
    if against:
        other = run.requests[(run.requests["policy"] == against) & run.requests["at_risk"]]
        taken = set(zip(other["transcript"].astype(str), other["request"].astype(int), strict=True))
        own = zip(rows["transcript"].astype(str), rows["request"].astype(int), strict=True)
        rows = rows[np.array([pair not in taken for pair in own], dtype=bool)]
    rows = rows.assign(hidden=rows["borne"] - rows["visible"], name=rows["transcript"].astype(str))
    rows = rows.sort_values(["hidden", "name", "request"], ascending=[False, True, True], kind="stable").head(most)
    return [
        Risk(r["name"], int(r["request"]), policy, int(r["borne"]), int(r["hidden"]), _states(r))
        for r in rows.to_dict("records")
    ]


def _states(row: Mapping[Any, Any]) -> str:
    return ", ".join(f"{row[name]} {WORDS[name]}" for name in HIDDEN if row.get(name))


def lost_against(run: Run) -> pd.DataFrame:
    """Per policy (rows) and policy (columns), the requests that the first puts at risk and the second does not."""
    policies = run.policies[1:]
    risk = run.requests[run.requests["at_risk"]]
    keys = {
        p: set(zip(own["transcript"].astype(str), own["request"].astype(int), strict=True))
        for p in policies
        for own in [risk[risk["policy"] == p]]
    }
    return pd.DataFrame([{"policy": p} | {q: len(keys[p] - keys[q]) for q in policies} for p in policies])
