"""The loop: sixty seeded runs, the same every time, resumed from anywhere, recorded so that it can be replayed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import orjson
import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.loop.kind import LOOP
from harness.loop.settings import LoopHow, LoopSettings, make_driver
from harness.loop.tables import tables
from harness.policies.spec import make_policy
from harness.replay.ledger import account_of, lay_out
from harness.runs import life
from harness.runs.loop_schema import LOOP as COLUMNS
from harness.runs.run import Run

SIXTY = LoopSettings(
    ("reader:temperament=careful", "reader:temperament=hasty"),
    ("identity", "head:bytes=2000", "spill:bytes=4000,keep=1000", "car", "car_read", "middle:bytes=600"),
    seeds=2,
    first=5,
)


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The run directory, and the folder of transcripts."""
    results, record = tmp_path_factory.mktemp("results"), tmp_path_factory.mktemp("record")
    return life.run(LOOP, SIXTY, results, LoopHow(str(record)), clock=lambda: 0.0), record


def test_every_task_driver_and_policy_has_its_row(sixty: tuple[Path, Path]) -> None:
    frame = Run(sixty[0]).loop
    assert len(frame) == 60 == len(frame[["task", "driver", "policy"]].drop_duplicates())
    assert list(frame.columns) == [column.name for column in COLUMNS]
    under = frame[frame.policy == "identity"]
    assert under.passed.all()
    assert (under[["low", "evidence", "high", "losses", "added", "added_tokens", "elided_bytes"]] == 0).all(axis=None)
    assert (frame.low <= frame.evidence).all()
    assert (frame.evidence <= frame.high).all()
    careful = frame[frame.temperament == "careful"].groupby("policy", observed=True).passed.mean()
    hasty = frame[frame.temperament == "hasty"].groupby("policy", observed=True).passed.mean()
    assert (careful >= hasty).all()
    assert careful.sum() > hasty.sum()


def test_the_transcripts_say_what_the_rows_say(sixty: tuple[Path, Path]) -> None:
    """Read back and counted anew, under identity: the same requests, calls and tokens."""
    run, record = sixty
    frame = Run(run).loop
    frame = frame[(frame.policy == "identity") & (frame.temperament == "careful")].set_index("task")
    counting = SIXTY.counting()
    read = list(read_transcripts([record / "reader-temperament=careful" / "identity"], Intake(), None))
    assert len(read) == 5
    for transcript in read:
        row = frame.loc[transcript.id.rpartition("#")[2].partition("@")[0]]
        layout = lay_out(transcript, counting.counter, counting.framing)
        assert len(layout.requests) == row.requests
        assert int(account_of(layout, make_policy("identity"), counting.counter).prompt.sum()) == row.input_tokens


def test_the_same_settings_give_the_same_bytes_and_a_cut_run_goes_on(sixty: tuple[Path, Path], tmp_path: Path) -> None:
    lines = (sixty[0] / "journal.jsonl").read_bytes().splitlines(keepends=True)
    torn = tmp_path / "torn"
    torn.mkdir()
    (torn / "journal.jsonl").write_bytes(b"".join(lines[:7]) + lines[7][:50])
    assert life.resume(LOOP, torn, clock=lambda: 0.0) == torn
    assert (torn / "loop.parquet").read_bytes() == (sixty[0] / "loop.parquet").read_bytes()
    assert life.resume(LOOP, sixty[0]) == sixty[0]


def test_a_run_of_something_else_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes(orjson.dumps({"kind": "run", "schema": 1, "command": "replay"}) + b"\n")
    with pytest.raises(HarnessError, match="no header of a loop"):
        life.resume(LOOP, tmp_path)


@pytest.mark.parametrize("spec", ["reader:temperament=calm", "reader:mood=careful", "raeder", "tiny:no=1"])
def test_an_unknown_driver_is_refused(spec: str) -> None:
    with pytest.raises(HarnessError, match=r"driver .* will not do|driver .*: neither reader, nor an engine"):
        make_driver(spec)


def test_the_text_and_the_record_hold_every_table(sixty: tuple[Path, Path]) -> None:
    run = Run(sixty[0])
    part = run.kind.report(run)
    record = orjson.loads(orjson.dumps(part.record(), option=orjson.OPT_SERIALIZE_NUMPY))
    assert record["tables"].keys() >= tables(run.loop).keys()
    assert {row["policy"] for row in record["tables"]["policies"]} == set(run.loop.policy.unique())
    assert [row["identifies"] for row in record["tables"]["drivers"]] == [True, True]
    assert [row["tasks"] for row in record["answers"]] == [row["tasks"] for row in record["tables"]["drivers"]]
    assert "None" not in part.text()
    assert "consistency check" in re.sub(r"\s+", " ", part.text())


def test_the_command(tmp_path: Path) -> None:
    given = ["loop", "--tasks", "sql", "--first", "2", "--policy", "car", "--results", str(tmp_path), "--json"]
    given += ["--report-dir", str(tmp_path / "reports")]
    done = CliRunner().invoke(cli, given)
    assert done.exit_code == 0, done.output
    found = orjson.loads(done.output)
    assert sum(row["runs"] for row in found["tables"]["policies"]) == 4
    assert (Path(found["run"]) / "manifest.json").exists()
    frame = Run(Path(found["run"])).loop
    assert len(frame) == 4
    assert np.all(frame.family == "sql")
