"""The ratio of two engines that ran in turn: it finds a planted factor, and finds none where there is none."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from pathlib import Path

import pandas as pd
import pytest

from harness.bench.interleave import time_ratio
from harness.bench.record import rows_of_task
from harness.bench.rows import Judge
from harness.bench.runner import Bench, Done
from harness.bench.settings import BenchSettings
from tests.bench.fake import Clock, FakeEngine, lines, task, world

A, B = "command:run=a", "command:run=b"


def measured(folder: Path, factor: float, seed: int) -> pd.DataFrame:
    """Eight repetitions of six turns on a machine whose speed wanders, with noise of 20 % and a stalled turn."""
    path = folder / "tasks.jsonl"
    path.write_text(lines([task(f"t{n}", f"hall {n}") for n in range(6)]), encoding="utf-8")
    clock = Clock()
    draw = random.Random(seed)
    engines = {
        A: FakeEngine(A, clock, 0.1, 0.2, random=random.Random(draw.random())),
        B: FakeEngine(B, clock, 0.1 * factor, 0.2, random=random.Random(draw.random())),
    }
    settings = BenchSettings((A, B), (str(path),), repetitions=8, stretch=3)
    whole = Bench(settings, world(clock, engines), Done(defaultdict(set), Counter()))
    tasks = settings.read()
    judge, by_id = Judge(), {task.id: task for task in tasks}
    done = [record for record in whole.run(tasks) if record["kind"] == "task"]
    return pd.DataFrame([row for record in done for row in rows_of_task(record, by_id[record["task"]], judge)])


@pytest.mark.parametrize("factor", [1.0, 1.3])
def test_the_interval_holds_the_factor_in_at_least_17_of_20_experiments(factor: float, tmp_path: Path) -> None:
    held = 0
    for seed in range(20):
        folder = tmp_path / str(seed)
        folder.mkdir()
        ratio = time_ratio(measured(folder, factor, seed), B, A)
        assert ratio is not None
        assert ratio.interval is not None
        assert (ratio.turns, ratio.pairs) == (48, 16)
        assert ratio.interval[1] / ratio.interval[0] < 1.5
        held += ratio.interval[0] <= factor <= ratio.interval[1]
    assert held >= 17


def turns(own: list[float], other: list[float | None]) -> pd.DataFrame:
    """A stretch a turn."""
    rows = []
    for number, pair in enumerate(zip(own, other, strict=True)):
        for engine, seconds in zip((A, B), pair, strict=True):
            key = {"task": f"t{number}", "turn": 1, "repetition": 1, "stretch": 2 * number + (engine == B)}
            rows.append(key | {"engine": engine, "seconds": seconds})
    return pd.DataFrame(rows)


def test_one_stalled_stretch_moves_nothing() -> None:
    found = time_ratio(turns([1.0] * 9, [2.0] * 8 + [900.0]), B, A)
    assert found is not None
    assert found.ratio == pytest.approx(2.0)
    assert found.interval == pytest.approx((2.0, 2.0))


def test_few_pairs_have_no_interval_and_failed_turns_no_part() -> None:
    found = time_ratio(turns([1.0] * 6, [3.0] * 5 + [None]), B, A)
    assert found is not None
    assert (found.turns, found.pairs, found.interval) == (5, 5, None)
    assert found.ratio == pytest.approx(3.0)
    assert time_ratio(turns([1.0], [None]), B, A) is None
