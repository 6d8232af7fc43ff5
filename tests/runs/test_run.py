"""Reading runs: what is missing, damaged or newer is refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest

from harness.api import replay
from harness.errors import HarnessError
from harness.loop.kind import LOOP
from harness.loop.settings import LoopSettings
from harness.runs import life
from harness.runs.directory import find_run, list_runs
from harness.runs.run import Run
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.updates import STEPS
from harness.show.reproduce import reproduce
from tests.conftest import ROOT
from tests.runs.resealed import reseal


@pytest.fixture
def run(tmp_path: Path) -> Run:
    chat = {"messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "good morning"}]}
    (tmp_path / "chat.json").write_text(json.dumps(chat), encoding="utf-8")
    return replay([tmp_path / "chat.json"], policies=["car"], results=tmp_path / "results")


def test_frames_have_the_columns_of_the_schema_and_policies_in_their_order(run: Run) -> None:
    assert run.policies == ["identity", "car"]
    assert run.transcripts["policy"].tolist() == ["identity", "car"]
    assert run.requests["request"].tolist() == [1, 1]
    assert len(run.results) == 0


def test_a_clock_set_back_leaves_the_newest_run_the_last(tmp_path: Path) -> None:
    settings = LoopSettings(drivers=("reader",), policies=("head:bytes=300",), first=1)
    times = (2_000_000_000.0, 2_000_000_000.0, 1_900_000_000.0, 1_800_000_000.0)
    made = [life.run(LOOP, settings, tmp_path, clock=lambda now=now: now) for now in times]  # type: ignore[misc]
    assert list_runs(tmp_path) == made
    assert find_run(tmp_path, "last") == made[-1]
    assert [Run(run).manifest["started"] for run in made] == [*times]


def test_a_missing_table_is_named(run: Run) -> None:
    (run.directory / "results.parquet").unlink()
    with pytest.raises(HarnessError, match=r"results\.parquet: missing"):
        Run(run.directory).results  # noqa: B018


def test_a_table_without_a_column_of_today_is_refused(run: Run) -> None:
    path = run.directory / "transcripts.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["visible"]), path)
    reseal(run.directory)
    with pytest.raises(HarnessError, match="has no column visible"):
        Run(run.directory).transcripts  # noqa: B018


def test_damaged_newer_and_unfinished_manifests_are_told_apart(run: Run) -> None:
    path = run.directory / "manifest.json"
    whole = orjson.loads(path.read_bytes())
    path.write_bytes(b'{"schema": 1')
    with pytest.raises(HarnessError, match="damaged"):
        Run(run.directory)
    path.write_bytes(orjson.dumps(whole | {"schema": 99}))
    with pytest.raises(HarnessError, match="use a newer harness"):
        Run(run.directory)
    path.unlink()
    with pytest.raises(HarnessError, match="--resume"):
        Run(run.directory)


def test_a_run_of_an_older_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    settings = LoopSettings(("reader",), ("car",), ("sql",), first=1)
    directory = life.run(LOOP, settings, tmp_path, clock=lambda: 0.0)
    place = directory / "manifest.json"
    manifest = orjson.loads(place.read_bytes())
    assert manifest["schema"] == SCHEMA_VERSION
    older = manifest | {"schema": 1, "settings": manifest["settings"] | {"prices": "gpt-5.4"}}
    for newer in ("inputs", "files", "seal"):
        older.pop(newer)
    place.write_bytes(orjson.dumps(older))
    assert Run(directory).settings() == settings
    assert Run(directory).kind.report(Run(directory)).text()
    with pytest.raises(HarnessError, match="made before runs held the hashes of their inputs; make it again"):
        reproduce(str(directory), tmp_path, lambda _: None)


def test_a_run_that_an_older_schema_began_is_refused(tmp_path: Path) -> None:
    header = {"kind": "run", "schema": 1, "command": "loop", "settings": {}}
    (tmp_path / "journal.jsonl").write_bytes(orjson.dumps(header) + b"\n")
    with pytest.raises(HarnessError, match="begun with schema 1, an older one; start a new run"):
        life.resume(LOOP, tmp_path)


def test_every_step_up_is_there() -> None:
    assert sorted(STEPS) == list(range(1, SCHEMA_VERSION))


def test_the_committed_baseline_opens() -> None:
    folder = ROOT / "results" / "baseline" / "nightly"
    for part in ("samples", "tiny"):
        run = Run(folder / part)
        assert run.settings().to_record()
        for name in run.kind.compared or run.kind.tables:
            assert len(run.table(name))
