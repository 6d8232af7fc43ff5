"""A grid as a kind of run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from harness.errors import HarnessError
from harness.grid.rows import TABLES
from harness.grid.settings import GridSettings
from harness.runs.kind import Going, Kind, Record, Rows


class Grid(Kind[GridSettings]):
    name = "grid"
    help = """Engines over prompt sizes and settings.

    Prefill, decode by depth, first token, times between tokens, cold and warm starts, memory, energy."""
    settings = GridSettings
    tables = TABLES
    unit = "pass"
    part = "harness.grid.sections.part:GridPart"

    def check(self, settings: GridSettings) -> None:
        if not [spec for spec in settings.specs() if spec.name != "recorded"]:
            raise HarnessError("a recording has one size, and was made before: name an engine that runs")

    def work(self, settings: GridSettings, going: Going) -> Iterator[Record]:
        from harness.grid.runner import work

        return work(settings, going)

    def rows(self, settings: GridSettings, records: list[Record]) -> tuple[Rows, Record]:
        order = {spec.label: place for place, spec in enumerate(settings.specs())}
        own = sorted((r for r in records if r["kind"] != "run"), key=lambda r: (order[r["engine"]], r["number"]))
        turns = [{"engine": r["engine"], **turn} for r in own for turn in r.get("turns", ())]
        starts = [{"engine": r["engine"], "start": r["number"], **s} for r in own for s in r.get("starts", ())]
        turns.sort(key=lambda t: (order[t["engine"]], t["what"], t["prompt"], t["repetition"], t["number"]))
        identities = {r["engine"]: r["identity"] for r in own if r.get("identity")}
        names = chain(order)
        return {"grid": turns, "grid_starts": starts}, {
            "engines": [{"label": label, "identity": identities.get(label)} for label in names]
        }


GRID = Grid()
