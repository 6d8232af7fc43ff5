"""Transcripts that share answers stand in the report, and what of them was counted."""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.replay.kind import REPLAY
from harness.replay.sections.audit import audit_transcripts
from harness.replay.sections.part import Replay
from harness.replay.settings import ReplaySettings
from harness.report.table import Table
from harness.runs import life
from harness.runs.run import Run
from tests.conftest import ROOT

SAMPLE = sorted((ROOT / "tasks" / "transcripts" / "claude-code").rglob("*.jsonl"))[0]


def replayed(folder: Path, tmp_path: Path) -> Run:
    return Run(life.run(REPLAY, ReplaySettings((str(folder),), ("head:bytes=500",)), tmp_path / "results"))


def test_a_copy_and_a_fork_are_listed_with_what_is_counted(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    lines = SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
    answers = [n for n, line in enumerate(lines) if '"type":"assistant"' in line.replace(" ", "")]
    (folder / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    shutil.copy(folder / "a.jsonl", folder / "b.jsonl")
    whole = replayed(folder, tmp_path)
    (copy,) = _named(Replay(whole), "pairs")
    row = copy.records()[0]
    assert (row["kind"], row["counted"]) == ("copy", "left out")
    assert row["copy"] != row["original"]
    assert row["answers"] > 0
    assert len(answers) >= row["answers"]
    identity = whole.transcripts[whole.transcripts["policy"] == "identity"]
    assert audit_transcripts(identity, whole.manifest).duplicates == (row["copy"],)


def test_what_both_count_is_not_called_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    shutil.copy(SAMPLE, folder / "a.jsonl")
    run = replayed(folder, tmp_path)
    run.manifest["copies"] = [
        {"copy": "a.jsonl", "original": "c.jsonl", "kind": "alike", "answers": 9, "left": False},
        {"copy": "d.jsonl", "original": "c.jsonl", "kind": "fork", "answers": 3, "left": False},
    ]
    identity = run.transcripts[run.transcripts["policy"] == "identity"]
    assert audit_transcripts(identity, run.manifest).duplicates == ()
    (pairs,) = _named(Replay(run), "pairs")
    assert [row["counted"] for row in pairs.records()] == ["both", "its other answers"]


def _named(part: Replay, name: str) -> list[Table]:
    return [table for table in part.tables() if table.name == name]
