"""`harness compare`: two runs, what differs between them, and the figures that this moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.errors import HarnessError
from harness.nightly.attribution import differences, machine_of, program_causes
from harness.nightly.engine_figures import engine_figures
from harness.nightly.figures import TIMINGS
from harness.nightly.measured import compare_measured
from harness.nightly.tables import compared
from harness.report.table import Table
from harness.report.table_text import prose, table_text, width
from harness.runs.run import Run


@dataclass(frozen=True)
class Comparison:
    """before, after: ids of the runs. differs: what does, in words. compared: what the table is over."""

    before: str
    after: str
    differs: list[str]
    compared: str
    table: Table

    def to_record(self) -> dict[str, Any]:
        """For a program."""
        return {
            "runs": [self.before, self.after],
            "differs": self.differs,
            "compared": self.compared,
            "rows": self.table.records(),
            "columns": self.table.keys(),
        }


def compare_runs(before: Run, after: Run) -> Comparison:
    """The comparison. Raises `HarnessError` where there is nothing in common."""
    kinds = (before.manifest["command"], after.manifest["command"])
    if kinds[0] != kinds[1]:
        raise HarnessError(f"{before.id} is a {kinds[0]}, {after.id} a {kinds[1]}: they have no figure in common")
    return KINDS.get(kinds[0], _figures)(before, after)


def _figures(before: Run, after: Run) -> Comparison:
    """Every figure that both have, as it is; what moved it stands above."""
    timings = before.kind.timings
    old = {(f.subject, f.name): f.value for f in before.kind.figures(before)}
    new = {(f.subject, f.name): f for f in after.kind.figures(after)}
    same_machine = machine_of(before.manifest) == machine_of(after.manifest)
    shared = [key for key in new if key in old and (same_machine or key[1] not in timings)]
    if not shared:
        raise HarnessError(f"{before.id} and {after.id} have no figure in common, so nothing can be compared")
    differs = [f"settings: {text}" for text in differences(before.manifest["settings"], after.manifest["settings"])]
    differs += [] if same_machine else ["machine: timings are not compared"]
    differs += [str(c) for c in program_causes(before.manifest, after.manifest)]
    rows = [
        {
            "subject": subject,
            "figure": name,
            "before": old[subject, name],
            "after": new[subject, name].value,
            "change": new[subject, name].value / old[subject, name] - 1 if old[subject, name] else None,
            "said": new[subject, name].grade,
        }
        for subject, name in shared
        if new[subject, name].value != old[subject, name]
    ]
    said = f"{len(shared)} figures, as they are, without a verdict"
    return Comparison(before.id, after.id, differs, said, compared("live", "subject", rows))


def _replays(before: Run, after: Run) -> Comparison:
    found = compare_measured("", before, after, {})
    differs = ([str(found.corpus)] if found.corpus else []) + [_cause(c.policy, str(c)) for c in found.causes]
    if not found.comparable:
        raise HarnessError(
            f"{before.id} and {after.id} have no transcript in common, so nothing can be compared"
            + (f"; {found.corpus}" if found.corpus else "")
        )
    changes = [c for c in found.changes if c.scope == "common" or c.policy == "corpus"]
    rows = [
        {
            "policy": c.policy,
            "figure": c.figure,
            "before": c.before,
            "after": c.after,
            "change": c.share,
            "said": "; ".join(c.causes),
        }
        for c in changes
    ]
    said = f"{found.figures} measured figures on {len(found.corpus.common)} transcripts in common"
    return Comparison(before.id, after.id, differs, said, compared("measured", "policy", rows))


def _engines(before: Run, after: Run) -> Comparison:
    old, new = engine_figures(before), engine_figures(after)
    same_machine = machine_of(before.manifest) == machine_of(after.manifest)
    same_tasks = before.manifest["tasks"]["sha256"] == after.manifest["tasks"]["sha256"]
    if not same_tasks:
        raise HarnessError(f"{before.id} and {after.id} asked other tasks, so no figure of theirs can be compared")
    differs = [] if same_machine else ["machine: timings are not compared"]
    differs += [str(c) for c in program_causes(before.manifest, after.manifest)]
    differs.append("not interleaved: what drifted between the two runs is in the timings; name both engines in one")
    shared = [k for k in new if k in old and (same_machine or k[1] not in TIMINGS)]
    if not shared:
        raise HarnessError(f"{before.id} and {after.id} have no engine in common, so nothing can be compared")
    rows = []
    for engine, figure in shared:
        a, b = old[engine, figure], new[engine, figure]
        share = (b - a) / a if a else None
        rows.append(
            {"engine": engine, "figure": figure, "before": a, "after": b, "change": share, "said": "not judged"}
        )
    said = f"{len(shared)} figures of engines, as they are, without a verdict"
    return Comparison(before.id, after.id, differs, said, compared("live", "engine", rows))


def _cause(policy: str, text: str) -> str:
    return f"{policy}: {text}" if policy else text


def compare_text(found: Comparison) -> str:
    """For the terminal."""
    columns, rows = width(), found.table.data
    lines = [f"{found.before}  →  {found.after}"]
    lines += [f"  differs  {d}" for d in found.differs] or ["  nothing that is recorded differs"]
    lines.append(f"  compared {found.compared}: {len(rows) or 'none'} changed")
    said = "\n".join(prose(line, columns, "           ") for line in lines)
    return f"{said}\n\n{table_text(found.table, columns)}" if rows else said


KINDS: dict[str, Callable[[Run, Run], Comparison]] = {"replay": _replays, "bench": _engines}
