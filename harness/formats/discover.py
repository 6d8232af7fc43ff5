"""Agent sessions on this computer: where each tool keeps them, how many there are, how large and how new.

Only names, sizes and times of files are looked at, never what is in them. Links are followed, each folder once.

    harness discover
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from harness.formats.session_places import PLACES, Place


@dataclass(frozen=True, slots=True)
class Found:
    """Sessions of one tool in one place.

    format: of its reader; `None` where there is none, and `why` says so. path: what to hand to `harness inspect`.
    files: how many files of sessions lie there; a database counts as one. size: the bytes of all that belongs to them.
    newest: when the latest of them was written, in seconds since the epoch.
    """

    tool: str
    format: str | None
    path: Path
    files: int
    size: int
    newest: float
    why: str = ""


def discover(home: Path, environment: Mapping[str, str]) -> list[Found]:
    """The sessions in the usual places below `home`, by tool in a fixed order; places without sessions are left out,
    and so is one that is another under a second name."""
    found: list[Found] = []
    seen: set[tuple[Path, str]] = set()
    for place in PLACES:
        for root in _roots(place, home, environment):
            one = _look(place, root)
            if one is not None and (own := (one.path.resolve(), place.pattern)) not in seen:
                seen.add(own)
                found.append(one)
    return found


def _roots(place: Place, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    named = environment.get(place.variable, "") if place.variable else ""
    if named:
        yield from (Path(part.strip()) / place.below for part in named.split(",") if part.strip())
        return
    system = {
        "$data": environment.get("XDG_DATA_HOME") or str(home / ".local" / "share"),
        "$config": environment.get("XDG_CONFIG_HOME") or str(home / ".config"),
        "$apps": str(home / "Library" / "Application Support"),
        "$windows": environment.get("APPDATA") or str(home / "AppData" / "Roaming"),
    }
    for default in place.defaults:
        first, _, rest = default.partition("/")
        yield (Path(system[first]) / rest if first in system else home / default) / place.below


def _look(place: Place, root: Path) -> Found | None:
    every = _files(root) if place.pattern else {"": root}
    sessions = [path for name, path in every.items() if not place.pattern or fnmatchcase(name, place.pattern)]
    weighed = [path for name, path in every.items() if fnmatchcase(name, place.weighs)] if place.weighs else sessions
    files = sum(_status(path) is not None for path in sessions)
    stats = [status for path in weighed if (status := _status(path)) is not None]
    if not files or not stats:
        return None
    size, newest = sum(s.st_size for s in stats), max(s.st_mtime for s in stats)
    return Found(place.tool, place.format or None, root, files, size, newest, place.why)


def _files(root: Path) -> dict[str, Path]:
    """The files below a folder by their path in it; unreadable folders are passed over, and so is a folder that was
    entered already."""
    found: dict[str, Path] = {}
    entered: set[Path] = set()
    for folder, inner, names in os.walk(root, followlinks=True):
        place = Path(folder).resolve()
        if place in entered:
            inner.clear()
            continue
        entered.add(place)
        below = Path(folder).relative_to(root)
        found |= {(below / name).as_posix(): root / below / name for name in names}
    return found


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat() if file.is_file() else None
    except OSError:
        return None
