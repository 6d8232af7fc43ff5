"""The calls that a policy would probably add: estimated, as bounds. What lies between them is not identified until the
estimate is calibrated (METHOD, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

from harness.replay.sections.grid import Grid

COLUMNS = (
    "added_low",
    "added_high",
    "unrecoverable",
    "added_tokens_low",
    "added_tokens_high",
    "added_cost_high",
    "unrecoverable_tokens",
    "unrecoverable_cost",
    "refetch_page_tokens",
    "refetch_whole_tokens",
)


@dataclass(frozen=True)
class Added:
    """Of one policy over one part of a corpus; calls, input tokens and USD.

    evidence: `None`, not identified. tokens_low, tokens_high: input tokens with the calls; of what is unrecoverable
    nothing at the low end, at the high end the whole values, read once on arrival. cost_high: USD of the same over the
    policy's own price. saved: measured input tokens saved against identity. refetch_page, refetch_whole: input tokens
    if every elided result were fetched again at the next request, a window of it or all.
    """

    low: int
    high: int
    tokens_low: int
    tokens_high: int
    cost_high: float
    refetch_page: int
    refetch_whole: int
    saved: int
    evidence: None = None

    @property
    def break_even_page(self) -> float | None:
        """The share of elided results that could be fetched again, one window each, before nothing is saved."""
        return self.saved / self.refetch_page if self.refetch_page else None

    @property
    def break_even_whole(self) -> float | None:
        """The same, each fetched in full."""
        return self.saved / self.refetch_whole if self.refetch_whole else None


def added(part: Grid) -> list[Added | None]:
    """One a policy; `None` throughout if the run estimated nothing, or by an earlier rule."""
    if not part.has(*COLUMNS):
        return [None] * len(part.policies)
    sums = {name: part.column(name).sum(axis=0) for name in COLUMNS}
    tokens = part.column("input_tokens").sum(axis=0)
    return [
        Added(
            low=int(sums["added_low"][i]),
            high=int(sums["added_high"][i]),
            tokens_low=int(tokens[i] + sums["added_tokens_low"][i]),
            tokens_high=int(tokens[i] + sums["added_tokens_high"][i] + sums["unrecoverable_tokens"][i]),
            cost_high=float(sums["added_cost_high"][i] + sums["unrecoverable_cost"][i]),
            refetch_page=int(sums["refetch_page_tokens"][i]),
            refetch_whole=int(sums["refetch_whole_tokens"][i]),
            saved=int(tokens[0] - tokens[i]),
        )
        for i in range(len(part.policies))
    ]
