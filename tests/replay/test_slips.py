"""A reader with a bug costs its source and nothing else; the end says so with 3."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.formats.corpus import all_formats
from harness.formats.source import Source
from harness.testing.formats import read
from harness.transcript import Transcript

CHAT = {"messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Done."}]}


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three conversations; of the second the reader stumbles in the middle."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.json").write_text(json.dumps(CHAT), encoding="utf-8")
    (reader,) = [f for f in all_formats() if f.name == "openai-chat"]
    whole = type(reader).read

    def stumbles(self: object, source: Source) -> Iterator[Transcript]:
        for transcript in whole(self, source):  # type: ignore[arg-type]
            if source.name.endswith("b.json"):
                raise KeyError("slip")
            yield transcript

    monkeypatch.setattr(type(reader), "read", stumbles)
    return folder


def test_the_run_goes_on_and_ends_with_three(corpus: Path, tmp_path: Path) -> None:
    places = ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports"), "--policy", "car"]
    done = CliRunner().invoke(cli, ["replay", str(corpus), *places])
    assert done.exit_code == 3
    assert "KeyError: 'slip'" in done.stderr
    assert "1 source left out for a bug, the first b.json" in done.stderr
    (run,) = (tmp_path / "results").iterdir()
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["corpus"]["transcripts"] == 2
    (problem,) = manifest["problems"]
    assert problem["place"] == "b.json"
    assert "in stumbles" in problem["traceback"]
    (report,) = (tmp_path / "reports").iterdir()
    assert "a bug of the reader" in (report / "index.html").read_text(encoding="utf-8")


def test_a_failed_gate_goes_before_it(corpus: Path, tmp_path: Path) -> None:
    places = ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports"), "--policy", "car"]
    assert CliRunner().invoke(cli, ["replay", str(corpus), *places, "--max-bad", "0"]).exit_code == 1


def test_a_fault_of_the_file_is_no_bug() -> None:
    _, intake = read("run.json", b'{"messages": [{"role": "user", "content": ', "openai-chat")
    (problem,) = intake.problems
    assert problem.traceback == ""
