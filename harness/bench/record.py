"""The raw envelopes of a run, from its journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.engines.raw import unpack
from harness.results.journal import read_journal

TurnKey = tuple[str, str, int, int]
"""engine, task, number of the turn, repetition."""


def read_envelopes(directory: Path) -> Iterator[tuple[TurnKey, bytes]]:
    """Every raw envelope of a run, in the order in which they came; empty where the engine wrote nothing."""
    for _, record in read_journal(directory):
        if record["kind"] == "task":
            yield from _of_task(record)


def _of_task(record: dict[str, Any]) -> Iterator[tuple[TurnKey, bytes]]:
    for number, packed in enumerate(record["envelopes"], 1):
        yield (record["engine"], record["task"], number, record["repetition"]), unpack(packed)
