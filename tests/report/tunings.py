"""Tunings that tests look at in a page: a small one for real, and one of ten thousand transcripts that code makes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from harness.runs import life
from harness.runs.run import Run
from harness.tune.kind import TUNE
from harness.tune.settings import TuneSettings
from harness.tune.stops import PAIRS
from tests.report.recordings import conversation

HOSTILE = "x<", "script><img src=q onerror=alert(1)><!--.json"
"""A folder and a file in it, whose id then ends a script element."""


def write_tunable(folder: Path) -> Path:
    """Six recordings; each passes on names from both ends and from the middle of what it read."""
    for n in range(6):
        names = [f"ledger_{n}/q{n}-77{k}41.tab" for k in range(3)]
        pad = [f"line {k} of {n} says nothing that matters\n" * (20 + 15 * n) for k in range(4)]
        text = "".join(p + f"see {name}\n" for p, name in zip(pad, [*names, "the end"], strict=True))
        record = conversation(f"task-{n}", [text, "short", "y" * 900, "ok"], paths=["it", *names])
        place = folder.joinpath(*HOSTILE) if n == 0 else folder / f"run-{n}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(record), encoding="utf-8")
    return folder


def tuned(corpus: Path, results: Path, policy: str = "car") -> Run:
    return Run(life.run(TUNE, TuneSettings((str(corpus),), policy=policy, prices="gpt-5.4"), results))


class Grown(Run):
    """A run as if its corpus had ten thousand transcripts, and as many dependencies as a page may hold."""

    def __init__(self, run: Run, transcripts: int = 10_000) -> None:
        super().__init__(run.directory)
        ids = [f"recordings/of-a-long-name/session-{n:06d}-abcdef0123456789.jsonl" for n in range(transcripts)]
        self._tables = {name: run.table(name) for name in TUNE.tables}
        own = len(run.table("corpus"))
        whole = run.table("corpus").iloc[np.arange(transcripts) % own].reset_index(drop=True)
        self._tables["corpus"] = whole.assign(
            transcript=pd.Categorical(ids), cluster=pd.Categorical([f"task-{n % 60}" for n in range(transcripts)])
        )
        tried = run.table("tried")
        at = np.concatenate([s * own + np.arange(transcripts) % own for s in range(len(tried) // own)])
        self._tables["tried"] = tried.iloc[at].assign(transcript=pd.Categorical(ids * (len(tried) // own)))
        self._tables["needs"] = pd.concat([_needs(int(n), ids) for n in run.table("stops")["ladder"].unique()])


def _needs(ladder: int, ids: list[str]) -> pd.DataFrame:
    """One source a dependency, twelve a request, none like another."""
    rng, n = np.random.default_rng(ladder), np.arange(PAIRS)
    head, tail = rng.integers(1, 30_000, (2, PAIRS))
    columns: dict[str, Any] = {
        "ladder": ladder, "transcript": pd.Categorical.from_codes(n // 12, ids), "request": n % 7 + 1,
        "dependency": n % 12 + 1, "state": pd.Categorical(rng.choice(["lost", "reachable"], PAIRS)),
        "size": head + tail, "head": head, "tail": tail, "fits": head + tail,
    }  # fmt: skip
    return pd.DataFrame(columns).assign(request=n // 12 % 7 + 1)
