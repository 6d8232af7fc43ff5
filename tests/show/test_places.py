"""What a user names to be written, and which unfinished run `--resume last` means: wrong ones get one sentence, before
any work is done."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.cli import main
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplaySettings
from harness.runs import life
from harness.runs.directory import find_run, is_finished
from harness.runs.places import FolderToWrite
from tests.nightly.nights import replay_suite


def interrupt(done: int, total: int | None) -> None:
    raise KeyboardInterrupt


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return int(stop.value.code or 0)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    replay_suite(tmp_path, transcripts=1)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    return tmp_path


COMMANDS = [
    ("replay", "rec", "--policy", "car"),
    ("bench", "--engine", "tiny", "--tasks", "none.jsonl"),
    ("loop", "--first", "1"),
    ("redrive", "rec", "--engine", "tiny"),
    ("run", "small.toml"),
    ("nightly", "small.toml"),
]
BAD = ["file", "file/below", "link", "/proc/nope", "/dev/null/x", "x" * 300]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_results_folder_that_cannot_be_written(
    words: tuple[str, ...], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(here.rglob("*"))
    for bad in BAD:
        assert run(*words, "--results", bad) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"harness: {bad}: ")
        assert said.endswith("name another folder with --results\n")
        assert said.count("\n") == 1
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize(
    ("words", "option", "what"),
    [
        (("replay", "rec", "--policy", "car"), "--report-dir", "folder"),
        (("nightly", "small.toml"), "--report-dir", "folder"),
        (("report", "last"), "--report-dir", "folder"),
        (("history",), "--report-dir", "folder"),
        (("tune", "rec", "--vary", "text_head_bytes=100:8k"), "--report-dir", "folder"),
        (("loop", "--first", "1"), "--record", "folder"),
        (("redrive", "rec", "--engine", "tiny"), "--record", "file"),
        (("show", "rec/run-0.json"), "--html", "file"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else str(value),
)
def test_other_places_that_cannot_be_written(
    words: tuple[str, ...], option: str, what: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for bad in ["file/below", "/proc/nope", "/dev/null/x", "rec" if what == "file" else "file"]:
        assert run(*words, option, bad) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"harness: {bad}: ")
        assert said.endswith(f"name another {what} with {option}\n")
    assert not (here / "results").exists()
    assert not (here / "reports").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_without_permission(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "shut").mkdir(mode=0o500)
    assert run("replay", "rec", "--results", "shut") == 2
    assert "harness: shut: cannot be written (Permission denied)" in capsys.readouterr().err


def test_what_is_not_there_yet_is_made(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert FolderToWrite().convert("a/b/c", None, None) == Path("a/b/c")
    assert not Path("a").exists()
    assert run("show", "rec/run-0.json", "--html", "page.html") == 0
    assert run("show", "rec/run-0.json", "--html", "page.html") == 0, "a page of before is replaced"
    assert run("show", "rec/run-0.json", "--html", "new/folder/page.html") == 0


def test_resume_last_means_the_newest_unfinished_run_of_that_command(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, results = ReplaySettings(("rec",), ("car",)), Path("results")
    with pytest.raises(KeyboardInterrupt):
        life.run(REPLAY, settings, results, progress=interrupt)
    (ours,) = results.iterdir()
    for name, text in {
        "20990101T000000Z-junk": "not ours\n",
        "20990101T000001Z-empty": "",
        "20990101T000002Z-bench": json.dumps({"kind": "run", "schema": 1, "command": "bench", "settings": {}}) + "\n",
        "20990101T000003Z-newer": '{"kind": "run", "schema": 99}\n',
        "zz": "[1]\n",
    }.items():
        (Path("results") / name).mkdir()
        (Path("results") / name / "journal.jsonl").write_text(text, encoding="utf-8")
    (Path("results") / "zzz").mkdir()
    capsys.readouterr()
    assert run("replay", "--resume", "last", "--json") == 0
    assert is_finished(ours)
    assert capsys.readouterr().err.splitlines() == [
        "passed over zz: its journal is not of a run that this program can go on with",
        "passed over 20990101T000003Z-newer: its journal is not of a run that this program can go on with",
        "passed over 20990101T000002Z-bench: it is of harness bench",
        "passed over 20990101T000001Z-empty: its journal is not of a run that this program can go on with",
        "passed over 20990101T000000Z-junk: its journal is not of a run that this program can go on with",
    ]
    assert run("replay", "--resume", "last") == 2
    assert "no unfinished run of harness replay in results: nothing to resume" in capsys.readouterr().err
    assert run("list", "runs") == 0
    assert find_run(results, "last") == ours


def test_a_path_that_does_not_exist_leaves_no_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", "rec", "none") == 2
    assert capsys.readouterr().err.startswith("harness: none: no such file or directory; name a file or a folder")
    assert not Path("results").exists()


def test_nothing_to_replay_says_why_and_what_to_do(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    Path("bytes").write_bytes(bytes(range(256)) * 20)
    Path("torn.json").write_text('{"messages": [{"ro', encoding="utf-8")
    for path, why in {
        "empty": "(0 skipped, 0 broken): no file in it",
        "bytes": "(1 skipped, 0 broken): bytes: binary, of no known format; harness inspect lists all",
        "torn.json": "(0 skipped, 1 broken): torn.json: ",
    }.items():
        assert run("replay", path, "--policy", "car") == 2
        said = capsys.readouterr().err
        assert said.startswith("harness: nothing to replay, no transcript was found " + why)
        assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "rec", "--jobs", "-1"),
        ("replay", "rec", "--window", "0"),
        ("replay", "rec", "--max-bad", "-1"),
        ("show", "rec/run-0.json", "--request", "0"),
        ("bench", "--engine", "tiny", "--tasks", "t", "--repetitions", "0"),
        ("bench", "--engine", "tiny", "--tasks", "t", "--timeout", "0"),
        ("loop", "--first", "-1"),
        ("nightly", "small.toml", "--limit", "-1"),
        ("run", "small.toml", "--limit", "0"),
        ("report", "last", "--pages", "-1"),
    ],
    ids=" ".join,
)
def test_numbers_out_of_range(words: tuple[str, ...], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 2
    assert f"'{words[-2]}': {words[-1]}" in capsys.readouterr().err.replace(".0 is", " is")
    assert not Path("results").exists()
