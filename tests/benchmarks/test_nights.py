"""Fifty nights, again and again: what is caught, missed and falsely raised, and how late.

Exact figures come from real replays of conversations, timings are resampled from recorded turns. `make bench`, or:

    python -m pytest -m benchmark -s tests/benchmarks/test_nights.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tabulate import tabulate

from harness.compare.engines import Judged
from harness.compare.measured import compare_measured
from harness.compare.steps import judge_series, levels, series_effect
from harness.replay.runner import replay
from harness.replay.settings import ReplaySettings
from harness.results.run import Run
from tests.compare.simulated import NEW, OLD, interleaved_night, night_value
from tests.suite.nights import add_transcript
from tests.suite.test_nightly import plant_constant

pytestmark = pytest.mark.benchmark
NIGHTS, PLANTED_AT, SERIES = 50, 25, 2
POLICIES = ("head:bytes=300", "swe_agent", "car")


def test_measured_figures_over_fifty_nights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, results = tmp_path / "rec", tmp_path / "results"
    for seed in range(3):
        add_transcript(folder, seed)
    settings = ReplaySettings((str(folder),), POLICIES)
    plain = [Run(replay(settings, results)) for _ in range(2)]
    tokenizer = Run(replay(replace(settings, tokens="openai-chat-3-3-cl100k"), results))
    with monkeypatch.context() as patch:
        plant_constant(patch)
        constant = Run(replay(settings, results))
    add_transcript(folder, 9)
    added = Run(replay(settings, results))
    planted = {"policy's constant": constant, "tokenizer": tokenizer, "transcript added": added, "nothing": plain[1]}
    cause = {
        "policy's constant": "policy: limit",
        "tokenizer": "tokenizer: ",
        "transcript added": "transcripts: 1 added",
    }
    rows = []
    for name, run in planted.items():
        seen = []
        for night in range(NIGHTS):
            tonight = run if night >= PLANTED_AT and name != "nothing" else plain[night % 2]
            found = compare_measured("rec", plain[0], tonight, {})
            named = all(c.causes[0].startswith(cause.get(name, "-")) for c in found.changes)
            seen.append(bool(found.changes) and named)
        expected = [night >= PLANTED_AT and name != "nothing" for night in range(NIGHTS)]
        caught = sum(s and e for s, e in zip(seen, expected, strict=True))
        false = sum(s and not e for s, e in zip(seen, expected, strict=True))
        missed = sum(expected) - caught
        delay = seen.index(True) - PLANTED_AT if True in seen else "none"
        rows.append([name, sum(expected), caught, missed, false, delay])
        assert (missed, false) == (0, 0)
    print("\n" + tabulate(rows, headers=["planted (measured)", "nights", "caught", "missed", "false", "delay"]))


def interleaved(rng: np.random.Generator, factors: list[float], machine: list[float]) -> list[bool]:
    """Per night, whether an alarm was raised against the reference."""
    return [interleaved_night(rng, f, m).state == "worse" for f, m in zip(factors, machine, strict=True)]


def by_history(rng: np.random.Generator, factors: list[float], machine: list[float]) -> list[bool]:
    """Per night, whether an alarm was raised over the nights so far, confirmed by a second run."""
    pytest.importorskip("ruptures")
    values: list[float] = []
    alarms = []
    for factor, load in zip(factors, machine, strict=True):
        values.append(night_value(rng, factor, load))
        empty = Judged("turns", NEW, "turn_seconds", "history", 0, 0, *(None,) * 4, 0.03, "inconclusive", "")  # type: ignore[arg-type]
        case = judge_series(empty, values, 0, "lower")
        raised = case.state == "worse" and case.effect is not None
        if raised and case.effect is not None:
            again = series_effect(levels(values, 0, True)[0], night_value(rng, factor, load), True, "lower")
            raised = again >= case.effect / 2
        alarms.append(raised)
    return alarms


@pytest.mark.parametrize("way", [interleaved, by_history], ids=["interleaved", "history"])
def test_timings_over_fifty_nights(way: Callable[..., list[bool]]) -> None:
    slow5, slow20 = ([1.0] * PLANTED_AT + [f] * (NIGHTS - PLANTED_AT) for f in (1.05, 1.2))
    steady, even = [1.0] * NIGHTS, [1.0] * NIGHTS
    bad = [3.0 if night == PLANTED_AT else 1.0 for night in range(NIGHTS)]
    cases = {"5 % slower": (slow5, even), "20 % slower": (slow20, even), "noise only": (steady, even)}
    cases["one bad night"] = (steady, bad)
    rows = []
    power: dict[str, float] = {}
    for number, (name, (factors, machine)) in enumerate(cases.items()):
        caught = missed = false = before = found = 0
        delays = []
        for series in range(SERIES):
            alarms = way(np.random.default_rng([number, series]), factors, machine)
            wanted = [f > 1 for f in factors]
            caught += sum(a and w for a, w in zip(alarms, wanted, strict=True))
            missed += sum(w and not a for a, w in zip(alarms, wanted, strict=True))
            false += sum(a and not w for a, w in zip(alarms, wanted, strict=True))
            before += wanted.count(False)
            if any(wanted) and True in alarms[PLANTED_AT:]:
                found += 1
                delays.append(alarms[PLANTED_AT:].index(True))
        power[name] = caught / (caught + missed) if caught + missed else false / before
        delay = f"{np.median(delays):.0f}" if delays else "none"
        nightly = f"{caught / (caught + missed):.0%}" if caught + missed else ""
        rows.append([name, caught + missed, caught, missed, nightly, false, before, f"{found}/{SERIES}", delay])
    headings = ["planted (timings)", "slow nights", "caught", "missed", "power a night", "false", "of nights"]
    print(f"\n{way.__name__}, reference {OLD}\n" + tabulate(rows, headers=[*headings, "series found", "delay, nights"]))
    assert power["20 % slower"] > power["5 % slower"]
    assert power["noise only"] <= 0.01
    assert power["one bad night"] <= 0.01
