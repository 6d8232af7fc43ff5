"""The sentence that a reader takes away: of the policies that keep what was asked for, the one that saves most.

Asked for is a floor, on the bill and in a typical cluster alike: how many of the requests with dependencies must still
see all of theirs, and how much may become unrecoverable. Without a floor no policy is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from harness.errors import HarnessError
from harness.replay.sections import wording as say
from harness.replay.sections.summary import ALL, PolicyRow, Summary
from harness.text import count

NEAR = 0.02
"""By how much of the cost a policy may differ and still be a rival at equal cost."""
NO_FLOOR = "none"


@dataclass(frozen=True)
class Floor:
    """visible: the least share of requests that see all they depend on. unrecoverable: how many of
    the pairs of a request and a result that it depends on nothing may bring back, at most, as a share of all."""

    visible: float = 0.95
    unrecoverable: float = 0.01

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """`95,1` in percent, or `none`."""
        if text == NO_FLOOR:
            return None
        try:
            visible, unrecoverable = (float(part.strip().removesuffix("%")) / 100 for part in text.split(","))
        except ValueError:
            raise HarnessError(
                f"floor {text!r}: give the least share of requests that see everything and the largest that is "
                "unrecoverable, in percent, such as 95,1; or none"
            ) from None
        if not (0 <= visible <= 1 and 0 <= unrecoverable <= 1):
            raise HarnessError(f"floor {text!r}: shares are from 0 to 100 percent")
        return cls(visible, unrecoverable)

    def __str__(self) -> str:
        return f"{100 * self.visible:g} % of requests see all, {100 * self.unrecoverable:g} % lost at most"


@dataclass(frozen=True)
class Shortfall:
    """What a policy misses of a floor. by: share."""

    what: str
    weighting: str
    value: float
    asked: float

    @property
    def by(self) -> float:
        return abs(self.value - self.asked)


@dataclass(frozen=True)
class Headline:
    """named: the policy that saves most within the floor; rival: of those at equal cost the one that shows most.
    nearest: where none is named, the policy that misses least, with what it misses. frontier: policies that no other
    beats in cost and evidence, cheapest last; those that hide everything are left out."""

    floor: Floor | None
    named: PolicyRow | None
    rival: PolicyRow | None
    nearest: PolicyRow | None
    frontier: tuple[PolicyRow, ...]


def decide(summary: Summary, floor: Floor | None) -> Headline:
    """What the first sentence speaks of."""
    rows = [r for r in summary.part(ALL) if r.policy != "identity" and ratio(r) < 1 and not hides_everything(r)]
    frontier = tuple(_frontier(rows))
    if floor is None or not summary.has_evidence:
        return Headline(None, None, None, None, frontier)
    able = [r for r in rows if not list(shortfalls(r, floor))]
    named = min(able, key=lambda r: r.input_tokens, default=None)
    nearest = None if named else min(rows, key=lambda r: sum(s.by for s in shortfalls(r, floor)), default=None)
    return Headline(floor, named, _rival(named or nearest, rows), nearest, frontier)


def ratio(row: PolicyRow) -> float:
    """Input tokens over identity's, pooled."""
    return 1.0 if row.paired.ratio is None else row.paired.ratio


def hides_everything(row: PolicyRow) -> bool:
    """Whether no request with dependencies sees all of them."""
    return row.evidence is not None and row.evidence.all_visible == 0


def shortfalls(row: PolicyRow, floor: Floor) -> Iterator[Shortfall]:
    """What a policy misses, under both weightings."""
    if row.evidence:
        for weighting, share in (("bill", row.evidence.all_visible), ("typical", row.evidence.typical)):
            if share is not None and share < floor.visible:
                yield Shortfall("requests", weighting, share, floor.visible)
    if row.unrecoverable:
        for found in (row.unrecoverable.bill, row.unrecoverable.typical):
            if found.value is not None and found.value > floor.unrecoverable:
                yield Shortfall("unrecoverable", found.weighting, found.value, floor.unrecoverable)


def _rival(first: PolicyRow | None, rows: list[PolicyRow]) -> PolicyRow | None:
    if first is None:
        return None
    near = [
        r
        for r in rows
        if r.policy != first.policy and abs(r.input_tokens / first.input_tokens - 1) <= NEAR and r.evidence
    ]
    return max(near, key=lambda r: (r.evidence and r.evidence.all_visible) or 0.0, default=None)


def _frontier(rows: list[PolicyRow]) -> Iterator[PolicyRow]:
    best = -1.0
    for row in sorted(rows, key=lambda r: r.input_tokens):
        shown = (row.evidence.all_visible if row.evidence else None) or 0.0
        if shown > best:
            best = shown
            yield row


def sentence(found: Headline, summary: Summary) -> str:
    """Plain text; savings and evidence are measured, what is unrecoverable is estimated."""
    others = sum(1 for r in summary.part(ALL) if r.policy != "identity")
    if not any(ratio(r) < 1 for r in summary.part(ALL)):
        return "No policy would have sent fewer input tokens than identity."
    if found.floor is None:
        return _of_the_frontier(found, summary)
    if found.named:
        first = f"Of {_policies(others)}, {found.named.policy} saves most within the floor ({found.floor})"
        return f"{first}: {_figures(found.named)}. {_rivals(found.named, found.rival, summary)}"
    said = f"Of {_policies(others)}, none but identity meets the floor ({found.floor})"
    if found.nearest is None:
        return f"{said}: those that save input tokens hide everything."
    points: dict[str, list[str]] = {}
    for short in shortfalls(found.nearest, found.floor):
        points.setdefault(short.what, []).append(f"{100 * short.by:.1f} ({short.weighting})")
    missed = ", ".join(f"{what} by {' and '.join(by)}" for what, by in points.items())
    nearest = f"Nearest is {found.nearest.policy}: {_figures(found.nearest)}; it misses, in points, {missed}"
    return f"{said}. {nearest}. {_rivals(found.nearest, found.rival, summary)}"


def _policies(many: int) -> str:
    return f"{many} policies" if many != 1 else "1 policy"


def _figures(row: PolicyRow) -> str:
    """Saving, evidence and losses in one breath, each under both weightings."""
    bill, usual = row.paired.bill, row.paired.usual
    sure = f" [{say.changes(bill.interval)}]" if bill.interval and not bill.exact else ""
    said = [f"{say.change(bill.value)}{sure} input tokens on the bill, {say.change(usual.value)} typical"]
    if e := row.evidence:
        said.append(
            f"{say.percent(e.all_visible)} of the {count(e.bearing_requests)} requests that use tool results see all "
            f"they use, {say.percent(e.typical)} typical"
        )
    if u := row.unrecoverable:
        said.append(
            f"unrecoverable (estimated): {say.pairs(u)} of {count(u.of)} pairs of a request and a result, "
            f"{say.percent(u.bill.value)}, {say.percent(u.typical.value)} typical"
        )
    return "; ".join(said)


def _rivals(first: PolicyRow, rival: PolicyRow | None, summary: Summary) -> str:
    """The rival at equal cost; where the run has none, the policy nearest in cost."""
    if rival and rival.evidence:
        less = rival.input_tokens / first.input_tokens - 1
        return (
            f"At equal cost ({100 * less:+.1f} %), {rival.policy}: {say.percent(rival.evidence.all_visible)}, "
            f"{say.percent(rival.evidence.typical)} typical."
        )
    near = [r for r in summary.part(ALL) if r.policy not in (first.policy, "identity")]
    if not near:
        return "No other policy ran to compare with at equal cost."
    nearest = min(near, key=lambda r: abs(r.input_tokens - first.input_tokens))
    less = nearest.input_tokens / first.input_tokens - 1
    return f"None ran at equal cost (nearest {nearest.policy}, {100 * less:+.1f} %)."


def _of_the_frontier(found: Headline, summary: Summary) -> str:
    rows = found.frontier
    if not rows:
        return "Policies that save input tokens hide everything; no policy is named."
    if not summary.has_evidence:
        saved = f"{say.change(ratio(rows[0]))} input tokens at most"
        return f"This run has no evidence, so no policy is named: {saved}, and what that hides is not identified."
    least, most = rows[-1], rows[0]
    return (
        f"No floor was asked for, so no policy is named. The frontier has "
        f"{_policies(len(rows))}, from {_end(least)} to {_end(most)} (the bill)."
    )


def _end(row: PolicyRow) -> str:
    assert row.evidence
    shown = say.percent(row.evidence.all_visible)
    return f"{say.change(row.paired.ratio)} input tokens and {shown} of the requests see all they use"
