"""The verdicts of all nights, as they were kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from harness.errors import HarnessError
from harness.runs.groups import read_groups, read_json, write_whole
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.seal import check_seal, sealed

FOLDER = "verdicts"
AGAIN = "restore it from a copy, or move it away: its night then counts as no regression"


def keep(results: Path, group: str, record: dict[str, Any]) -> None:
    """Write the verdict on a group, whole or not at all, with its seal."""
    data = orjson.dumps(sealed({"schema": SCHEMA_VERSION} | record), option=orjson.OPT_INDENT_2) + b"\n"
    write_whole(results / FOLDER / f"{group}.json", data)


def verdicts(results: Path, suite: str = "") -> list[dict[str, Any]]:
    """The records of all verdicts, oldest first. Raises `HarnessError` for one that is not what was kept."""
    numbers = {g.name: g.number for g in read_groups(results, suite)}
    found = [_read(place) for place in (results / FOLDER).glob("*.json") if place.stem in numbers]
    return sorted(found, key=lambda record: numbers[record["group"]])


def _read(place: Path) -> dict[str, Any]:
    record = read_json(place)
    if not isinstance(record, dict):
        raise HarnessError(f"{place}: damaged (not an object); {AGAIN}")
    check_seal(record, place, AGAIN)
    return record
