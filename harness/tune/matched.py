"""What policies of equal price show, lose and would make an agent fetch again: rows out of a replay of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from harness.replay.sections.added import Added
from harness.replay.sections.evidence import Evidence
from harness.replay.sections.grid import Grid, grid
from harness.replay.sections.summary import ALL, PolicyRow, summarize
from harness.replay.sections.unrecoverable import Unrecoverable
from harness.runs.run import Run
from harness.statistics.clusters import clusters_of
from harness.statistics.paired import Interval, Paired, compare_all, means_with_intervals
from harness.tune.match import Match

TRUNCATIONS = ("head", "middle", "tail")
NEAR = 0.005
"""By how much of the price a policy may differ and still be one of that price."""


@dataclass(frozen=True)
class Row:
    """A policy over the corpus. against: its input tokens against those of the policy that sets the price. difference:
    of the requests with all evidence in sight, less that policy's, mean over the transcripts that bear any. matched:
    whether its size was chosen for the price. best: of the truncations that so come near the price, the one with most
    atoms visible.
    """

    policy: str
    input_tokens: int
    against: Paired
    against_identity: Paired
    evidence: Evidence | None
    difference: float | None
    difference_interval: Interval | None
    added: Added | None
    unrecoverable: Unrecoverable | None
    matched: bool
    best: bool

    @property
    def near(self) -> bool:
        return is_near(self.against)

    def to_record(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "input_tokens": self.input_tokens,
            "against": self.against.to_record(),
            "against_identity": self.against_identity.to_record(),
            "evidence": vars(self.evidence) if self.evidence else None,
            "difference": self.difference,
            "difference_interval": self.difference_interval,
            "added": vars(self.added) if self.added else None,
            "unrecoverable": asdict(self.unrecoverable) if self.unrecoverable else None,
            "matched": self.matched,
            "best": self.best,
        }


def rows(run: Run, match: Match) -> list[Row]:
    """A row a policy of the run, in its order. The run is a replay of `identity` and of the policies of the match."""
    whole = grid(run.transcripts, run.policies)
    clusters = clusters_of(whole.shared)
    tokens = whole.column("input_tokens").T
    at = run.policies.index(match.to.label)
    against = compare_all(tokens, tokens[at], clusters)
    differences = _differences(whole, at, clusters)
    labels = {one.policy.label for one in match.matched}
    summed = summarize(run).part(ALL)
    best = _best([row for n, row in enumerate(summed) if row.policy in labels and is_near(against[n])])
    return [
        Row(
            row.policy, row.input_tokens, against[n], row.paired, row.evidence, *differences[n], row.added,
            row.unrecoverable, row.policy in labels, row.policy == best,
        )
        for n, row in enumerate(summed)
    ]  # fmt: skip


def _differences(whole: Grid, at: int, clusters: list[str]) -> list[tuple[float | None, Interval | None]]:
    bearing, risk = whole.column("bearing_requests"), whole.column("at_risk_requests")
    some = bearing[:, 0] > 0
    shares = 1 - (risk[some] / bearing[some]).T
    return means_with_intervals(shares - shares[at], [c for c, s in zip(clusters, some.tolist(), strict=True) if s])


def is_near(against: Paired) -> bool:
    """Whether the input tokens are as many as those of the policy that sets the price, but for `NEAR` of them."""
    return abs((against.ratio or 1) - 1) <= NEAR


def _best(summed: list[PolicyRow]) -> str:
    """The truncation with most borne atoms visible; empty where there is none."""
    cut = [row for row in summed if row.policy.partition(":")[0] in TRUNCATIONS and row.evidence]
    return max(cut, key=lambda row: row.evidence.visible if row.evidence else 0).policy if cut else ""
