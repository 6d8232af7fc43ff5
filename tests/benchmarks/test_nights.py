"""Fifty nights, again and again: what is caught, missed and falsely raised, and how late.

Exact figures come from real replays of conversations, timings are resampled from recorded turns. `make bench`, or:

    python -m pytest -m benchmark -s tests/benchmarks/test_nights.py
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tabulate import tabulate

from harness.nightly.measured import compare_measured
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplaySettings
from harness.runs import life
from harness.runs.run import Run
from tests.nightly.nights import add_transcript
from tests.nightly.simulated import (
    AT,
    BUSY,
    EVEN,
    NIGHTS,
    OVER_NIGHTS,
    STEADY,
    STEPS,
    by_history,
    interleaved,
    simulate,
)
from tests.nightly.test_nightly import plant_constant

pytestmark = pytest.mark.benchmark
PLANTED_AT = AT
SERIES = int(os.environ.get("HARNESS_SERIES", "20"))
POLICIES = ("head:bytes=300", "swe_agent", "car")


def test_measured_figures_over_fifty_nights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, results = tmp_path / "rec", tmp_path / "results"
    for seed in range(3):
        add_transcript(folder, seed)
    settings = ReplaySettings((str(folder),), POLICIES)
    plain = [Run(life.run(REPLAY, settings, results)) for _ in range(2)]
    elsewhere = Run(life.run(REPLAY, settings, results))
    elsewhere.manifest["environment"]["machine"] |= {"cpus": 999}
    tokenizer = Run(life.run(REPLAY, replace(settings, tokens="openai-chat-3-3-cl100k"), results))
    with monkeypatch.context() as patch:
        plant_constant(patch)
        constant, again = (Run(life.run(REPLAY, settings, results)) for _ in range(2))
    add_transcript(folder, 9)
    added = Run(life.run(REPLAY, settings, results))
    planted = {
        "policy's constant": (constant, "policy: limit", NIGHTS),
        "tokenizer": (tokenizer, "tokenizer: ", NIGHTS),
        "transcript added": (added, "transcripts: 1 added", NIGHTS),
        "policy's constant, accepted after 5 nights": (again, "policy: limit", PLANTED_AT + 5),
        "another machine": (elsewhere, "-", PLANTED_AT),
        "nothing": (plain[1], "-", PLANTED_AT),
    }
    rows = []
    for name, (run, cause, until) in planted.items():
        seen, expected = [], []
        for night in range(NIGHTS):
            tonight = run if night >= PLANTED_AT else plain[night % 2]
            baseline = constant if night >= until and cause != "-" else plain[0]
            found = compare_measured("rec", baseline, tonight, {})
            named = all(c.causes[0].startswith(cause) for c in found.changes)
            seen.append(bool(found.changes) and named)
            expected.append(PLANTED_AT <= night < until)
        caught = sum(s and e for s, e in zip(seen, expected, strict=True))
        false = sum(s and not e for s, e in zip(seen, expected, strict=True))
        missed = sum(expected) - caught
        delay = seen.index(True) - PLANTED_AT if True in seen else "none"
        rows.append([name, sum(expected), caught, missed, false, expected.count(False), delay])
        assert (missed, false) == (0, 0)
    headers = ["planted (measured)", "nights", "caught", "missed", "false", "of nights", "delay"]
    print("\n" + tabulate(rows, headers=headers))


@pytest.mark.parametrize(
    ("way", "recording"),
    [(interleaved, BUSY), (by_history, BUSY), (by_history, EVEN)],
    ids=["interleaved", "history", "history-even"],
)
def test_timings_over_fifty_nights(way: Callable[..., list[bool]], recording: str) -> None:
    """The table of docs/nightly.md."""
    if way is by_history:
        pytest.importorskip("ruptures")
    gc.collect()
    gc.freeze()  # a correction for many tests collects garbage each time
    rows, false, others = [], 0, 0
    for planted in (*STEPS, *STEADY, *(OVER_NIGHTS if way is by_history else ())):
        found = simulate(way, planted, SERIES, recording)
        rows.append([planted.name, *found.row()])
        false, others = false + found.false, others + found.others
    headings = ["planted", "slow nights caught", "series found", "nights until told: median (worst)", "false alarms"]
    print(f"\n{way.__name__}, {recording}\n" + tabulate(rows, headers=headings, tablefmt="pipe", disable_numparse=True))
    print(json.dumps({"way": way.__name__, "recording": recording, "series": SERIES, "rows": rows}, ensure_ascii=False))
    assert false / others <= 0.005
