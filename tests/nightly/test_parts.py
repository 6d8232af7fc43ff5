"""A suite of everything: a replay, a loop and a tuning, carried out and reported."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.runs.groups import read_groups
from harness.runs.run import Run
from tests.conftest import ROOT

SAMPLE = sorted((ROOT / "tasks" / "transcripts" / "openai-chat").iterdir(), key=lambda p: p.stat().st_size)[0]
SUITE = f"""
name = "all"
[replay.samples]
paths = ["{SAMPLE}"]
policies = ["car"]
[loop.readers]
drivers = ["reader"]
policies = ["car"]
families = ["sql"]
[tune.head]
paths = ["{SAMPLE}"]
policy = "head"
vary = ["bytes=100:900:100"]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "all.toml"
    place.write_text(SUITE, encoding="utf-8")
    return place


def command(name: str, place: Path, *more: str) -> str:
    folders = ["--results", str(place.parent / "results"), "--report-dir", str(place.parent / "reports")]
    done = CliRunner().invoke(cli, [name, str(place), *folders, *more])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_run_carries_out_every_part_and_reports_it(place: Path) -> None:
    said = command("run", place, "--limit", "2")
    assert [line for line in said.splitlines() if line.startswith("── ")] == [
        "── replay samples",
        "── loop readers",
        "── tune head",
    ]
    (group,) = read_groups(place.parent / "results", "all")
    assert list(group.runs) == ["samples", "readers", "head"]
    assert len(Run(place.parent / "results" / group.runs["readers"]).loop) == 4
    folder = place.parent / "reports" / group.name
    assert (folder / "head" / "tuned.toml").exists()
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert 'id="readers-policies"' in page
    assert said.rstrip().endswith(str(folder / "index.html"))
    assert len(re.findall(r"^report  ", said, re.MULTILINE)) == 1


def test_a_night_runs_the_loop_and_says_who_is_judged(place: Path) -> None:
    record = orjson.loads(command("nightly", place, "--limit", "2", "--json"))
    assert set(record["runs"]) == {"samples", "readers", "head"}
    assert any("readers: of the loop only readers are judged" in note for note in record["notes"])
    assert any("head: a tune: reported, not judged" in note for note in record["notes"])
    assert not [figure for figure in record.get("judged", ()) if figure["part"] == "readers"]
