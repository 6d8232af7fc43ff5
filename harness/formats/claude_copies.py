"""Which lines of a Claude Code session were copied from another one.

A session that is resumed or forked begins with the lines of the one it continues, with their uuids and times
but under its own session id. Their requests are counted where they were made: in the session that held the
lines first, told from the recordings that lie in the same folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.formats.json_text import Unreadable, parse
from harness.formats.record import seconds_of
from harness.formats.source import Source

FIRST_LINES = 40


def copied_lines(source: Source) -> frozenset[str]:
    """The uuids of lines in this session that another one beside it held first."""
    if source.opener is not None or source.path.is_dir():
        return frozenset()
    first = _first_uuid(source.path)
    if first is None:
        return frozenset()
    folder = source.path.parent
    alike = [p for p in _sessions_by_first_line(folder, folder.stat().st_mtime_ns).get(first, ()) if p != source.path]
    above = [p for p in _sessions_around(source.path) if first.encode() in p.read_bytes()]
    if not alike and not above:
        return frozenset()
    own = dict(_lines(source.path))
    found: set[str] = set()
    for other in alike:
        shared = own.keys() & (theirs := dict(_lines(other))).keys()
        if _is_earlier(theirs, other.name, own, source.path.name, shared):
            found |= shared
    for session in above:
        found |= own.keys() & dict(_lines(session)).keys()
    return frozenset(found)


def _is_earlier(
    theirs: dict[str, float], their_name: str, own: dict[str, float], own_name: str, shared: set[str]
) -> bool:
    """Whether the shared lines are theirs. Of two sessions the earlier is the one that the other holds whole;
    if both went on, the one that went on earlier."""
    if len(shared) == len(theirs) != len(own):
        return True
    if len(shared) == len(own) != len(theirs):
        return False
    went_on = [
        min((time for uuid, time in lines.items() if uuid not in shared), default=0.0) for lines in (theirs, own)
    ]
    return (went_on[0], their_name) < (went_on[1], own_name)


def _sessions_around(path: Path) -> Iterator[Path]:
    """The session that a sub-agent's file belongs to (a sub-agent can begin with its parent's lines)."""
    if path.parent.name == "subagents":
        session = path.parent.parent.with_suffix(".jsonl")
        if session.is_file():
            yield session


@lru_cache(maxsize=4)
def _sessions_by_first_line(folder: Path, changed: int) -> dict[str, tuple[Path, ...]]:
    """The sessions in a folder by the uuid of their first line; `changed` is when the folder last did."""
    found: dict[str, tuple[Path, ...]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        uuid = _first_uuid(path) if path.is_file() else None
        if uuid is not None:
            found[uuid] = (*found.get(uuid, ()), path)
    return found


def _first_uuid(path: Path) -> str | None:
    """The uuid of the first line that has one and says something."""
    with path.open("rb") as stream:
        for _, line in zip(range(FIRST_LINES), stream, strict=False):
            record = _record(line)
            if isinstance(record.get("uuid"), str) and isinstance(record.get("message"), dict):
                return str(record["uuid"])
    return None


def _lines(path: Path) -> Iterator[tuple[str, float]]:
    """uuid and time of every line that has a uuid."""
    with path.open("rb") as stream:
        for line in stream:
            record = _record(line)
            if isinstance(record.get("uuid"), str):
                yield record["uuid"], seconds_of(record.get("timestamp")) or 0.0


def _record(line: bytes) -> dict[str, Any]:
    try:
        value = parse(line)
    except Unreadable:
        return {}
    return value if isinstance(value, dict) else {}
