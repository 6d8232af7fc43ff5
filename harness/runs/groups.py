"""The runs that one carrying out of a suite left, kept together by a file that is written last.

results/groups/<suite>-<UTC>.json     {"schema": 3, "suite": ..., "runs": {part: run directory}, ...}
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import orjson

from harness.errors import HarnessError
from harness.runs.journal import check_schema
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.seal import check_seal, sealed
from harness.runs.tables import sync

FOLDER = "groups"


@dataclass(frozen=True)
class Group:
    """number: in the order in which they were made, which a clock that goes backwards does not change. runs: by part,
    the run's directory name. partial: why it is not the whole suite, empty if it is. code: hash of the program."""

    suite: str
    name: str
    number: int
    started: float
    finished: float
    runs: dict[str, str]
    commit: str | None
    code: str
    suite_sha256: str
    partial: str = ""

    def to_record(self) -> dict[str, Any]:
        return sealed({"schema": SCHEMA_VERSION} | asdict(self))

    @classmethod
    def from_record(cls, record: Any, place: Path) -> Group:
        """Raises `HarnessError` for what is damaged or newer than this program."""
        if not isinstance(record, dict):
            raise HarnessError(f"{place}: damaged (not an object); move it away and run again")
        check_schema(record.get("schema"), place)
        check_seal(record, place, "move it away and run again")
        known = {f.name for f in fields(cls)}
        missing = known - record.keys() - {"partial"}
        if missing:
            raise HarnessError(f"{place}: damaged (no {', '.join(sorted(missing))}); move it away and run again")
        return cls(**{key: value for key, value in record.items() if key in known})


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(data)
    sync(beside)
    beside.replace(path)


def read_json(path: Path) -> Any:
    """Raises `HarnessError` for a damaged file."""
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise HarnessError(f"{path}: damaged ({error}); move it away and run again") from None


def write_group(results: Path, group: Group) -> Path:
    path = results / FOLDER / f"{group.name}.json"
    write_whole(path, orjson.dumps(group.to_record(), option=orjson.OPT_INDENT_2) + b"\n")
    return path


def read_groups(results: Path, suite: str = "") -> list[Group]:
    """The groups of a suite, or of all, in the order in which they were made."""
    places = [p for p in (results / FOLDER).glob("*.json") if not p.name.startswith(".")]
    found = [Group.from_record(read_json(place), place) for place in places]
    return sorted((g for g in found if not suite or g.suite == suite), key=lambda g: (g.number, g.name))


def new_name(results: Path, suite: str, stamp: str) -> str:
    """A name for a group that no other has."""
    name, number = f"{suite}-{stamp}", 2
    while (results / FOLDER / f"{name}.json").exists():
        name, number = f"{suite}-{stamp}-{number}", number + 1
    return name
