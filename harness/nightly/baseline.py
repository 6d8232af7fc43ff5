"""What a night is compared with: an accepted group, a folder pinned in the tree, or the nearest ancestor's run.

results/baseline/<suite>/baseline.json       the group, and the SHA-256 of every file below
results/baseline/<suite>/<part>/             manifest.json and the tables that a comparison needs
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from harness.errors import HarnessError
from harness.runs.annotations import Annotations
from harness.runs.groups import Group, read_groups, read_json, write_whole
from harness.runs.run import Run
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.seal import check_seal, sealed

PINNED = "baseline"
INDEX = "baseline.json"
AGAIN = "make a new one with harness nightly SUITE.toml --accept --why '…'"


@dataclass(frozen=True)
class Baseline:
    """chosen: how it came to be the baseline, for a reader. places: by part, the directory of its run."""

    group: Group
    chosen: str
    places: Mapping[str, Path]

    @property
    def name(self) -> str:
        return self.group.name

    def run(self, part: str) -> Run | None:
        """The part's run; `None` where the baseline has no such part."""
        return Run(self.places[part]) if part in self.places else None


def find_baseline(
    results: Path, suite: str, wanted: str, annotations: Annotations, failed: frozenset[str]
) -> Baseline | None:
    """wanted: a group, a pinned folder, `ancestor`, or empty for the accepted one, the pinned one, the nearest
    ancestor, whichever is first. failed: groups that were a regression, never taken unasked."""
    groups = {g.name: g for g in read_groups(results, suite) if not g.partial}
    if wanted and wanted != "ancestor":
        if wanted in groups:
            return _of_group(results, groups[wanted], "named in the suite")
        if (Path(wanted) / INDEX).exists():
            return read_pinned(Path(wanted))
        raise HarnessError(f"no baseline {wanted!r}: neither a group of {suite} nor a pinned folder; {AGAIN}")
    if not wanted:
        for name in reversed(annotations.accepted_groups(suite)):
            if name in groups and _whole(results, groups[name]):
                return _of_group(results, groups[name], "the accepted group")
        if (results / PINNED / suite / INDEX).exists():
            return read_pinned(results / PINNED / suite)
    good = [g for g in groups.values() if g.name not in failed | annotations.bad and _whole(results, g)]
    return _nearest(results, good)


def _of_group(results: Path, group: Group, chosen: str) -> Baseline:
    return Baseline(group, chosen, {part: results / name for part, name in group.runs.items()})


def _whole(results: Path, group: Group) -> bool:
    return all((results / name / "manifest.json").exists() for name in group.runs.values())


def _nearest(results: Path, groups: list[Group]) -> Baseline | None:
    by_commit = {g.commit: g for g in groups if g.commit}
    if not by_commit:
        return None
    try:
        with subprocess.Popen(
            ["git", "rev-list", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="ascii"
        ) as walk:
            assert walk.stdout is not None
            for distance, line in enumerate(walk.stdout):
                if group := by_commit.get(line.strip()):
                    walk.terminate()
                    return _of_group(results, group, f"the nearest ancestor with a run, {distance} commits back")
    except FileNotFoundError:
        return None
    return None


def pin(results: Path, group: Group) -> Path:
    """Put what a comparison needs of a group into `results/baseline/<suite>/`, whole or not at all."""
    folder = results / PINNED / group.suite
    beside, old = (folder.with_name(f".{folder.name}.{end}") for end in ("part", "old"))
    for leftover in (beside, old):
        shutil.rmtree(leftover, ignore_errors=True)
    digests: dict[str, str] = {}
    for part, run in group.runs.items():
        for name in _kept(Run(results / run)):
            source = results / run / name
            if source.exists():
                data = _of_no_machine(name, source.read_bytes())
                write_whole(beside / part / name, data)
                digests[f"{part}/{name}"] = hashlib.sha256(data).hexdigest()
    index = sealed({"schema": SCHEMA_VERSION, "group": group.to_record(), "files": digests})
    write_whole(beside / INDEX, orjson.dumps(index, option=orjson.OPT_INDENT_2) + b"\n")
    if folder.exists():
        folder.rename(old)
    beside.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
    return folder


def _of_no_machine(name: str, data: bytes) -> bytes:
    """What is committed with a project names no folder of the machine that it was made on."""
    if name != "manifest.json":
        return data
    manifest = {key: value for key, value in orjson.loads(data).items() if key != "cwd"}
    return orjson.dumps(sealed(manifest | {"pinned": True}), option=orjson.OPT_INDENT_2) + b"\n"


def _kept(run: Run) -> list[str]:
    """The files that a comparison needs."""
    return ["manifest.json", *(f"{name}.parquet" for name in run.kind.compared or run.kind.tables)]


def read_pinned(folder: Path) -> Baseline:
    """A pinned folder, every file checked. Raises `HarnessError` where one is missing or is not what was pinned."""
    place = folder / INDEX
    index = read_json(place)
    if isinstance(index, dict):
        check_seal(index, place, f"restore it (git checkout), or {AGAIN}")
    group = Group.from_record(index.get("group") if isinstance(index, dict) else None, place)
    for name, digest in index.get("files", {}).items():
        path = folder / name
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "missing"
        if found != digest:
            what = "missing" if found == "missing" else "not what was pinned (its SHA-256 differs)"
            raise HarnessError(f"{path}: {what}, so the baseline is corrupt; restore it (git checkout), or {AGAIN}")
    return Baseline(group, f"pinned in {folder}", {part: folder / part for part in group.runs})
