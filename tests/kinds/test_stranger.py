"""A kind of run that a stranger wrote, in a package of its own, has all that ours have."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli import main
from harness.runs.directory import list_runs
from harness.runs.run import Run
from tests.kinds.plugins import site

SOURCE = Path(__file__).parent / "words_kind.py"
SUITE = '[words.w]\npaths = ["a.txt", "b.txt"]\nletters = 2\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "site").mkdir()
    (tmp_path / "a.txt").write_text("one two three", encoding="utf-8")
    (tmp_path / "b.txt").write_text("a four", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with site(tmp_path / "site", monkeypatch) as install:
        install("words_kind", SOURCE.read_text(encoding="utf-8"), {"harness.kinds": {"words": "words_kind:KIND"}})
        yield tmp_path


def harness(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return int(stop.value.code or 0)


def test_it_is_short() -> None:
    assert len(SOURCE.read_text(encoding="utf-8").splitlines()) < 200


def test_its_command_its_report_and_its_citation(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert harness("words", "a.txt", "b.txt", "--letters", 2) == 0
    out = capsys.readouterr().out
    assert "4 words." in out
    page = Path(out.strip().splitlines()[-1].split()[1])
    assert "4 words." in page.read_text(encoding="utf-8")
    assert "harness words a.txt b.txt --letters 2" in page.with_name("report.md").read_text(encoding="utf-8")
    assert harness("list", "kinds", "--json") == 0
    assert json.loads(capsys.readouterr().out)[-1] == {
        "kind": "words", "what": "Count the words of text files.", "tables": "words"
    }  # fmt: skip
    assert harness("words", "--help") == 0
    assert "--letters N" in capsys.readouterr().out


def test_a_run_that_was_cut_off_goes_on(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "b.txt").write_text("STOP", encoding="utf-8")
    assert harness("words", "a.txt", "b.txt") == 2
    assert "--resume last" in capsys.readouterr().err
    assert harness("words", "--resume", "last") == 2, "it cannot go on yet"
    (here / "b.txt").write_text("a four", encoding="utf-8")
    assert harness("words", "--resume", "last") == 2
    assert "b.txt changed since this run began; start a new run" in capsys.readouterr().err
    (here / "b.txt").write_text("STOP", encoding="utf-8")
    (here / "site" / "words_kind.py").write_text(
        SOURCE.read_text(encoding="utf-8").replace('"STOP" in text', "False"), encoding="utf-8"
    )
    from tests.kinds.plugins import forget

    forget(["words_kind"])
    assert harness("words", "--resume", "last") == 0
    (run,) = list_runs(here / "results")
    assert Run(run).table("words")["words"].tolist() == [3, 1]


def test_a_suite_a_night_and_what_follows(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.toml").write_text(SUITE, encoding="utf-8")
    assert harness("run", "s.toml") == 0
    assert "── words w" in capsys.readouterr().out
    assert harness("nightly", "s.toml") == 0
    assert harness("nightly", "s.toml", "--accept", "--why", "the first") == 0
    assert harness("nightly", "s.toml") == 0
    capsys.readouterr()
    Path("a.txt").write_text("one two", encoding="utf-8")
    assert harness("nightly", "s.toml") == 1
    said = capsys.readouterr().out.strip().splitlines()[-1]
    assert "w/all/words got worse: 4 → 3 (-25 %); cause: inputs: a.txt is another" in said
    first, *_, last = list_runs(here / "results")
    assert harness("compare", first.name, last.name, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["figure"]: row["after"] for row in found["rows"]}["words"] == 3
    assert harness("history", "--json") == 0
    assert "words" in capsys.readouterr().out


def test_its_command_makes_it_again(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert harness("words", "a.txt", "b.txt", "--letters", 2, "--json") == 0
    done = json.loads(capsys.readouterr().out)
    assert harness(*shlex.split(Run(Path(done["run"])).command())[1:]) == 0
    capsys.readouterr()
    assert harness("reproduce", done["report"]) == 0
    out = capsys.readouterr().out
    assert "words.parquet: 2 columns, 2 rows, equal to the byte, as Parquet and as CSV" in out
    assert "words.parquet: not compared (live): seconds" in out
    Path("a.txt").write_text("other", encoding="utf-8")
    assert harness("reproduce", done["report"]) == 2
    assert "a.txt" in capsys.readouterr().err
