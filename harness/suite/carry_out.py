"""Carrying a suite out: every part is a run of its own, kept together by a group file that is written last.

results/groups/<suite>-<UTC>.json     {"suite": ..., "runs": {part: run directory}, ...}
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from harness.bench.runner import bench
from harness.bench.settings import BenchSettings
from harness.errors import HarnessError
from harness.replay.runner import replay
from harness.results.manifest import code_digest, git_state
from harness.results.tables import sync
from harness.suite.read import Part, Suite

FOLDER = "groups"


@dataclass(frozen=True)
class Group:
    """The runs of one carrying out. runs: by part, the run's directory name."""

    suite: str
    name: str
    started: float
    finished: float
    runs: dict[str, str]
    commit: str | None
    code: str
    suite_sha256: str

    def to_record(self) -> dict[str, Any]:
        return dict(vars(self))


def carry_out(
    suite: Suite,
    results: Path,
    jobs: int = 1,
    limit: int | None = None,
    shuffle: int | None = None,
    say: Callable[[str], None] = lambda _: None,
    clock: Callable[[], float] = time.time,
) -> Group:
    """Run every part. limit: only so many tasks of each bench file (recordings are always replayed whole, since half a
    corpus is another one). shuffle: a seed for the order of the parts."""
    parts = list(suite.parts)
    if shuffle is not None:
        random.Random(shuffle).shuffle(parts)
    started = clock()
    runs: dict[str, str] = {}
    for part in parts:
        say(f"{part.kind} {part.name}")
        runs[part.name] = _run(part, results, jobs, limit).name
    ordered = {part.name: runs[part.name] for part in suite.parts}
    state = git_state()
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(started))
    group = Group(
        suite.name, f"{suite.name}-{stamp}", started, clock(), ordered, state["commit"], code_digest(), suite.sha256
    )
    write_group(results, group)
    return group


def _run(part: Part, results: Path, jobs: int, limit: int | None) -> Path:
    if isinstance(part.settings, BenchSettings):
        return bench(part.settings if limit is None else replace(part.settings, first=limit), results)
    return replay(part.settings, results, jobs)


def write_group(results: Path, group: Group) -> Path:
    """Write the group file, whole or not at all."""
    folder = results / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{group.name}.json"
    beside = folder / f".{group.name}.part"
    beside.write_bytes(orjson.dumps(group.to_record(), option=orjson.OPT_INDENT_2) + b"\n")
    sync(beside)
    beside.replace(path)
    return path


def read_groups(results: Path, suite: str) -> list[Group]:
    """The groups of a suite, oldest first. A damaged file is a `HarnessError` that names it."""
    found = []
    for path in sorted((results / FOLDER).glob("*.json")):
        try:
            record = orjson.loads(path.read_bytes())
            group = Group(**record)
        except (orjson.JSONDecodeError, TypeError) as error:
            raise HarnessError(f"{path}: damaged ({error}); move it away and run again") from None
        if group.suite == suite:
            found.append(group)
    return sorted(found, key=lambda g: g.started)
