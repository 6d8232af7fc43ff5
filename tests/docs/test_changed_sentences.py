"""What docs/changed-figures.md says that reports print now is what they print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from tests.conftest import ROOT
from tests.report.tunings import write_tunable

PAGE = (ROOT / "docs" / "changed-figures.md").read_text(encoding="utf-8")
SAMPLES = [str(ROOT / "tasks" / "transcripts" / name) for name in ("openai-chat", "claude-code")]
BILLED = str(ROOT / "tests" / "cases" / "cache-cliff")
POLICIES = [word for p in ("head:bytes=0", "head:bytes=2000", "middle:bytes=2000", "car") for word in ("--policy", p)]
COMMANDS = {
    "replay": [["replay", *SAMPLES, *POLICIES, "--all"], ["replay", BILLED, "--policy", "head:bytes=100"]],
    "tune": [["tune", "tunable"], ["tune", "tunable", "--all"]],
    "match": [["match", *SAMPLES, "--policy", "head"]],
}


def rows() -> list[tuple[str, str, str]]:
    """Before, now and of which command."""
    section = PAGE.split("\n## Sentences\n")[1].split("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in re.findall(r"^\| .* \|$", section, flags=re.MULTILINE)]
    return [(row[0], row[1], row[2]) for row in cells[2:]]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By command, what it prints and its page, without line ends."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("sentences"))
        write_tunable(Path("tunable"))
        return {name: "".join(map(output, commands)) for name, commands in COMMANDS.items()}


def output(words: list[str]) -> str:
    done = CliRunner().invoke(cli, words, env={"COLUMNS": "200"}, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    page = Path(done.stdout.splitlines()[-1].removeprefix("report").strip()).read_text(encoding="utf-8")
    return " ".join(f"{done.stdout} {page}".replace("\u00a0", " ").split())


def test_there_are_twelve_at_least() -> None:
    assert len(rows()) >= 12
    assert {command for _, _, command in rows()} == set(COMMANDS)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[1][:40])
def test_what_stands_there_now_is_printed(row: tuple[str, str, str], printed: dict[str, str]) -> None:
    before, now, command = row
    wanted = ".{0,200}?".join(re.escape(part.strip()) for part in now.split("…"))
    assert re.search(wanted, printed[command]), now
    if not before.startswith("("):
        assert before.split(" … ")[0] not in printed[command]
