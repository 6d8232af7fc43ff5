"""Runs of every arm as rows, and arms out of the rows of a finished run."""

from __future__ import annotations

from typing import Any

import pandas as pd

from harness.arms.compare import Arms, Plan
from harness.arms.from_tables import chosen, complete, read_tables
from harness.arms.rows import FACTS, RUNS
from harness.arms.settings import ArmsSettings
from harness.runs.run import Run


def read_arms(settings: ArmsSettings) -> dict[str, Any]:
    """What a journal keeps: names of the arms in their order, the rows of `RUNS`, and what was read from where."""
    if settings.are_tables():
        found, read = read_tables(settings)
        facts: dict[str, Any] = {"read": read, "problems": [], "predictions": []}
    else:
        from harness.arms.from_recordings import read_recordings

        found, facts = read_recordings(settings)
    runs, problems = _told_apart(complete(chosen(found, settings)))
    names = [str(name) for name in runs["arm"].cat.categories]
    return facts | {"arms": names, "runs": _rows(runs), "problems": [*facts["problems"], *problems]}


KEYS = ["arm", "task", "repetition"]


def _told_apart(runs: pd.DataFrame) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Runs under one name: those that agree in everything are one, which stood there twice; others are numbered."""
    problems = []
    copies = runs.duplicated()
    if copies.any():
        one = runs[copies].iloc[0]
        problems.append(_problem(one, int(copies.sum()), "stood there twice, and is counted once"))
        runs = runs[~copies]
    shared = runs.duplicated(KEYS, keep=False)
    if shared.any():
        one = runs[shared].iloc[0]
        problems.append(_problem(one, 0, "is the name of several runs, which are taken for repetitions"))
        number = (runs.groupby(KEYS, observed=True).cumcount() + 1).astype(str)
        runs = runs.assign(repetition=runs["repetition"].where(~shared, runs["repetition"] + "." + number))
    return runs, problems


def _problem(run: Any, lost: int, what: str) -> dict[str, Any]:
    place = f"arm {run['arm']}, task {run['task']}, repetition {run['repetition']}"
    return {"place": place, "reason": what, "lost": lost}


def _rows(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """In the order of arm, task and repetition."""
    frame = runs[[column.name for column in RUNS]].sort_values(["arm", "task", "repetition"], kind="stable")
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(key): value for key, value in row.items()} for row in plain.to_dict("records")]


def arms_of(run: Run, frame: pd.DataFrame) -> Arms:
    """The arms of a finished run. frame: its table of runs, names masked or not."""
    settings = run.settings()
    assert isinstance(settings, ArmsSettings)
    names = list(dict.fromkeys(frame["arm"].astype(str)))
    runs = frame.assign(arm=pd.Categorical(frame["arm"].astype(str), names))
    runs[list(FACTS)] = runs[list(FACTS)].astype("string").replace({"": pd.NA})
    return Arms(runs, Plan(settings.planned, settings.repetitions), settings.margin)
