"""What a policy hides of that which later actions used: the figures of a report.

An atom of an action is *borne* if only tool results had shown it, which does not depend on the policy. The headline
takes the requests that bear any, and asks of which of them all that they bear is still visible: of the corpus as a
whole (*the bill*), and in a *typical* cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.replay.sections.grid import Grid
from harness.statistics.estimate import pooled, typical
from harness.statistics.significance import Interval

STATES = ("visible", "reachable", "held", "lost")
TOLD_APART = ("reachable_unknown", "held_guessed")
"""What older runs did not tell apart."""
COLUMNS = ("borne", *STATES, "borne_runs", "runs_visible", "bearing_requests", "at_risk_requests")


@dataclass(frozen=True)
class Evidence:
    """Of one policy over one part of a corpus; atoms once a request, long copied runs among them. reachable_unknown:
    if a tool that is not known reads files; held_guessed: those of held whose path the model could only guess; both
    `None` in runs that did not tell them apart.

    all_visible, interval: share of the bearing requests whose borne atoms are all visible, the bill. typical,
    typical_interval: the mean over clusters of the cluster's mean of that share. Over the `transcripts` that bear any;
    `None` where nothing is borne.
    """

    borne: int
    visible: int
    reachable: int
    reachable_unknown: int | None
    held: int
    held_guessed: int | None
    lost: int
    borne_runs: int
    runs_visible: int
    bearing_requests: int
    at_risk_requests: int
    transcripts: int
    all_visible: float | None
    interval: Interval | None
    typical: float | None
    typical_interval: Interval | None

    @property
    def short_visible(self) -> float | None:
        """Share of the borne atoms that are no long copied runs which is visible."""
        short = self.borne - self.borne_runs
        return (self.visible - self.runs_visible) / short if short else None

    @property
    def copied_visible(self) -> float | None:
        """Share of the long copied runs which is visible."""
        return self.runs_visible / self.borne_runs if self.borne_runs else None

    def share(self, *states: str) -> float | None:
        """Share of the borne atoms that are in one of the states."""
        return sum(getattr(self, s) for s in states) / self.borne if self.borne else None


def evidence(part: Grid, clusters: list[str]) -> list[Evidence | None]:
    """One a policy; `None` throughout if the run recorded no evidence."""
    if not part.has(*COLUMNS):
        return [None] * len(part.policies)
    sums = {name: np.nansum(part.column(name), axis=0) for name in COLUMNS}
    unknown, guessed = (_sums(part, name) for name in TOLD_APART)
    bearing, risk = part.column("bearing_requests"), part.column("at_risk_requests")
    some = bearing[:, 0] > 0
    own = [c for c, s in zip(clusters, some.tolist(), strict=True) if s]
    hidden, of = -risk[some].T, bearing[some][:, 0]
    bills, usual = pooled(hidden, of, own, base=1.0), typical(hidden / of, own, base=1.0)
    return [
        Evidence(
            transcripts=int(some.sum()),
            all_visible=bill.value,
            interval=bill.interval,
            typical=mean.value,
            typical_interval=mean.interval,
            **{name: int(values[i]) for name, values in sums.items()},
            reachable_unknown=unknown[i],
            held_guessed=guessed[i],
        )
        for i, (bill, mean) in enumerate(zip(bills, usual, strict=True))
    ]


def _sums(part: Grid, name: str) -> list[int | None]:
    if not part.has(name):
        return [None] * len(part.policies)
    return [int(value) for value in np.nansum(part.column(name), axis=0)]
