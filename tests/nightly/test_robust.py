"""What ends a night in the middle, and what the next one makes of it: no finished work is lost."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.nightly.carry_out import Options
from harness.nightly.night import accept, nightly
from harness.nightly.read import read_suite
from harness.nightly.verdicts import verdicts
from harness.runs.directory import is_finished, list_runs
from harness.runs.groups import read_groups
from harness.runs.lock import alone
from harness.runs.manifest import code_digest
from harness.runs.schema import SCHEMA_VERSION
from harness.show.nightly import resumable
from tests.bench.fake import Clock
from tests.nightly.nights import add_transcript, bench_suite, engines, replay_suite

ROOT = Path(__file__).resolve().parents[2]
TWO = '[replay.more]\npaths = ["more"]\npolicies = ["car"]\n'


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two parts; the second has more transcripts than the first."""
    for seed in range(100, 112):
        add_transcript(tmp_path / "more", seed)
    return replay_suite(tmp_path, TWO)


def start(suite: Path) -> subprocess.Popen[str]:
    """A nightly in a process of its own."""
    words = [sys.executable, "-m", "harness", "nightly", suite.name]
    return subprocess.Popen(words, cwd=suite.parent, stderr=subprocess.PIPE, encoding="utf-8")


def finish(suite: Path, patch: pytest.MonkeyPatch) -> list[str]:
    """The same nightly again, in this process; what it said."""
    said: list[str] = []
    patch.chdir(suite.parent)
    code_digest.cache_clear()  # the tree may have been edited since this process took it
    nightly(read_suite(Path(suite.name)), Path("results"), Options(), said.append)
    return said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda n: n.name)
def test_a_signal_in_mid_run(number: signal.Signals, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call = f"from tests.nightly.nights import *; signalled({int(number)}, {suite.name!r})"
    process = subprocess.run(
        [sys.executable, "-c", call],
        cwd=suite.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=300,
    )
    said = process.stderr
    results = suite.parent / "results"
    before = list_runs(results)
    assert [is_finished(run) for run in before] == [True, False]
    assert read_groups(results) == []
    if number is signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 130
        assert "the same command goes on" in said
    kept = (before[1] / "journal.jsonl").read_bytes().rpartition(b"\n")[0]
    assert "going on with what was interrupted" in finish(suite, monkeypatch)
    assert list_runs(results) == before
    assert (before[1] / "journal.jsonl").read_bytes().startswith(kept)
    assert list(read_groups(results)[0].runs.values()) == [run.name for run in before]


@pytest.mark.parametrize("turns", [1, 50])
def test_killed_while_suspects_are_run_again(turns: int, tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=True), tmp_path / "results"
    call = f"killed_while_confirming({str(suite.place)!r}, {str(results)!r}, {turns})"
    done = subprocess.run([sys.executable, "-c", f"from tests.nightly.nights import *; {call}"], cwd=ROOT, timeout=120)
    assert done.returncode == -signal.SIGKILL
    before = list_runs(results)
    assert [is_finished(run) for run in before] == [True, False]
    assert [list(group.runs.values()) for group in read_groups(results)] == [[before[0].name]]
    assert verdicts(results) == []
    kept = (before[1] / "journal.jsonl").read_bytes().rpartition(b"\n")[0]
    assert (kept.count(b'"kind":"task"') > 0) == (turns > 1)
    said: list[str] = []
    code_digest.cache_clear()
    found = nightly(suite, results, Options(), said.append, engines(Clock(2e6), slower=1.2, seed=1))
    assert said[0] == "going on with what was interrupted"
    assert f"  goes on with {before[1].name}" in said
    assert list_runs(results) == before
    assert (before[1] / "journal.jsonl").read_bytes().startswith(kept)
    turn = next(j for j in found.judged if j.figure == "turn_seconds")
    assert (turn.state, turn.confirmed, found.state) == ("worse", True, "regression")
    assert found.runs == {"turns": before[0].name, "turns (again)": before[1].name}
    assert [v["state"] for v in verdicts(results)] == ["regression"]


def test_a_full_disk(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(suite.parent)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, before[1]))
    try:
        with (
            pytest.raises(HarnessError, match=r"make room; the same command goes on"),
            resumable(Path("results")),
        ):
            nightly(read_suite(Path(suite.name)), Path("results"), Options())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    results = suite.parent / "results"
    assert not is_finished(list_runs(results)[0])
    finished = (list_runs(results)[0] / "journal.jsonl").read_bytes().rpartition(b"\n")[0]
    assert finished.count(b'"kind":"transcript"') > 0
    nightly(read_suite(Path(suite.name)), Path("results"), Options())
    first = list_runs(results)[0]
    assert (first / "journal.jsonl").read_bytes().startswith(finished)
    assert len(list_runs(results)) == 2


def test_a_second_nightly_at_the_same_time(suite: Path) -> None:
    results = suite.parent / "results"
    with alone(results):
        process = start(suite)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 2
        assert f"another nightly is running here (process {os.getpid()})" in said
    with alone(results):
        pass


def accepted_night(tmp_path: Path) -> tuple[Path, Path]:
    place, results = replay_suite(tmp_path), tmp_path / "results"
    nightly(read_suite(place), results, Options())
    group = accept(read_suite(place), results, "first", 0.0)
    for run in group.runs.values():  # what is pinned has to do
        (results / run / "manifest.json").rename(results / run / "manifest.away")
    return place, results


def test_a_pinned_baseline_stands_in_for_runs_that_are_gone_and_corruption_is_told(tmp_path: Path) -> None:
    place, results = accepted_night(tmp_path)
    found = nightly(read_suite(place), results, Options())
    assert (found.state, found.changes) == ("fine", [])
    assert "pinned in" in found.chosen
    table = results / "baseline" / "small" / "rec" / "transcripts.parquet"
    data = bytearray(table.read_bytes())
    data[len(data) // 2] ^= 1
    table.write_bytes(data)
    with pytest.raises(HarnessError, match=r"transcripts.parquet: not what was pinned .* the baseline is corrupt"):
        nightly(read_suite(place), results, Options())
    table.unlink()
    with pytest.raises(HarnessError, match=r"transcripts.parquet: missing, so the baseline is corrupt"):
        nightly(read_suite(place), results, Options())
    assert len(list_runs(results)) == 3, "the night that could not be judged is kept, and judged when it can be"
    (results / "baseline" / "small" / "baseline.json").write_bytes(b'{"schema": 1, "gro')
    with pytest.raises(HarnessError, match=r"baseline.json: damaged"):
        nightly(read_suite(place), results, Options())


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    place, results = replay_suite(tmp_path), tmp_path / "results"
    nightly(read_suite(place), results, Options())
    accept(read_suite(place), results, "first", 0.0)
    run = results / read_groups(results)[0].runs["rec"] / "manifest.json"
    record = json.loads(run.read_text(encoding="utf-8"))
    run.write_text(json.dumps(record | {"schema": 99}), encoding="utf-8")
    with pytest.raises(HarnessError, match=r"written with schema 99, this program reads up to \d+: use a newer"):
        nightly(read_suite(place), results, Options())
    run.write_text(json.dumps(record), encoding="utf-8")
    group = next((results / "groups").glob("small*.json"))
    whole = group.read_text(encoding="utf-8")
    group.write_text(whole.replace(f'"schema": {SCHEMA_VERSION}', '"schema": 99'), encoding="utf-8")
    with pytest.raises(HarnessError, match=r"written with schema 99"):
        nightly(read_suite(place), results, Options())
