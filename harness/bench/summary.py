"""Everything that a run of engines says, put together from its tables: for the terminal, a program, a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import pandas as pd

from harness.bench.interleave import Ratio, time_ratio
from harness.bench.rates import Rates, rates, rates_by
from harness.bench.throughput import claimed, table, times
from harness.runs.run import Run


@dataclass(frozen=True)
class BenchSummary:
    """Parts are computed when first asked for."""

    run: Run

    @property
    def live(self) -> list[str]:
        """The engines that ran, and were not read from a recording."""
        return [e["label"] for e in self.run.manifest["engines"] if e["identity"]["live"]]

    @cached_property
    def rates(self) -> dict[str, Rates]:
        """By engine."""
        return {engine: rates(part) for engine, part in self._by_engine()}

    def rates_by(self, column: str) -> dict[str, dict[str, Rates]]:
        """By engine and by a column of the turns: `family`, `case`, `policy`, `hidden`, `band`."""
        return {engine: dict(rates_by(part, column)) for engine, part in self._by_engine()}

    @cached_property
    def throughput(self) -> pd.DataFrame:
        return table(self.run.engine)

    @cached_property
    def times(self) -> pd.DataFrame:
        """Loading a recording says nothing of the engine that wrote it."""
        return times(self.run.engine, self.run.starts[self.run.starts["engine"].isin(self.live)])

    @cached_property
    def claims(self) -> pd.DataFrame:
        return claimed(self.run.engine)

    @cached_property
    def ratios(self) -> list[Ratio]:
        """Every engine against every one named before it."""
        found = (time_ratio(self.run.engine, later, earlier) for earlier, later in combinations(self.run.engines, 2))
        return [ratio for ratio in found if ratio is not None]

    @cached_property
    def memory(self) -> dict[str, dict[str, float | None]]:
        """By engine, in MB: peak above the baseline, and what loading alone took; None where the system does not
        say, and for recordings."""
        found: dict[str, dict[str, float | None]] = {}
        for engine in self.run.engines:
            if engine not in self.live:
                found[engine] = {"peak": None, "loaded": None}
                continue
            peaks = self.run.stretches.loc[self.run.stretches["engine"] == engine, "peak_bytes"].max()
            loaded = self.run.starts.loc[self.run.starts["engine"] == engine, "loaded_bytes"].max()
            found[engine] = {
                "peak": None if pd.isna(peaks) else float(peaks) / 1e6,
                "loaded": None if pd.isna(loaded) else float(loaded) / 1e6,
            }
        return found

    @cached_property
    def contradicted(self) -> dict[str, dict[str, int]]:
        """By engine: claims that the clock or the system contradict, and on how many turns that were not contended."""
        found = {}
        for engine, part in self._by_engine():
            claims = part.loc[quiet(part), "contradicted"].fillna("").astype("str").str.split("+").explode()
            found[engine] = {str(name): int(n) for name, n in claims[claims != ""].value_counts().items()}
        return found

    @cached_property
    def quiet_turns(self) -> dict[str, int]:
        """By engine: turns that were not contended, as far as it can be told; only there a clock is a witness."""
        return {engine: int(quiet(part).sum()) for engine, part in self._by_engine()}

    @cached_property
    def contended(self) -> dict[str, tuple[int, int, int]]:
        """By engine: contended stretches, stretches of which it cannot be told, all."""
        found = {}
        for engine in self.run.engines:
            marks = self.run.stretches.loc[self.run.stretches["engine"] == engine, "contended"]
            found[engine] = (int(marks.fillna(False).sum()), int(marks.isna().sum()), len(marks))
        return found

    @property
    def harness_share(self) -> float | None:
        """The harness's own CPU time outside of engine calls, as a share of the wall time; None if no engine ran."""
        wall = self.run.manifest["wall_seconds"] if self.live else 0.0
        return self.run.manifest["harness_cpu_seconds"] / wall if wall else None

    @property
    def harness_seconds(self) -> tuple[float, float]:
        """That time while the engines ran, and to judge the turns afterwards."""
        judging = self.run.manifest.get("judging_cpu_seconds", 0.0)
        return self.run.manifest["harness_cpu_seconds"] - judging, judging

    def _by_engine(self) -> Iterator[tuple[str, pd.DataFrame]]:
        for engine in self.run.engines:
            part = self.run.engine[self.run.engine["engine"] == engine]
            if len(part):
                yield engine, part


def quiet(turns: pd.DataFrame) -> pd.Series:
    """Which turns were not in a contended stretch."""
    return ~turns["contended"].fillna(False).astype("bool")
