"""The worst turns, with what the engine wrote, word for word, and where to find task and envelope."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pandas as pd

from harness.bench.settings import BenchSettings
from harness.bench.task import Task
from harness.bench.tasks import read_places
from harness.engines.envelope import TurnState
from harness.engines.raw import unpack
from harness.errors import HarnessError
from harness.report.table import Column, Quote, Table
from harness.report.units import NAME, PROPORTION
from harness.runs.journal import read_journal

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

OF_A_KIND = 3
SHOWN = 2000
SCANNED = 20_000
KINDS = {
    "passed": "wrong, and the engine's own check passed it",
    "failed": "failed",
    "needless": "a call where none is right",
    "wrong": "wrong calls",
    "silent": "no call where one is needed",
    "stopped": "right, and the engine's own check flagged it or held it back",
}


READ = (
    *("engine", "task", "turn", "state", "failure", "detail"),
    *("calls", "confidence", "needs_call", "right"),
)


@dataclass(frozen=True)
class Turn:
    """engine, task, turn: which it is, as the run has it. kind: what is bad about it. row: of the printable run."""

    key: tuple[str, str, int]
    kind: str
    row: dict[str, Any]


def section(part: Engines) -> Table | None:
    turns = list(worst(part))
    if not turns:
        return None
    places = Places(part, turns)
    rows, quotes = [], []
    for number, turn in enumerate(turns, 1):
        row, found = turn.row, places.find(turn.key)
        title = f"{row['task']}/{row['turn']}, {row['engine']}: {KINDS[turn.kind]}"
        quotes.append(Quote(part.anchor(f"turn-{number}"), title, places.text(turn.key, found, row)))
        record = {"task": row["task"], "turn": row["turn"], "engine": row["engine"], "why": KINDS[turn.kind]}
        record |= {"state": row["state"], "confidence": row["confidence"], "task_at": found.task}
        record |= {"journal_at": found.journal, "envelope_bytes": found.size, "envelope": found.envelope}
        rows.append(record | {"_turn": f"{row['task']}/{row['turn']}"})
    return Table(
        "worst",
        "The worst turns",
        "live",
        f"Up to {OF_A_KIND} of a kind and engine, those with the highest confidence first, in the first repetition. "
        "Each is below with the raw envelope as the engine wrote it, secrets masked, of longer ones the first "
        f"{SHOWN:,} characters; the whole of it is in the run's journal at that byte.",
        COLUMNS,
        pd.DataFrame(rows),
        targets={n: quote.anchor for n, quote in enumerate(quotes)},
        quotes=tuple(quotes),
    )


COLUMNS = (
    Column("_turn", "turn", NAME),
    Column("engine", "engine", NAME),
    Column("why", "why"),
    Column("state", "state"),
    Column("task_at", "task", NAME),
    Column("journal_at", "envelope", NAME),
    Column("confidence", "confidence", PROPORTION),
)


def worst(part: Engines) -> Iterator[Turn]:
    """By engine and kind."""
    whole = part.whole.engine
    for engine in part.engines:
        first = part.first(engine)[list(READ)]
        kinds = first.assign(kind=_kinds(first)).dropna(subset="kind")
        for kind in KINDS:
            own = kinds[kinds["kind"] == kind].sort_values(
                ["confidence", "task", "turn"], ascending=[False, True, True], na_position="last"
            )
            for place, row in own.head(OF_A_KIND).iterrows():
                named: Any = whole.loc[int(str(place))]
                key = str(named["engine"]), str(named["task"]), int(named["turn"])
                yield Turn(key, kind, {str(name): value for name, value in row.items()})


def _kinds(turns: pd.DataFrame) -> pd.Series:
    state, calls = turns["state"].astype("str"), turns["calls"].fillna(0).astype("int64")
    right, needs = turns["right"].fillna(False).astype("bool"), turns["needs_call"].astype("bool")
    kinds = pd.Series(None, index=turns.index, dtype="object")
    kinds[right & state.isin([TurnState.FLAGGED, TurnState.WITHHELD]) & (calls > 0)] = "stopped"
    kinds[~right & (calls == 0) & needs] = "silent"
    kinds[~right & (calls > 0)] = "wrong"
    kinds[~right & (calls > 0) & ~needs] = "needless"
    kinds[~right & (state == TurnState.GROUNDED)] = "passed"
    kinds[state == TurnState.FAILED] = "failed"
    return kinds


@dataclass(frozen=True)
class Found:
    """task: file and line. journal: byte of the record, and which of its outcomes. envelope: clipped for display, its
    secrets masked. size: of the whole envelope, in bytes."""

    task: str
    journal: str
    envelope: str
    size: int


class Places:
    """Where the turns of a run come from: task files, as far as they are still what the run read, and the journal."""

    def __init__(self, part: Engines, turns: list[Turn]) -> None:
        self._part = part
        self._wanted = {turn.key[:2] for turn in turns}
        self._printable = part.run.printable  # type: ignore[attr-defined]
        self._masked = part.run.masked  # type: ignore[attr-defined]

    def find(self, key: tuple[str, str, int]) -> Found:
        engine, task, turn = key
        offset, outcomes = self._records.get((engine, task), (0, []))
        raw = unpack(outcomes[turn - 1]["envelope"]) if len(outcomes) >= turn else b""
        line, _ = self._tasks.get(task, ("not where the run read it", None))
        return Found(
            self._printable(line),
            f"journal.jsonl, byte {offset:,}, outcome {turn}",
            self.clipped(raw.decode("utf-8", "replace")),
            len(raw),
        )

    def text(self, key: tuple[str, str, int], found: Found, row: dict[str, Any]) -> str:
        """Everything about a turn that helps to judge it."""
        _, task = self._tasks.get(key[1], ("", None))
        lines = [f"task      {found.task}", f"envelope  {found.journal}, {found.size:,} bytes"]
        if task is not None:
            turn = task.turns[key[2] - 1]
            wanted = [{"name": call.name, "arguments": call.arguments} for call in turn.expected]
            lines.append(f"input     {self.clipped(turn.input, 500)}")
            lines.append(f"expected  {self.clipped(orjson.dumps(wanted).decode('utf-8'), 500)}")
        if row["failure"]:
            lines.append(f"failure   {row['failure']}: {row['detail']}")
        return "\n".join([*lines, "", found.envelope or "(the engine wrote nothing)"])

    def clipped(self, text: str, most: int = SHOWN) -> str:
        """Text for display, its secrets masked first, so that none is cut in two."""
        shown = self._masked(text[:SCANNED])
        if len(text) <= SCANNED and len(shown) <= most:
            return str(shown)
        return f"{shown[:most]}… (the first {most:,} of {len(text):,} characters)"

    @cached_property
    def _records(self) -> dict[tuple[str, str], tuple[int, list[dict[str, Any]]]]:
        """Of every task of an engine, in the first repetition: where its record is, and its outcomes."""
        first = int(self._part.whole.engine["repetition"].min())
        return {
            (record["engine"], record["task"]): (offset, record["outcomes"])
            for offset, record in read_journal(self._part.whole.directory)
            if record["kind"] == "task"
            and record["repetition"] == first
            and (record["engine"], record["task"]) in self._wanted
        }

    @cached_property
    def _tasks(self) -> dict[str, tuple[str, Task]]:
        manifest = self._part.whole.manifest
        settings = BenchSettings.from_record(manifest["settings"])
        try:
            if settings.digest() != manifest["tasks"]["sha256"]:
                return {}
            return {task.id: (line, task) for path in settings.tasks for line, task in read_places(Path(path))}
        except HarnessError:  # files that are gone, or were changed: the run can still be reported
            return {}
