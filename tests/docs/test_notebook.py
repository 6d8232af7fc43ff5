"""The example notebook runs from its first cell to its last, and frames say what their columns are."""

from __future__ import annotations

import copy
import runpy
import sys
from pathlib import Path

import pytest

from harness.api import replay
from tests.conftest import ROOT

SAMPLE = ROOT / "tasks" / "transcripts" / "openai-chat" / "stock-csv.jsonl"


def test_the_notebook_runs_and_ends_at_proofs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["notebook.py", str(SAMPLE)])
    found = runpy.run_path(str(ROOT / "docs" / "notebook.py"))
    said = capsys.readouterr().out
    assert "not visible: " in said
    written = [Path(line) for line in said.splitlines() if line.endswith(".html")]
    assert [path.parent.name for path in written[-2:]] == ["pages", "pages"]
    assert all(path.exists() for path in written)
    assert set(found["run"].policies) == {"identity", "head:bytes=2000", "car"}


def test_every_frame_says_what_each_of_its_columns_is(tmp_path: Path) -> None:
    run = replay(SAMPLE, policies="head", results=tmp_path)
    for name, columns in run.kind.tables.items():
        frame = run.table(name)
        assert set(frame.columns) == set(frame.attrs["columns"]) == {c.name for c in columns}
        assert all(known.keys() == {"kind", "unit", "meaning"} for known in frame.attrs["columns"].values())
        assert frame.head(1).attrs["columns"] == copy.deepcopy(frame.attrs)["columns"]
        frame.to_parquet(tmp_path / "again.parquet")
