"""Every command of the program prints lines that fit a terminal of 80 columns; none is forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from harness.cli import cli
from tests.conftest import ROOT
from tests.docs.test_contracts import COMMANDS, SAMPLE, here  # noqa: F401
from tests.live.server import KEY, Server

OPENAI = str(ROOT / "tasks" / "transcripts" / "openai-chat" / "stock-csv.jsonl")
ONE = f"{OPENAI}#stock-csv/negative-count"
COPIED = ("command  ", "again: ")
LONG = json.dumps({"rows": [{"name": "x" * 200, "n": n} for n in range(40)], "word": "long " * 300})
SUITE = 'name = "own"\n[replay.samples]\npaths = ["{sample}"]\npolicies = ["car"]\n'
GOLDEN = str(min((ROOT / "tests" / "golden").glob("*.jsonl"), key=lambda path: path.stat().st_size))

EXAMPLES: dict[str, list[list[str]]] = {name: [words, [*words, "--all"]] for name, words in COMMANDS.items()} | {
    "discover": [["discover"]],
    "inspect": [["inspect", OPENAI]],
    "audit": [["audit", OPENAI]],
    "convert": [["convert", OPENAI, "--as", "openai-messages", "--to", "converted"]],
    "show": [
        ["show", ONE, "--policy", "car", "--request", "3"],
        ["show", ONE, "--policy", "car", "--policy", "head:bytes=300", "--request", "9"],
    ],
    "preview": [["preview", "value.json"], ["preview", "--text", "value.json"], ["preview", "--policy", "head", "-"]],
    "run": [["run", "suite.toml", "--dry-run"], ["run", "suite.toml"]],
    "nightly": [["nightly", "suite.toml", "--dry-run"], ["nightly", "suite.toml"]],
    "reproduce": [["reproduce", "{report}"]],
    "verify": [["verify", "{run}"]],
    "compare": [["compare", "{run}", "{run}"]],
    "history": [["nightly", "suite.toml"], ["nightly", "suite.toml"], ["history"]],
    "report": [["report", "{run}", "--pages", "1"]],
    "conformance": [["conformance", GOLDEN]],
    "list": [["list", "policies"], ["list", "runs"]],
    "new": [["new", "policy", "every-other", "--to", "made"]],
    "doctor": [["doctor"]],
    "server": [["server", "{url}"]],
}


def test_no_command_is_forgotten() -> None:
    assert set(EXAMPLES) == set(cli.list_commands(click.Context(cli)))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_line_fits(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("value.json").write_text(LONG, encoding="utf-8")
    Path("suite.toml").write_text(SUITE.format(sample=SAMPLE), encoding="utf-8")
    known: dict[str, str] = {}
    if name == "server":
        with Server() as server:
            monkeypatch.setenv("OPENAI_API_KEY", KEY)
            _fits([["server", server.url]])
        return
    if any("{" in word for words in EXAMPLES[name] for word in words):
        done = CliRunner().invoke(cli, [*COMMANDS["replay"], "--json"], catch_exceptions=False)
        known = json.loads(done.stdout)
    _fits(
        [w.format(run=Path(known["run"]).name, report=known["report"]) if known else w for w in words]
        for words in EXAMPLES[name]
    )


def _fits(commands: Iterable[list[str]]) -> None:
    for given in commands:
        done = CliRunner().invoke(cli, given, env={"COLUMNS": "80"}, input=LONG, catch_exceptions=False)
        assert done.exit_code in (0, 1), done.output
        assert done.output.strip()
        # What is there to be copied, a path or a command, is not broken.
        wide = [line for line in done.output.splitlines() if len(line) > 80 and not line.startswith(COPIED)]
        assert wide == [], (given, max(map(len, wide)))
