"""Reading runs: what is missing, damaged or newer is refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest

from harness.api import replay
from harness.errors import HarnessError
from harness.runs.run import Run


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


def test_a_missing_table_is_named(run: Run) -> None:
    (run.directory / "results.parquet").unlink()
    with pytest.raises(HarnessError, match=r"results\.parquet: missing"):
        Run(run.directory).results  # noqa: B018


def test_a_table_without_a_column_of_today_is_refused(run: Run) -> None:
    path = run.directory / "transcripts.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["visible"]), path)
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
