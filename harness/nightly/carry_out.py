"""Carrying a suite out: every part is a run of its own, kept together by a group that is written last.

Whatever ends it, the same command goes on: finished parts are kept, a part that was cut off is resumed from its
journal. What is on disk tells which those are: a run that was not there before, with the part's own settings.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from harness.errors import HarnessError
from harness.nightly.read import Part, Suite
from harness.runs import life
from harness.runs.directory import list_runs
from harness.runs.groups import FOLDER, Group, new_name, read_groups, read_json, write_group, write_whole
from harness.runs.journal import read_journal
from harness.runs.kinds import kind_named
from harness.runs.manifest import code_digest
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.seal import check_seal, sealed
from harness.settings import declared

Say = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """limit: only so many tasks of each bench file and of each loop (recordings are always replayed whole, since half a
    corpus is another one). shuffle: a seed for the order of the parts. only: names of the parts that were asked for."""

    jobs: int = 1
    limit: int | None = None
    shuffle: int | None = None
    only: tuple[str, ...] = ()

    @property
    def partial(self) -> str:
        said = [f"--only {name}" for name in self.only]
        return " ".join(said + ([f"--limit {self.limit}"] if self.limit is not None else []))


def _quiet(_: str) -> None:
    pass


def carry_out(suite: Suite, results: Path, options: Options, say: Say = _quiet, world: Any = None) -> Group:
    """Carry out every part that is a run, or what an interrupted carrying out of the same suite by the same program
    left to do."""
    parts = list(suite.parts)
    if options.shuffle is not None:
        random.Random(options.shuffle).shuffle(parts)
    asked = {"suite": suite.sha256, "code": code_digest(), "partial": options.partial}
    begun = _begin(results, suite.name, asked, world, say)
    if group := next((g for g in read_groups(results, suite.name) if g.name == begun["group"]), None):
        return group
    claimed: set[str] = set(begun["known"])
    runs: dict[str, str] = {}
    for part in parts:
        say(f"{part.kind} {part.name}")
        directory = run_part(part, results, options, claimed, world, say)
        claimed.add(directory.name)
        runs[part.name] = directory.name
    ordered = {part.name: runs[part.name] for part in suite.parts}
    group = Group(
        suite=suite.name,
        name=begun["group"],
        number=1 + max((g.number for g in read_groups(results)), default=0),
        started=begun["started"],
        finished=clock_of(world)(),
        runs=ordered,
        commit=commit_here(),
        code=code_digest(),
        suite_sha256=suite.sha256,
        partial=options.partial,
    )
    write_group(results, group)
    return group


def settled(results: Path, suite: str) -> None:
    """Nothing is left to do with the last group; until this is said, `carry_out` returns that group again."""
    _begun_place(results, suite).unlink(missing_ok=True)


def run_part(part: Part, results: Path, options: Options, claimed: set[str], world: Any, say: Say) -> Path:
    """One part: the finished run that an interruption left, or the rest of an unfinished one, or a new one.

    claimed: names of the runs that are none of ours.
    """
    kind = kind_named(part.kind)
    settings = part.settings if options.limit is None else kind.limited(part.settings, options.limit)
    how = kind.how(**{field.name: options.jobs for field, _, _ in declared(kind.how) if field.name == "jobs"})
    left = _left_by_interruption(results, kind.name, settings.to_record(), claimed)
    if left is None:
        return life.run(kind, settings, results, how, clock=clock_of(world), world=world)
    say(f"  goes on with {left.name}")
    return life.resume(kind, left, how, clock=clock_of(world), world=world)


def clock_of(world: Any) -> Callable[[], float]:
    """The clock of a world that stands for the real one."""
    return world.now if world else time.time


def _left_by_interruption(results: Path, command: str, settings: dict[str, Any], claimed: set[str]) -> Path | None:
    wanted = orjson.loads(orjson.dumps(settings))
    for directory in list_runs(results):
        if directory.name in claimed:
            continue
        header = next(read_journal(directory), (0, {}))[1]
        if header.get("command") == command and header.get("settings") == wanted:
            return directory
    return None


def _begun_place(results: Path, suite: str) -> Path:
    return results / FOLDER / f".{suite}.begun.json"


def _begin(results: Path, suite: str, asked: dict[str, str], world: Any, say: Say) -> dict[str, Any]:
    """What an interrupted carrying out wrote when it began, or a new one of these."""
    place = _begun_place(results, suite)
    if place.exists():
        begun = _begun(place)
        if begun.get("asked") == asked:
            say("going on with what was interrupted")
            return begun
        say("what was interrupted was of another suite or program, or is damaged: begun anew")
    started = clock_of(world)()
    begun = {
        "schema": SCHEMA_VERSION,
        "asked": asked,
        "started": started,
        "group": new_name(results, suite, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(started))),
        "known": [r.name for r in list_runs(results)],
    }
    write_whole(place, orjson.dumps(sealed(begun)))
    return begun


def _begun(place: Path) -> dict[str, Any]:
    try:
        begun = read_json(place)
        if not isinstance(begun, dict):
            return {}
        check_seal(begun, place)
    except HarnessError:
        return {}
    return begun


def commit_here() -> str | None:
    """The commit that is checked out in the working folder; `None` outside of a repository."""
    try:
        done = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, encoding="utf-8", timeout=30)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
