"""The calls that a policy would probably add: estimated, always low, evidence and high, never one figure."""

from __future__ import annotations

from dataclasses import dataclass

from harness.replay.sections.grid import Grid

COLUMNS = (
    "added_low",
    "added_evidence",
    "added_high",
    "losses",
    "added_tokens_evidence",
    "added_tokens_high",
    "added_cost_evidence",
    "added_cost_high",
    "refetch_page_tokens",
    "refetch_whole_tokens",
)


@dataclass(frozen=True)
class Added:
    """Of one policy over one part of a corpus; calls, input tokens and USD.

    losses: windows that are needed and that nothing brings back. saved: measured input tokens saved against identity.
    refetch_page, refetch_whole: input tokens if every elided result were fetched again at the next request.
    """

    low: int
    evidence: int
    high: int
    losses: int
    tokens_evidence: int
    tokens_high: int
    cost_evidence: float
    cost_high: float
    refetch_page: int
    refetch_whole: int
    saved: int

    @property
    def break_even_page(self) -> float | None:
        """The share of elided results that could be fetched again, one page each, before nothing is saved."""
        return self.saved / self.refetch_page if self.refetch_page else None

    @property
    def break_even_whole(self) -> float | None:
        """The same, each fetched in full."""
        return self.saved / self.refetch_whole if self.refetch_whole else None


def added(part: Grid) -> list[Added | None]:
    """One a policy; `None` throughout if the run estimated nothing."""
    if not part.has(*COLUMNS):
        return [None] * len(part.policies)
    sums = {name: part.column(name).sum(axis=0) for name in COLUMNS}
    tokens = part.column("input_tokens").sum(axis=0)
    return [
        Added(
            low=int(sums["added_low"][i]),
            evidence=int(sums["added_evidence"][i]),
            high=int(sums["added_high"][i]),
            losses=int(sums["losses"][i]),
            tokens_evidence=int(sums["added_tokens_evidence"][i]),
            tokens_high=int(sums["added_tokens_high"][i]),
            cost_evidence=float(sums["added_cost_evidence"][i]),
            cost_high=float(sums["added_cost_high"][i]),
            refetch_page=int(sums["refetch_page_tokens"][i]),
            refetch_whole=int(sums["refetch_whole_tokens"][i]),
            saved=int(tokens[0] - tokens[i]),
        )
        for i in range(len(part.policies))
    ]
