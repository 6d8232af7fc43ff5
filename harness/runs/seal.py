"""The seal of a run: SHA-256 of every file in the manifest, and of the manifest in itself.

What was changed after a run was made is refused by name and never gives another figure. The seal protects against
faults of disks and hands; who wants to forge a run can seal it anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from harness.errors import HarnessError

MANIFEST = "manifest.json"
FIRST_SEALED = 3
"""Schema number from which on every manifest has a seal."""
AGAIN = "restore it from a copy, or make the run again"


def sealed(contents: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its own seal, in place of any that it had."""
    bare = {key: value for key, value in contents.items() if key != "seal"}
    return bare | {"seal": _digest(bare)}


def check_seal(contents: Mapping[str, Any], place: Path, again: str = AGAIN) -> None:
    """Raises `HarnessError` for a document that is not what was sealed; older ones have no seal."""
    seal = contents.get("seal")
    if seal is None and contents.get("schema", 0) < FIRST_SEALED:
        return
    if seal != _digest({key: value for key, value in contents.items() if key != "seal"}):
        raise HarnessError(f"{place}: changed after it was written (its seal does not fit); {again}")


def _digest(bare: Mapping[str, Any]) -> str:
    """Over the document as JSON gives it back, keys sorted."""
    plain = orjson.loads(orjson.dumps(bare))
    return hashlib.sha256(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)).hexdigest()


def files_of(directory: Path) -> dict[str, str]:
    """SHA-256 by name of every file of a run but its manifest; hidden ones are no part of it."""
    return {name: digest_of(directory / name) for name in _names(directory)}


def _names(directory: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for file in sorted(files):
            name = (Path(folder) / file).relative_to(directory).as_posix()
            if not file.startswith(".") and name != MANIFEST:
                yield name


def digest_of(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_file(path: Path, files: Mapping[str, str] | None) -> None:
    """Raises `HarnessError` if a file of a run is not what its manifest says. files: the manifest's, `None` in an older
    one."""
    if files is None:
        return
    state = path.stat()
    if files.get(path.name) != _known_digest(path, state.st_mtime_ns, state.st_size, state.st_ino):
        raise HarnessError(f"{path}: changed after the run was made (its SHA-256 is another); {AGAIN}")


@lru_cache(maxsize=256)
def _known_digest(path: Path, changed: int, size: int, inode: int) -> str:
    return digest_of(path)


@dataclass(frozen=True)
class Verified:
    """What `verify` found. files: how many were compared. faults: by name what is wrong. seal: empty for a run from
    before there were any. absent: files that are not kept here (a pinned baseline has no journal)."""

    run: str
    seal: str
    files: int
    faults: Mapping[str, str]
    absent: tuple[str, ...]


def verify(directory: Path) -> Verified:
    """Compare every file of a run with its manifest. Raises `HarnessError` where there is no manifest to compare with,
    or where it is damaged itself."""
    from harness.runs.manifest import read_manifest

    manifest = read_manifest(directory)
    files = manifest.get("files")
    if files is None:
        return Verified(directory.name, "", 0, {}, ())
    there = {name: directory / name for name in files if (directory / name).exists()}
    faults = {name: "its SHA-256 is another" for name, path in there.items() if digest_of(path) != files[name]}
    needed = {f"{name}.parquet" for name, rows in manifest.get("rows", {}).items() if rows}
    absent = tuple(name for name in files if name not in there)
    faults |= {name: "missing" for name in absent if name in needed and not manifest.get("pinned")}
    faults |= {name: "not of this run" for name in _names(directory) if name not in files}
    return Verified(directory.name, str(manifest["seal"]), len(there), faults, absent)
