"""A grid over engines whose speed is known: a clock that only moves when told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.bench.machine import UNKNOWN, Machine
from harness.bench.runner import World
from harness.cli import cli
from harness.engines.process import Started
from harness.engines.turn import Answer, Declared, EngineFailure, Identity, Tool, TurnInput
from harness.engines.usage import Usage
from harness.errors import HarnessError
from harness.grid import tables
from harness.grid.kind import GRID
from harness.grid.power import clock, energy, joules
from harness.grid.prompts import measured, prompt, words_for
from harness.grid.settings import GridSettings
from harness.runs import life
from harness.runs.run import Run
from harness.testing.kinds import check_kind


@dataclass
class Steady:
    """Two tokens a word and five around them, 1,000 tokens/s read, 100 written less one for every 10 tokens before."""

    window: int = 2000
    caches: bool = False
    slower: float = 0.0
    now: float = 1_000.0
    label: str = "tiny"
    running: bool = False
    peak: int = 0
    asked: list[str] = field(default_factory=list)

    def start(self) -> Started:
        self.running, self.peak = True, 50_000_000
        self.now += 0.5
        return Started(0.5, Identity("fake", "1", {"weights": "00"}), Usage(10_000_000, 0.0, 0))

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        return Declared(0.0, 0)

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        read = 2 * len(turn.input.split()) + 5
        if read > self.window:
            raise EngineFailure("overflow", f"{read} tokens do not fit into {self.window}")
        hit = self.caches and turn.input in self.asked
        self.asked.append(turn.input)
        self.peak = max(self.peak, 50_000_000 + 1000 * read)
        first = (1 if hit else read) / 1000
        rate = (100 - read / 10) * (1 - self.slower * (self.now - 1000) / 60)
        self.now += (seconds := first + (max_tokens - 1) / rate)
        gaps = [1000 / rate] * (max_tokens - 1)
        envelope = {"type": "respond", "success": True, "function_calls": [], "inter_token_ms": gaps}
        envelope |= {"prefill_tps": 1100.0, "decode_tps": rate}
        return Answer(json.dumps(envelope).encode(), seconds, first, 1 if hit else read, max_tokens, max_tokens)

    def reset(self) -> None: ...

    def pause(self) -> None: ...

    def go_on(self) -> None: ...

    def usage(self) -> Usage | None:
        return Usage(self.peak, 0.0, 0) if self.running else None

    def overhead(self) -> float:
        return 0.0

    def close(self) -> None:
        self.running = False

    def world(self) -> World:
        def look() -> Machine:
            raise AssertionError(f"nobody looks at the machine: {UNKNOWN}")

        return World(lambda spec, settings: self, look, lambda: self.now)


SETTINGS = GridSettings(("tiny",), prompts=(128, 512, 4096), turns=1, repetitions=2, starts=1, written=40)


def grid(folder: Path, engine: Steady, settings: GridSettings = SETTINGS) -> Run:
    return Run(life.run(GRID, settings, folder, world=engine.world()))


def test_known_speeds_are_found(tmp_path: Path) -> None:
    small, large, beyond = tables.cells(grid(tmp_path, Steady()).table("grid"))
    assert (small["tokens"], large["tokens"]) == (pytest.approx(128, abs=2), pytest.approx(512, abs=2))
    assert small["prefill"] == pytest.approx(1000)
    assert large["decode"] == pytest.approx(100 - large["tokens"] / 10)
    assert large["gap_p50"] == pytest.approx(1000 / large["decode"], abs=0.01)
    assert large["gaps"] == 2 * 39
    assert (small["prefill_ratio"], small["decode_ratio"]) == (pytest.approx(1.1), pytest.approx(1.0))
    assert beyond["failure"] == "overflow"
    assert beyond["prefill"] is None


def test_memory_by_context(tmp_path: Path) -> None:
    (row,) = tables.memory(grid(tmp_path, Steady()).table("grid"))
    assert row["kb_a_token"] == pytest.approx(1.0, abs=0.1)
    assert row["least_mb"] == pytest.approx(40.14, abs=0.02)


@pytest.mark.parametrize(("caches", "served"), [(False, "no"), (True, "yes")])
def test_the_canary_finds_a_cache_and_no_cell_is_served_from_it(tmp_path: Path, caches: bool, served: str) -> None:
    turns = grid(tmp_path, engine := Steady(caches=caches)).table("grid")
    (row,) = tables.canaries(turns)
    assert (row["served"], row["pairs"]) == (served, 2)
    assert row["read_again"] == (1 if caches else row["read_first"])
    assert [c["prefill"] for c in tables.cells(turns)][:2] == [pytest.approx(1000)] * 2
    again = [text for text in set(engine.asked) if engine.asked.count(text) > 1]
    assert len([text for text in again if len(text.split()) > 100]) == 2, (
        "of long prompts only the canary is sent twice"
    )


def test_few_tokens_have_no_rate(tmp_path: Path) -> None:
    few = GridSettings(("tiny",), prompts=(16,), turns=1, repetitions=1, starts=0, written=8)
    (row,) = tables.cells(grid(tmp_path, Steady(), few).table("grid"))
    assert (row["prefill"], row["decode"]) == (None, None)


def test_minutes_on_end_have_their_slope(tmp_path: Path) -> None:
    long = GridSettings(("tiny",), prompts=(128,), turns=1, repetitions=1, starts=0, minutes=2.0)
    (even,) = tables.sustained(grid(tmp_path / "even", Steady(), long).table("grid"))
    (falling,) = tables.sustained(grid(tmp_path / "falling", Steady(slower=0.1), long).table("grid"))
    assert even["minutes"] == pytest.approx(2.0, abs=0.05)
    assert even["slope"] == pytest.approx(0.0, abs=0.01)
    assert falling["slope"] == pytest.approx(-10, abs=1.5)
    assert falling["slope_high"] < 0


def test_starts_are_cold_and_warm(tmp_path: Path) -> None:
    cold, warm = tables.starts(grid(tmp_path, Steady()).table("grid_starts"))
    assert (cold["start"], warm["start"], warm["load_seconds"]) == ("cold", "warm", 0.5)


def test_axes_multiply_the_engines() -> None:
    found = GridSettings(("tiny",), axes=("depth=1+2", "constrain=true+false")).specs()
    assert [spec.label for spec in found] == [
        "tiny:depth=1,constrain=true",
        "tiny:depth=1",
        "tiny:depth=2,constrain=true",
        "tiny:depth=2",
    ]
    with pytest.raises(HarnessError, match="no setting 'threads'"):
        GridSettings(("tiny",), axes=("threads=1+2",)).specs()
    with pytest.raises(HarnessError, match="write a setting and its values"):
        GridSettings(("tiny",), axes=("threads",)).specs()
    (raw,) = GridSettings(("llama:model=x.gguf",)).specs()
    assert raw.settings["raw"] is True


def test_rungs_go_by_the_size_of_the_file(tmp_path: Path) -> None:
    turns = grid(tmp_path, Steady()).table("grid")
    (row,) = tables.rungs(turns, {"tiny": 2_000_000})
    assert (row["file_mb"], row["prompt"]) == (2.0, 128)


def test_prompts_are_unique_from_the_first_word_on() -> None:
    first = {prompt(30, "a", n).split()[0] for n in range(40)}
    assert len(first) > 38
    assert prompt(30, "a", 1) == prompt(30, "a", 1)
    assert words_for(505, measured(lambda text: 2 * len(text.split()) + 5)) == 250
    assert words_for(300, measured(lambda text: None)) == 100


def test_counters_of_the_system(tmp_path: Path) -> None:
    package = tmp_path / "intel-rapl:0"
    package.mkdir()
    (tmp_path / "intel-rapl:0:0").mkdir()
    assert energy(tmp_path / "none") is None
    assert energy(tmp_path) is None
    for used in ("900", "100"):
        (package / "energy_uj").write_text(used, encoding="ascii")
        (package / "max_energy_range_uj").write_text("999", encoding="ascii")
        if used == "900":
            before = energy(tmp_path)
    assert joules(before, energy(tmp_path)) == pytest.approx(200e-6), "a counter that wrapped"
    assert joules(None, energy(tmp_path)) is None
    frequency = tmp_path / "cpu0" / "cpufreq"
    frequency.mkdir(parents=True)
    assert clock(tmp_path) is None
    (frequency / "scaling_cur_freq").write_text("2400000\n", encoding="ascii")
    assert clock(tmp_path) == 2400.0


def test_the_contract_of_a_kind() -> None:
    pytest.importorskip("needle_rs")
    run = check_kind(GRID, GridSettings(("tiny",), prompts=(32, 64), turns=1, repetitions=1, starts=1))
    assert run.kind is GRID


def test_it_is_asked_for_as_a_bench_too(tmp_path: Path) -> None:
    pytest.importorskip("needle_rs")
    asked = ["--engine", "tiny", "--prompt", "32", "--repetitions", "1", "--starts", "0", "--json"]
    places = ["--results", str(tmp_path / "r"), "--report-dir", str(tmp_path / "p")]
    found = CliRunner().invoke(cli, ["bench", "--grid", *asked, *places], catch_exceptions=False)
    assert found.exit_code == 0
    tables_: dict[str, Any] = json.loads(found.stdout)["tables"]
    assert {"cells", "canary", "rungs", "power"} <= set(tables_)


def test_a_recording_has_no_grid() -> None:
    with pytest.raises(HarnessError, match="name an engine that runs"):
        GRID.check(GridSettings(("recorded:path=x.jsonl",)))
