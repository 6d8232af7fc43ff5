"""Counted figures of engines and of the loop's readers: exact, so any change is one, and has a cause.

Of an engine that runs, failed turns are counted: they are the gravest thing that can happen to it. Recorded envelopes
and deterministic readers do the same every time, so that all their figures are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import pandas as pd

from harness.nightly.attribution import (
    CorpusChange,
    engine_causes,
    program_causes,
    settings_causes,
    task_change,
)
from harness.nightly.figures import COUNTS, worsening
from harness.nightly.measured import UNEXPLAINED, Change, Compared, Muted
from harness.runs.run import Run

LIVE: Final = "nothing recorded differs: the engine itself"
Count = Callable[[pd.DataFrame], float]

TURNS: Final[Mapping[str, Count]] = {
    "failed_turns": lambda turns: float((turns["state"].astype(str) == "failed").sum()),
    "right_turns": lambda turns: float(turns["right"].fillna(False).astype(bool).sum()),
    "traced_turns": lambda turns: float(((turns["checked"] > 0) & (turns["ungrounded"] == 0)).fillna(False).sum()),
}
RUNS: Final[Mapping[str, Count]] = {
    "passed_runs": lambda rows: float(rows["passed"].sum()),
    "run_requests": lambda rows: float(rows["requests"].sum()),
    "run_tool_calls": lambda rows: float(rows["tool_calls"].sum()),
    "run_input_tokens": lambda rows: float(rows["input_tokens"].sum()),
}
UNITS: Final = {"run_input_tokens": "tokens", "run_requests": "requests", "run_tool_calls": "calls"}
NONE: Final = CorpusChange((), (), (), frozenset(), "tasks")


@dataclass(frozen=True)
class Judge:
    """What is asked of every counted figure of a part."""

    part: str
    tolerance: Mapping[str, float]
    muted: Muted

    def changes(
        self, subject: str, counts: Mapping[str, Count], old: pd.DataFrame, new: pd.DataFrame, causes: tuple[str, ...]
    ) -> list[Change]:
        """Of two frames of the same turns or tasks."""
        return [
            self._change(subject, name, count(old), count(new), len(new), causes)
            for name, count in counts.items()
            if count(old) != count(new)
        ]

    def _change(self, subject: str, name: str, a: float, b: float, whole: int, causes: tuple[str, ...]) -> Change:
        worse, allowed = worsening(COUNTS[name], a, b), self.tolerance.get(name, 0.0)
        hushed = self.muted(f"{self.part}/{subject}/{name}")
        fails = (worse > allowed or causes == (UNEXPLAINED,)) and hushed is None
        # A failed turn goes before everything else that can get worse.
        gravity = (1.0 if name == "failed_turns" else 0.0) + abs(b - a) / (whole or 1) * (1 if worse > 0 else -1)
        unit = UNITS.get(name, name.rpartition("_")[2])
        return Change(self.part, subject, name, unit, "common", a, b, worse, allowed, gravity, causes, fails, hushed)


def compare_turns(
    part: str, before: Run, after: Run, tolerance: Mapping[str, float], muted: Muted = lambda _: None
) -> Compared:
    """Counted figures of the engines that both benches have, over the tasks that both have, unchanged."""
    judge = Judge(part, tolerance, muted)
    tasks = task_change(before, after)
    changes: list[Change] = []
    figures = 0
    for engine in (e for e in after.engines if e in before.engines):
        old, new = (common_turns(run, engine, tasks) for run in (before, after))
        live = any(_is_live(run, engine) for run in (before, after))
        counts = {"failed_turns": TURNS["failed_turns"]} if live else TURNS
        figures += len(counts)
        said = tuple(engine_causes(before.manifest, engine, after.manifest, engine))
        changes += judge.changes(engine, counts, old, new, said or ((LIVE,) if live else (UNEXPLAINED,)))
    return Compared(part, tasks or NONE, (), tuple(changes), figures, comparable=bool(tasks is None or tasks.common))


def common_turns(run: Run, engine: str, tasks: CorpusChange | None) -> pd.DataFrame:
    """The turns of an engine in the tasks that can be compared. tasks: None where that is not known, then all."""
    turns = run.engine[run.engine["engine"] == engine]
    return turns if tasks is None else turns[turns["task"].astype(str).isin(tasks.common)]


def _is_live(run: Run, engine: str) -> bool:
    identity = next((e["identity"] for e in run.manifest["engines"] if e["label"] == engine), None)
    return bool(identity is None or identity.get("live", True))


def compare_readers(
    part: str, before: Run, after: Run, tolerance: Mapping[str, float], muted: Muted = lambda _: None
) -> Compared:
    """Counted figures of the deterministic readers of two loops, by driver and policy, over the tasks of both."""
    judge = Judge(part, tolerance, muted)
    frames = [_readers(run) for run in (before, after)]
    tasks = [frozenset(frame["task"].astype(str)) for frame in frames]
    common = tasks[0] & tasks[1]
    change = CorpusChange(tuple(sorted(tasks[1] - tasks[0])), tuple(sorted(tasks[0] - tasks[1])), (), common, "tasks")
    said = tuple(map(str, (*settings_causes(before.manifest, after.manifest), *_programs(before, after))))
    changes: list[Change] = []
    figures = 0
    old_rows, new_rows = (_by_subject(frame[frame["task"].astype(str).isin(common)]) for frame in frames)
    for subject in (s for s in new_rows if s in old_rows):
        figures += len(RUNS)
        changes += judge.changes(subject, RUNS, old_rows[subject], new_rows[subject], said or (UNEXPLAINED,))
    return Compared(part, change, (), tuple(changes), figures, comparable=bool(common) or not len(frames[0]))


def _programs(before: Run, after: Run) -> list[object]:
    return list(program_causes(before.manifest, after.manifest))


def _readers(run: Run) -> pd.DataFrame:
    return run.loop[run.loop["temperament"].astype(str) != ""]


def _by_subject(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    groups = frame.groupby(["driver", "policy"], observed=True, sort=False)
    return {f"{driver} {policy}": rows for (driver, policy), rows in groups}
