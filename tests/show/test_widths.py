"""Everything that is printed fits a terminal of 80 columns, and a summary is one screen."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from harness.cli import cli
from tests.conftest import ROOT

SAMPLE = str(ROOT / "tasks" / "transcripts" / "openai-chat" / "stock-csv.jsonl")
LISTS = ("formats", "policies", "engines", "exporters", "tokenizers", "tasks", "suites", "runs", "kinds", "dialects")
PATHS = ("run ", "report ")


def printed(*words: str) -> list[str]:
    result = CliRunner().invoke(cli, list(words), env={"COLUMNS": "80"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


@pytest.mark.parametrize("what", LISTS)
def test_lists_fit(what: str, tmp_path: Path) -> None:
    more = ["--results", str(tmp_path)] if what == "runs" else []
    assert max(map(len, printed("list", what, *more)), default=0) <= 80


@pytest.mark.parametrize("command", ["inspect", "audit"])
def test_looking_at_a_recording_fits(command: str) -> None:
    assert max(map(len, printed(command, SAMPLE))) <= 80


def test_nothing_found_is_said_in_lines_that_fit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert max(map(len, printed("discover"))) <= 80


@pytest.mark.parametrize("policies", [("car", "head", "tail", "spill"), ()])
def test_a_replay_is_a_screen(policies: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = printed("replay", SAMPLE, *(word for policy in policies for word in ("--policy", policy)))
    assert max(len(line) for line in lines if not line.startswith(PATHS)) <= 80
    assert len(lines) <= 40


@pytest.mark.parametrize("name", cli.list_commands(click.Context(cli)))
def test_help_fits(name: str) -> None:
    assert max(map(len, printed(name, "--help"))) <= 80
