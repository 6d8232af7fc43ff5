"""`harness compare`: two runs, what differs between them, and the figures that this moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabulate import tabulate

from harness.errors import HarnessError
from harness.nightly.attribution import machine_of, program_causes
from harness.nightly.engine_figures import engine_figures
from harness.nightly.figures import TIMINGS
from harness.nightly.measured import compare_measured
from harness.nightly.verdict import number, signed
from harness.runs.run import Run
from harness.text import harmless


def compare_runs(before: Run, after: Run) -> dict[str, Any]:
    """A record of the comparison. Raises `HarnessError` where there is nothing in common."""
    kinds = (before.manifest["command"], after.manifest["command"])
    if kinds[0] != kinds[1]:
        raise HarnessError(f"{before.id} is a {kinds[0]}, {after.id} a {kinds[1]}: they have no figure in common")
    if kinds[0] not in KINDS:
        known = " and ".join(f"harness {name}" for name in KINDS)
        raise HarnessError(
            f"{before.id} and {after.id} are runs of harness {kinds[0]}, whose own tables compare policies; runs of "
            f"{known} can be compared with one another"
        )
    return KINDS[kinds[0]](before, after)


def _replays(before: Run, after: Run) -> dict[str, Any]:
    found = compare_measured("", before, after, {})
    differs = ([str(found.corpus)] if found.corpus else []) + [_cause(c.policy, str(c)) for c in found.causes]
    if not found.comparable:
        raise HarnessError(
            f"{before.id} and {after.id} have no transcript in common, so nothing can be compared"
            + (f"; {found.corpus}" if found.corpus else "")
        )
    changes = [c for c in found.changes if c.scope == "common" or c.policy == "corpus"]
    rows = [
        [harmless(c.policy), c.figure, number(c.before), number(c.after), signed(c.share), "; ".join(c.causes)]
        for c in changes
    ]
    return {
        "runs": [before.id, after.id],
        "differs": differs,
        "compared": f"{found.figures} measured figures on {len(found.corpus.common)} transcripts in common",
        "headings": ["policy", "figure", "before", "after", "change", "cause"],
        "rows": rows,
    }


def _engines(before: Run, after: Run) -> dict[str, Any]:
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
        rows.append([harmless(engine), figure, number(a), number(b), signed((b - a) / a if a else None), "not judged"])
    return {
        "runs": [before.id, after.id],
        "differs": differs,
        "compared": f"{len(shared)} figures of engines, as they are, without a verdict",
        "headings": ["engine", "figure", "before", "after", "change", "verdict"],
        "rows": rows,
    }


def _cause(policy: str, text: str) -> str:
    return f"{policy}: {text}" if policy else text


def compare_text(record: dict[str, Any]) -> str:
    """For the terminal."""
    lines = [f"{record['runs'][0]}  →  {record['runs'][1]}"]
    lines += [f"  differs  {harmless(d)}" for d in record["differs"]] or ["  nothing that is recorded differs"]
    lines.append(f"  compared {record['compared']}: {len(record['rows']) or 'none'} changed")
    if record["rows"]:
        lines.append(tabulate(record["rows"], headers=record["headings"], disable_numparse=True))
    return "\n".join(lines)


KINDS: dict[str, Callable[[Run, Run], dict[str, Any]]] = {"replay": _replays, "bench": _engines}
