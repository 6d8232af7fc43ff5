"""Figures over the nights, from the groups of a suite."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from harness.nightly.attribution import machine_of
from harness.nightly.engine_figures import engine_figures
from harness.nightly.figures import CORPUS, MEASURED, TIMINGS, is_ratio
from harness.nightly.steps import steps
from harness.runs.annotations import Annotations
from harness.runs.groups import Group, read_groups
from harness.runs.run import Run

COLUMNS: Final = (
    *("night", "number", "started", "suite", "commit", "machine", "part", "subject", "figure", "kind"),
    *("value", "accepted", "bad"),
)


def nights(results: Path, suite: str, annotations: Annotations) -> pd.DataFrame:
    """One row a night, part, policy or engine, and figure, with `COLUMNS`; runs that are gone are left out."""
    rows = [row for group in read_groups(results, suite) if not group.partial for row in _of_group(results, group)]
    frame = pd.DataFrame(rows, columns=list(COLUMNS[:11]))
    accepted = {a["group"] for a in annotations.accepted}
    frame["accepted"] = frame["night"].isin(accepted)
    frame["bad"] = frame["night"].isin(annotations.bad)
    return frame


def _of_group(results: Path, group: Group) -> Iterator[tuple[Any, ...]]:
    for part, name in group.runs.items():
        directory = results / name
        if not (directory / "manifest.json").exists():
            continue
        run = Run(directory)
        head = (group.name, group.number, group.started, group.suite, group.commit or "", machine_of(run.manifest))
        changed = (directory / "manifest.json").stat().st_mtime_ns
        for subject, figure, kind, value in _known_figures(directory.resolve(), changed):
            yield (*head, part, subject, figure, kind, value)


@lru_cache(maxsize=4096)
def _known_figures(directory: Path, changed: int) -> tuple[tuple[str, str, str, float], ...]:
    """The figures of a finished run, which is never edited; `changed` is when its manifest was written."""
    return tuple(figures_of(Run(directory)))


def figures_of(run: Run) -> Iterator[tuple[str, str, str, float]]:
    """Policy or engine, figure, kind and value of a run."""
    if run.kind.name == "bench":
        for (engine, figure), value in engine_figures(run).items():
            yield engine, figure, "timing" if figure in TIMINGS else "live", value
        return
    if run.kind.name != "replay":
        for own in run.kind.figures(run):
            yield own.subject, own.name, "timing" if own.name in run.kind.timings else own.grade, own.value
        return
    for name in CORPUS:
        known = run.manifest["corpus"]["transcripts"] if name == "transcripts" else len(run.manifest[name])
        yield "corpus", name, "measured", float(known)
    for policy, rows in run.transcripts.groupby("policy", observed=True):
        for measured in MEASURED:
            if (found := measured.of(rows)) is not None:
                yield str(policy), measured.name, "measured", found


def change_points(frame: pd.DataFrame) -> pd.DataFrame:
    """Every step: exact for measured figures, by PELT for the others, machine by machine, bad nights left out."""
    rows: list[tuple[Any, ...]] = []
    good = frame[~frame["bad"]]
    exact = good["kind"] == "measured"
    for (part, subject, figure), series in good[exact].groupby(["part", "subject", "figure"], sort=True):
        nights_, values = series["night"].tolist(), series["value"].tolist()
        for (before, after), night in zip(pairwise(values), nights_[1:], strict=True):
            if before != after:
                rows.append((part, subject, figure, "", night, before, after))
    keys = ["part", "subject", "figure", "machine"]
    for (part, subject, figure, machine), series in good[~exact].groupby(keys, sort=True):
        nights_ = series["night"].tolist()
        for step in steps(series["value"].to_numpy(np.float64), is_ratio(str(figure))):
            rows.append((part, subject, figure, machine, nights_[step.at], step.before, step.after))
    found = pd.DataFrame(rows, columns=["part", "subject", "figure", "machine", "since", "before", "after"])
    accepted = set(frame.loc[frame["accepted"], "night"])
    return found.assign(accepted=found["since"].isin(accepted))
