"""A run that was changed after it was made is refused by name: one bit at a time, never another figure."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from harness.api import replay
from harness.cli import cli
from harness.errors import HarnessError
from harness.runs import life
from harness.runs.journal import NAME, Journal, read_journal
from harness.runs.run import Run
from harness.runs.seal import verify
from tests.conftest import ROOT

SAMPLE = sorted((ROOT / "tasks" / "transcripts" / "openai-chat").iterdir(), key=lambda p: p.stat().st_size)[0]
FLIPS = 60


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return replay([SAMPLE], ["head:bytes=500"], tmp_path_factory.mktemp("results")).directory


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / made.name))


def flipped(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def figures(directory: Path) -> tuple[object, ...]:
    """All that a report is made of."""
    run = Run(directory)
    left_out = ("seal", "files")
    return (
        {k: v for k, v in run.manifest.items() if k not in left_out},
        *(frame.to_csv() for frame in (run.transcripts, run.results, run.requests)),
    )


def test_a_run_is_as_it_was_made(run: Path) -> None:
    found = verify(run)
    assert (found.faults, found.absent) == ({}, ())
    assert found.files == len(list(run.iterdir())) - 1
    done = CliRunner().invoke(cli, ["verify", str(run)])
    assert done.exit_code == 0
    assert f"as it was made, {found.files} files, seal {found.seal[:16]}" in done.output


@pytest.mark.parametrize("name", ["transcripts.parquet", "results.parquet", "requests.parquet", "manifest.json"])
def test_one_flipped_bit_gives_no_other_figure(made: Path, tmp_path: Path, name: str) -> None:
    whole, dice = figures(made), random.Random(name)
    refused = 0
    for n in range(FLIPS):
        copy = Path(shutil.copytree(made, tmp_path / str(n)))
        flipped(copy / name, dice)
        try:
            found = figures(copy)
        except HarnessError as error:
            found, refused = whole if name in str(error) else (), refused + 1
        assert found == whole
        shutil.rmtree(copy)
    assert refused > FLIPS * 0.8


def test_a_flipped_bit_in_a_journal_is_refused_or_costs_work_alone(tmp_path: Path) -> None:
    """What a record says is never another thing; a line that is torn is work to be done again."""
    with Journal.create(tmp_path / "run", {"settings": {"paths": ["a"], "n": 1}}) as journal:
        for n in range(5):
            journal.append({"kind": "work", "n": n, "text": f"word {n}"})
    path = tmp_path / "run" / NAME
    data, dice = path.read_bytes(), random.Random(7)
    whole = [record for _, record in read_journal(tmp_path / "run")]
    refused = 0
    for _ in range(300):
        path.write_bytes(data)
        flipped(path, dice)
        try:
            found = [record for _, record in read_journal(tmp_path / "run")]
        except HarnessError as error:
            found, refused = [] if NAME in str(error) else [{}], refused + 1
        assert found == whole[: len(found)]
    assert refused > 100


def test_what_changed_is_named(run: Path) -> None:
    dice = random.Random(1)
    flipped(run / "results.parquet", dice)
    flipped(run / NAME, dice)
    (run / "transcripts.parquet").unlink()
    (run / "note.txt").write_text("mine", encoding="utf-8")
    assert verify(run).faults == {
        "results.parquet": "its SHA-256 is another",
        NAME: "its SHA-256 is another",
        "transcripts.parquet": "missing",
        "note.txt": "not of this run",
    }
    done = CliRunner().invoke(cli, ["verify", str(run)])
    assert done.exit_code == 2
    assert "changed after it was made" in done.output


def test_a_run_from_before_seals_opens_and_says_so(run: Path) -> None:
    import orjson

    place = run / "manifest.json"
    manifest = orjson.loads(place.read_bytes())
    older = {k: v for k, v in manifest.items() if k not in ("seal", "files")} | {"schema": 2}
    place.write_bytes(orjson.dumps(older))
    assert isinstance(Run(run).transcripts, pd.DataFrame)
    done = CliRunner().invoke(cli, ["verify", str(run)])
    assert done.exit_code == 2
    assert "not sealed" in done.output


def test_a_manifest_of_today_without_its_seal_is_refused(run: Path) -> None:
    place = run / "manifest.json"
    place.write_bytes(place.read_bytes().replace(b'"seal"', b'"sea1"'))
    with pytest.raises(HarnessError, match="its seal does not fit"):
        Run(run)


def test_resuming_refuses_a_damaged_journal(run: Path) -> None:
    from harness.replay.kind import REPLAY

    (run / "manifest.json").unlink()
    data = (run / NAME).read_bytes()
    at = data.index(b"head:bytes=500")
    (run / NAME).write_bytes(data[: at + 11] + b"6" + data[at + 12 :])
    with pytest.raises(HarnessError, match="its check does not fit"):
        life.resume(REPLAY, run)
