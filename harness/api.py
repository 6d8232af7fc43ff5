"""What a notebook imports.

from harness.api import read_transcripts, replay
run = replay(["my-sessions"], policies=["head:bytes=2000", "car"])
run.transcripts.groupby("policy", observed=True).input_tokens.sum()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.after.kind import AFTER
from harness.after.settings import AfterSettings
from harness.arms.kind import ARMS
from harness.arms.settings import ArmsSettings
from harness.decide.kind import DECIDE
from harness.decide.settings import DecideSettings
from harness.formats import corpus
from harness.formats.corpus import Intake
from harness.replay.kind import REPLAY
from harness.replay.sections.risk import Risk, at_risk
from harness.replay.settings import DEFAULT_POLICIES, ReplayHow, ReplaySettings
from harness.runs import life
from harness.runs.run import Run
from harness.transcript import Transcript
from harness.tune.kind import TUNE
from harness.tune.settings import TuneSettings

if TYPE_CHECKING:
    import pandas as pd

    from harness.report.part import Part

__all__ = [
    "Answer",
    "Intake",
    "Risk",
    "Run",
    "after",
    "arms",
    "at_risk",
    "decide",
    "read_transcripts",
    "replay",
    "tune",
]


def read_transcripts(
    paths: str | Path | Iterable[str | Path], intake: Intake | None = None, format: str | None = None
) -> Iterator[Transcript]:
    """The transcripts at or below `paths`, one at a time. Give an `Intake` to learn what was skipped or unreadable."""
    return corpus.read_transcripts([Path(p) for p in listed(paths)], Intake() if intake is None else intake, format)


def replay(
    paths: str | Path | Iterable[str | Path],
    policies: str | Sequence[str] = DEFAULT_POLICIES,
    results: str | Path = "results",
    jobs: int = 1,
    **settings: Any,
) -> Run:
    """Replay recordings under policies and return the finished run. Further settings are those of `ReplaySettings`."""
    chosen = ReplaySettings(
        tuple(map(str, listed(paths))), (policies,) if isinstance(policies, str) else tuple(policies), **settings
    )
    return Run(life.run(REPLAY, chosen, Path(results), ReplayHow(jobs)))


def after(paths: str | Path | Iterable[str | Path], results: str | Path = "results", **settings: Any) -> Run:
    """What agents did after a cut, a spill, a preview: the finished run, with the frames `results` and `transcripts`.
    Further settings are those of `AfterSettings`."""
    chosen = AfterSettings(tuple(map(str, listed(paths))), **settings)
    return Run(life.run(AFTER, chosen, Path(results)))


def arms(paths: Sequence[str], results: str | Path = "results", **settings: Any) -> Run:
    """Compare live runs: `["raw=raw.csv", "cut=cut.csv"]`, or one table of all arms. Further settings are those of
    `ArmsSettings`; `run.table("runs")` has a row a run."""
    return Run(life.run(ARMS, ArmsSettings(tuple(paths), **settings), Path(results)))


def tune(
    paths: str | Path | Iterable[str | Path],
    policy: str = "car",
    vary: Sequence[str] = (),
    results: str | Path = "results",
    **settings: Any,
) -> Answer:
    """The settings of a policy that cost least while enough stays visible. Further settings are those of
    `TuneSettings`, such as `evidence=0.95`, the floor."""
    chosen = TuneSettings(tuple(map(str, listed(paths))), tuple(vary), policy, **settings)
    return Answer(Run(life.run(TUNE, chosen, Path(results))))


def decide(
    a: str,
    b: str,
    paths: str | Path | Iterable[str | Path],
    results: str | Path = "results",
    jobs: int = 1,
    **settings: Any,
) -> Answer:
    """Which of two families of policies is better, and at which budget. Further settings are those of
    `DecideSettings`, such as `margin=2.0`, in points."""
    chosen = DecideSettings(a, b, tuple(map(str, listed(paths))), **settings)
    return Answer(Run(life.run(DECIDE, chosen, Path(results), ReplayHow(jobs))))


@dataclass(frozen=True)
class Answer:
    """What a run of `tune` or `decide` says."""

    run: Run

    @cached_property
    def record(self) -> dict[str, Any]:
        """Everything, as `--json` prints it."""
        return self._part.record()

    @property
    def headline(self) -> str:
        return str(self.record["headline"])

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The tables of its report by name. `frame.attrs["units"]` has the unit of every column that has one."""
        found = {}
        for table in self._part.tables():
            frame = table.frame.copy()
            frame.attrs["units"] = {key: column["unit"] for key, column in table.keys().items()}
            found[table.name] = frame
        return found

    @cached_property
    def _part(self) -> Part:
        return self.run.kind.report(self.run)


def listed(paths: str | Path | Iterable[str | Path]) -> list[str | Path]:
    """One path or several as a list; a text is one path, not its letters."""
    return [paths] if isinstance(paths, str | Path) else list(paths)
