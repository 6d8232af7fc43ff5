"""Measured figures of two runs of a kind that has no comparison of its own: every one that both have."""

from __future__ import annotations

from collections.abc import Mapping

from harness.nightly.attribution import Cause, CorpusChange, differences, program_causes
from harness.nightly.figures import worsening
from harness.nightly.measured import UNEXPLAINED, Change, Compared, Muted
from harness.runs.inputs import changed
from harness.runs.run import Run


def compare_figures(part: str, before: Run, after: Run, tolerance: Mapping[str, float], muted: Muted) -> Compared:
    """What is measured is exact, so any change is one, and has a cause: settings, inputs, else the program."""
    own = [Cause("settings", text) for text in differences(before.manifest["settings"], after.manifest["settings"])]
    inputs = changed(before.manifest.get("inputs", {}), after.manifest.get("inputs", {}))
    own += [Cause("inputs", f"{path} is another") for path in inputs]
    causes = own + program_causes(before.manifest, after.manifest)
    said = tuple(map(str, own or causes)) or (UNEXPLAINED,)
    old = {(f.subject, f.name): f for f in before.kind.figures(before) if f.grade == "measured"}
    new = {(f.subject, f.name): f for f in after.kind.figures(after) if f.grade == "measured"}
    both = [key for key in new if key in old]
    changes = []
    for subject, name in both:
        a, b = old[subject, name].value, new[subject, name].value
        if a == b:
            continue
        way, allowed = after.kind.better.get(name, "neither"), tolerance.get(name, 0.0)
        worse, hushed = worsening(way, a, b), muted(f"{part}/{subject}/{name}")
        fails = (worse > allowed or said == (UNEXPLAINED,)) and hushed is None
        grave = max(worse - allowed, 0.0)
        unit = new[subject, name].unit
        changes.append(Change(part, subject, name, unit, "common", a, b, worse, allowed, grave, said, fails, hushed))
    common = CorpusChange((), (), (), frozenset(subject for subject, _ in both))
    return Compared(part, common, tuple(causes), tuple(changes), len(both), bool(both))
