"""A kind of run. One object a kind says what tells it from the others; everything else is here once.

    class Wait(Kind[WaitSettings]):
        name = "wait"
        help = "Wait, and say for how long."
        settings = WaitSettings
        tables = {"waits": WAITS}

        def work(self, settings, going):
            done = {record["task"] for record in going.records()}
            for task in set(settings.tasks) - done:
                yield {"kind": "waited", "task": task, "seconds": ...}

        def rows(self, settings, records):
            return {"waits": [r for r in records if r["kind"] == "waited"]}, {}

From such an object come the command, the table of a suite, resuming, the report, `list`, compare, history, the night
and the citation. `docs/add-a-kind.md` walks through one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, cast

from harness.runs.schema import Column
from harness.runs.schema import Kind as Grade
from harness.settings import Nothing, Settings

if TYPE_CHECKING:
    from harness.report.part import Part
    from harness.runs.run import Run

S = TypeVar("S", bound=Settings)
Record = dict[str, Any]
Rows = Mapping[str, Iterable[Mapping[str, Any]]]
Better = Literal["lower", "higher", "neither"]
Progress = Callable[[int, int | None], None]
"""Called with what is done and, where that is known, with all there is to do."""


def quiet(done: int, total: int | None) -> None:
    """Progress that nobody watches."""


def _nowhere(record: Record) -> None:
    """Where nobody keeps a journal."""


@dataclass(frozen=True)
class Forecast:
    """What a run would ask for. text: for a person, record: for a program. metered: whether it costs money. limited:
    whether there is a budget, or a person who said yes."""

    text: str
    record: Record
    metered: bool
    limited: bool
    dry: bool


@dataclass(frozen=True)
class Going:
    """A run that is being made, as its kind sees it.

    how: the kind's settings that change no figure. world: what stands for the world outside in a test, `None` for the
    real one. keep: puts a record into the journal at once, from any thread.
    """

    directory: Path
    how: Any
    progress: Progress
    now: Callable[[], float]
    world: Any = None
    keep: Callable[[Record], None] = _nowhere

    def records(self) -> Iterator[Record]:
        """What the journal holds already, the header first."""
        from harness.runs.journal import read_journal

        return (record for _, record in read_journal(self.directory))


@dataclass(frozen=True)
class Figure:
    """A figure of a finished run that `compare`, `history` and a night look at.

    subject: what it is a figure of, such as a policy or an engine. name: one of the kind's `better`. grade: `measured`
    ones are exact, so that any change has a cause; `live` ones vary, and are judged over nights.
    """

    subject: str
    name: str
    value: float
    unit: str = ""
    grade: Grade = "live"


@dataclass(frozen=True)
class Kind(Generic[S]):
    """name: of the command and of a suite's tables. help: of the command; its first line stands in lists. settings:
    everything that changes a figure. how: settings that change none, such as the number of processes. judging: keys of
    a suite's table that say how a night judges it. tables: name to columns, each a Parquet file of a run. named: the
    tables whose names are masked before any is printed, in their order; all if empty. compared: the tables that its
    figures need, which a baseline keeps; all if empty. better: its figures, and which way is better; none is judged
    where it is `neither`. timings: those of them that are times or rates. looks_itself: it finds out by
    itself, file by file, whether what it reads changed since a run was interrupted. unit: of the progress. part:
    `module:class` of its part of a report (`harness.report.part.Part`)."""

    name: ClassVar[str]
    help: ClassVar[str]
    settings: ClassVar[type[Settings]]
    how: ClassVar[type[Settings]] = Nothing
    judging: ClassVar[type[Settings]] = Nothing
    tables: ClassVar[Mapping[str, tuple[Column, ...]]]
    named: ClassVar[tuple[str, ...]] = ()
    compared: ClassVar[tuple[str, ...]] = ()
    better: ClassVar[Mapping[str, Better]] = {}
    timings: ClassVar[frozenset[str]] = frozenset()
    looks_itself: ClassVar[bool] = False
    unit: ClassVar[str] = "it"
    part: ClassVar[str]

    def check(self, settings: S) -> None:
        """Every name that the settings hold, looked up before work begins; no file is opened. Raises `HarnessError`."""

    def check_judging(self, settings: S, judging: Any) -> None:
        """The same for what a suite says of how a night judges."""

    def forecast(self, settings: S, how: Any) -> Forecast | None:
        """What it would ask of whom at what price, where that costs money or is asked for; else None."""
        return None

    def work(self, settings: S, going: Going) -> Iterator[Record | bytes]:
        """The records of what is not done yet, one a finished piece of work (or its JSON as bytes); each is in the
        journal, safe from whatever comes, before the next is asked for."""
        raise NotImplementedError

    def rows(self, settings: S, records: list[Record]) -> tuple[Rows, Record]:
        """The rows of every table, sorted so that they do not depend on how the work went, and what the manifest says
        beside them. records: the journal, its header first."""
        raise NotImplementedError

    def finish(self, settings: S, going: Going) -> tuple[dict[str, int], Record]:
        """Write the tables; their row counts, and what the manifest says. Where the rows fit into memory, `rows` is all
        that a kind gives."""
        from harness.runs.tables import write_rows

        tables, facts = self.rows(settings, list(going.records()))
        counts = {name: write_rows(going.directory, name, self.tables[name], rows) for name, rows in tables.items()}
        return counts, facts

    def limited(self, settings: S, limit: int) -> S:
        """The settings with only so many tasks; the same where it has none."""
        return settings

    def empty(self, run: Run) -> str:
        """Why there is nothing to report of a run, and what to do; empty where there is something."""
        return ""

    def figures(self, run: Run) -> Iterable[Figure]:
        """What `compare`, `history` and a night look at."""
        return ()

    def report(self, run: Run, place: str = "", show_secrets: bool = False) -> Part:
        """Its part of a report."""
        module, _, name = self.part.partition(":")
        return cast("Part", getattr(import_module(module), name)(run, place, show_secrets))
