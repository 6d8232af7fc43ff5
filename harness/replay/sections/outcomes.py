"""Evidence by how the recorded runs ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.replay.sections.columns import POLICY
from harness.replay.sections.risk import is_known
from harness.report.table import Column, Table
from harness.report.units import COUNT, SHARE

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay

ENDS = ("passed", "failed", "unknown")
NOTE = (
    "Requests that use tool results and see all of it, by whether the recorded run did its task, as its source says. "
    "The runs ended so under what their own agents showed: that one end loses more under a policy is an association, "
    "and does not say how a run under the policy would have ended."
)


def by_outcome(part: Replay) -> Table | None:
    """A row a policy; none where no recording says how its run ended."""
    runs = part.run.transcripts
    if not is_known(part.run) or "passed" not in runs or runs["passed"].isna().all():
        return None
    known = runs[runs["policy"] == "identity"].set_index("transcript")["passed"]
    ends = known.map({True: "passed", False: "failed"}).fillna("unknown")
    requests = part.run.requests
    bearing = requests[requests["borne"] > 0]
    end = bearing["transcript"].astype(str).map(dict(zip(ends.index.astype(str), ends, strict=True)))
    grouped = (~bearing["at_risk"]).groupby([bearing["policy"].astype(str), end])
    shares, counts = grouped.mean().to_dict(), grouped.size().to_dict()
    columns = [POLICY]
    rows: list[dict[str, Any]] = [{"policy": policy} for policy in part.run.policies]
    for name in (name for name in ENDS if (ends == name).any()):
        head = f"{name} ({int((ends == name).sum())} runs)"
        columns += [Column(name, head, SHARE), Column(f"{name}_requests", f"{name}: requests", COUNT)]
        for row in rows:
            place = (row["policy"], name)
            row |= {name: shares.get(place), f"{name}_requests": counts.get(place, 0)}
    return Table("ends", "Evidence by how the runs ended", "measured", NOTE, tuple(columns), rows, folded=True)
