"""The report of a run of the loop: a reader that says something of policies, and an engine that does not."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from harness.engines.spec import read_spec
from harness.loop.kind import LOOP
from harness.loop.sections.part import Loop
from harness.loop.settings import LoopSettings
from harness.loop.words import RULE
from harness.report.write import write_report
from harness.runs import life
from harness.runs.run import Run
from tests.engines.programs import program

WEAK = read_spec({"engine": "command", "run": program("say('{}\\n')"), "build": "<script>alert(1)</script>"}).label
READER = "reader:temperament=hasty"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = LoopSettings((READER, WEAK), ("head:bytes=600", "car", "car_read"), ("logs", "sql"))
    return Run(life.run(LOOP, settings, tmp_path_factory.mktemp("results"), clock=lambda: 0.0))


@pytest.fixture(scope="module")
def written(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(run, tmp_path_factory.mktemp("reports"), ["html", "md", "csv", "rows"])[0].parent


def test_a_weak_engine_is_said_to_say_nothing_and_is_not_judged(run: Run) -> None:
    part = Loop(run)
    assert part.identifies(READER)
    (weak,) = (n for n, driver in enumerate(part.drivers) if driver != READER)
    assert not part.identifies(part.drivers[weak])
    assert f"0 of 14 tasks under identity: {RULE}. Not identified from its runs:" in part.screen().headline
    for name in ("validity", "validity_by_need", "validity_by_policy", "reading"):
        assert set(part.table(name).driver.astype(str)) == {READER}
    answers = {column.heading: [cell.text for cell in cells] for column, cells in part.screen().questions()}
    assert answers["passed under identity"][weak] == "0.0 %"
    for question in ("estimate covers", "cheapest that passes no fewer"):
        assert answers[question][weak] == "not identified"


def test_its_tables_are_those_of_the_run(run: Run, written: Path) -> None:
    table = pd.read_csv(written / "csv" / "policies.csv")
    assert len(table) == 8
    frame = Loop(run).run.loop
    for row in table.itertuples():
        own = frame[(frame.driver == row.driver) & (frame.policy == row.policy)]
        assert row.passed == pytest.approx(own.passed.mean())
        assert row.input_tokens == own.input_tokens.sum()
    assert len(pd.read_csv(written / "csv" / "rows" / "loop.csv")) == len(frame)
    validity = pd.read_csv(written / "csv" / "validity.csv")
    assert {"covered", "width", "error_evidence", "error_low", "error_high", "rank_correlation"} <= set(validity)


def test_page_and_markdown_show_everything_and_run_nothing(run: Run, written: Path) -> None:
    page = (written / "index.html").read_text(encoding="utf-8")
    text = (written / "report.md").read_text(encoding="utf-8")
    part = Loop(run)
    for section in part.sections():
        assert f'id="{section.name}"' in page
        assert f"## {section.title} ({section.kind})" in text
    assert RULE in page
    assert RULE in text
    assert "<script>alert" not in page
    assert "<script>alert" not in re.sub(r"(`+).+?\1", "", text)
    assert {p.stem for p in (written / "plots").iterdir()} == {"outcomes", "validity"}
    assert "harness loop --driver" in part.citation().facts["command"]
    assert any(name.startswith("engine command:") for name in part.citation().facts)


def test_a_run_of_a_weak_engine_alone_has_no_picture_and_no_validity(tmp_path: Path) -> None:
    weak = Run(life.run(LOOP, LoopSettings((WEAK,), ("car",), ("logs",), first=2), tmp_path, clock=lambda: 0.0))
    part = Loop(weak)
    assert [section.name for section in part.sections()] == ["policies", "stops"]
    assert "identifies nothing about policies" in part.text()
    assert write_report(weak, tmp_path / "reports", ["html", "md", "csv"])[0].exists()
