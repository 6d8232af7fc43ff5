"""A bench as a kind of run: engines measured on tasks, interleaved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from harness.bench.settings import BenchJudging, BenchSettings
from harness.errors import HarnessError
from harness.runs.engine_schema import ENGINE_TABLES
from harness.runs.kind import Going, Kind, Record


class Bench(Kind[BenchSettings]):
    name = "bench"
    help = """Measure engines on tasks, interleaved.

    How fast, how much memory, how often right and grounded; the report's path last."""
    settings = BenchSettings
    judging = BenchJudging
    tables = ENGINE_TABLES
    unit = "turn"
    part = "harness.bench.sections.part:Engines"

    def check(self, settings: BenchSettings) -> None:
        settings.specs()

    def check_judging(self, settings: BenchSettings, judging: BenchJudging) -> None:
        if judging.reference and judging.reference not in settings.engines:
            raise HarnessError(f"reference {judging.reference!r} must be one of its engines, as written there")
        if judging.reference and len(settings.engines) < 2:
            raise HarnessError("it has only its reference; name the engine to be judged too")

    def work(self, settings: BenchSettings, going: Going) -> Iterator[Record]:
        from harness.bench.runner import work

        return work(settings, going)

    def finish(self, settings: BenchSettings, going: Going) -> tuple[dict[str, int], Record]:
        from harness.bench.finish import finish

        return finish(settings, going)

    def limited(self, settings: BenchSettings, limit: int) -> BenchSettings:
        return replace(settings, first=limit)


BENCH = Bench()
