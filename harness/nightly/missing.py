"""What the baseline had and tonight has not: a night in which something is gone is not fine, whatever else it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.nightly.attribution import task_change
from harness.runs.run import Run

SHOWN = 5


def missing_parts(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """Parts of the baseline that are no longer in the suite, in sentences."""
    return list(_gone("part", before, after, ""))


def missing(part: str, before: Run, after: Run) -> list[str]:
    """Policies, engines, drivers and tasks of a part that were not compared because they are gone, in sentences. (A
    transcript that is gone is a change of the corpus, which fails.)"""
    said = [
        *_gone("policy", before.policies, after.policies, part),
        *_gone("engine", before.engines, after.engines, part),
    ]
    if after.manifest["command"] == "bench":
        tasks = task_change(before, after)
        if tasks is not None:
            said += _gone("task", (*tasks.common, *tasks.removed), tasks.common, part)
            said += [
                f"{part}: {len(tasks.changed)} task{'s' * (len(tasks.changed) > 1)} changed and "
                f"{'were' if len(tasks.changed) > 1 else 'was'} not compared: {_listed(tasks.changed)}"
            ] * bool(tasks.changed)
    if after.manifest["command"] == "loop":
        for what in ("driver", "task"):
            old, new = (list(map(str, run.loop[what].unique())) for run in (before, after))
            said += _gone(what, old, new, part)
    return said


def _gone(what: str, before: Iterable[str], after: Iterable[str], part: str) -> Iterator[str]:
    kept = set(after)
    names = [name for name in before if name not in kept]
    if names:
        many = {"policy": "policies"}.get(what, f"{what}s") if len(names) > 1 else what
        head = f"{part}: " if part else ""
        yield f"{head}{len(names)} {many} of the baseline {'are' if len(names) > 1 else 'is'} gone: {_listed(names)}"


def _listed(names: Iterable[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:SHOWN]) + (f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else "")
