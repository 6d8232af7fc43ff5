"""A comparison of arms as a kind of run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from harness.arms.rows import COSTS, PREDICTIONS, RUNS
from harness.arms.settings import ArmsSettings
from harness.runs.kind import Better, Figure, Going, Kind, Record, Rows
from harness.runs.run import Run


class ArmsKind(Kind[ArmsSettings]):
    name = "arms"
    help = """What live runs passed and what they cost.

    NAME=PATH names an arm by recordings, or by a table of its runs (CSV, Parquet); one table may hold all arms.
    The first arm is the one that the others are compared with: what passed, what it cost, what else differs."""
    settings = ArmsSettings
    tables = {"runs": RUNS, "predictions": PREDICTIONS}
    named = ("runs", "predictions")
    compared = ("runs",)
    better: ClassVar[Mapping[str, Better]] = {"passed": "higher", "score": "higher", **dict.fromkeys(COSTS, "lower")}
    timings = frozenset({"seconds"})
    unit = "arm"
    part = "harness.arms.sections.part:ArmsPart"

    def check(self, settings: ArmsSettings) -> None:
        settings.check()

    def work(self, settings: ArmsSettings, going: Going) -> Iterator[Record]:
        from harness.arms.read import read_arms

        if not any(record["kind"] == "arms" for record in going.records()):
            yield {"kind": "arms"} | read_arms(settings)

    def rows(self, settings: ArmsSettings, records: list[Record]) -> tuple[Rows, Record]:
        found = next(record for record in records if record["kind"] == "arms")
        rows = {name: found[name] for name in self.tables}
        return rows, {key: value for key, value in found.items() if key not in ("kind", *rows)}

    def figures(self, run: Run) -> Iterable[Figure]:
        from harness.arms.read import arms_of

        arms = arms_of(run, run.table("runs"))
        for name in arms.names:
            found: dict[str, Any] = {metric: arms.rate(name, metric) for metric in ("passed", "score")}
            found |= {metric: arms.mean(name, metric) for metric in COSTS}
            yield from (Figure(name, metric, value) for metric, value in found.items() if value is not None)


ARMS = ArmsKind()
