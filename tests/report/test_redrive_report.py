"""The report of a re-drive: the figures of its tables, and words of an engine that cannot do anything."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from harness.engines.spec import read_spec
from harness.redrive.kind import REDRIVE
from harness.redrive.sections.part import Redrive
from harness.redrive.settings import RedriveSettings
from harness.redrive.words import ONE_RUN
from harness.report.write import write_report
from harness.runs import life
from harness.runs.run import Run
from tests.engines.programs import program
from tests.redrive.recordings import WINDOW, conversation, recordings, repeats, write

DUMB = read_spec({"engine": "command", "run": program("say('{}\\n')"), "build": "<script>alert(1)</script>"}).label


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("redrive")
    paths = (str(recordings(folder / "recordings.jsonl")),)
    settings = RedriveSettings(paths, (repeats(), DUMB), ("head:bytes=1000", "car"), window=WINDOW)
    return Run(life.run(REDRIVE, settings, folder / "results", clock=lambda: 0.0))


@pytest.fixture(scope="module")
def written(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(run, tmp_path_factory.mktemp("reports"), ["html", "md", "csv", "rows"])[0].parent


def test_the_first_screen_says_what_can_be_compared_and_what_differs(run: Run) -> None:
    part = Redrive(run)
    screen = part.screen()
    assert "25 of 27 requests (92.6 %) fit under all policies" in screen.headline
    assert "under car in 76.5 %" in screen.headline
    assert "so seldom that its differences say little about policies" in screen.headline
    found = screen.answers.texts
    heads = screen.answers.headings
    at = heads.index("same arguments")
    assert [row[at] for row in found] == ["100.0 %", "76.5 %", "76.5 %", "0.0 %", "0.0 %", "0.0 %"]
    assert found[2][at + 1] == "-23.5 points"
    assert found[2][0].endswith(", car")


def test_page_markdown_and_tables(run: Run, written: Path) -> None:
    page = (written / "index.html").read_text(encoding="utf-8")
    text = (written / "report.md").read_text(encoding="utf-8")
    part = Redrive(run)
    assert [section.name for section in part.sections()] == ["fit", "agreement", "costs", "hidden", "handles"]
    for section in part.sections():
        assert f'id="{section.name}"' in page
        assert f"## {section.title} ({section.kind})" in text
    assert ONE_RUN in page
    assert "<script>alert" not in page
    assert "<script>alert" not in re.sub(r"(`+).+?\1", "", text)
    assert {p.stem for p in (written / "plots").iterdir()} == {"redrive"}
    assert len(pd.read_csv(written / "csv" / "rows" / "redrive.csv")) == len(run.redrive)
    table = pd.read_csv(written / "csv" / "agreement.csv")
    assert table["same_arguments"].tolist() == pytest.approx([1, 13 / 17, 13 / 17, 0, 0, 0])
    assert "harness redrive " in part.citation().facts["command"]
    assert f"--window {WINDOW}" in part.citation().facts["command"]


def test_nothing_to_compare_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", [conversation(9)])
    run = Run(
        life.run(
            REDRIVE, RedriveSettings((str(path),), (DUMB,), ("car",), window=60, max_tokens=50), tmp_path / "results"
        )
    )
    assert set(run.redrive["outcome"]) == {"overflow"}
    part = Redrive(run)
    assert "0 of 3 requests (0.0 %) fit under all policies. Nothing can be compared." in part.screen().headline
    assert [section.name for section in part.sections()] == ["fit"]
    assert write_report(run, tmp_path / "reports", ["html", "md", "csv"])[0].exists()
