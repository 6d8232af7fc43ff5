"""The verdicts of all nights, as they were kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.runs.groups import read_groups, read_json

FOLDER = "verdicts"


def verdicts(results: Path, suite: str = "") -> list[dict[str, Any]]:
    """The records of all verdicts, oldest first."""
    numbers = {g.name: g.number for g in read_groups(results, suite)}
    found = [read_json(place) for place in (results / FOLDER).glob("*.json") if place.stem in numbers]
    return sorted(found, key=lambda record: numbers[record["group"]])
