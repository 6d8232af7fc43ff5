"""What a notebook imports.

from harness.api import read_transcripts, replay
run = replay(["my-sessions"], policies=["head:bytes=2000", "car"])
run.transcripts.groupby("policy", observed=True).input_tokens.sum()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.after.kind import AFTER
from harness.after.settings import AfterSettings
from harness.arms.kind import ARMS
from harness.arms.settings import ArmsSettings
from harness.formats import corpus
from harness.formats.corpus import Intake
from harness.replay.kind import REPLAY
from harness.replay.sections.risk import Risk, at_risk
from harness.replay.settings import DEFAULT_POLICIES, ReplayHow, ReplaySettings
from harness.runs import life
from harness.runs.run import Run
from harness.transcript import Transcript

__all__ = ["Intake", "Risk", "Run", "after", "arms", "at_risk", "read_transcripts", "replay"]


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


def listed(paths: str | Path | Iterable[str | Path]) -> list[str | Path]:
    """One path or several as a list; a text is one path, not its letters."""
    return [paths] if isinstance(paths, str | Path) else list(paths)
