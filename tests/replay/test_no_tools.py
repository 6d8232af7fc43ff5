"""A corpus in which no tool was ever called: nothing to cut, and nothing to crash over."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.runs.directory import find_run

CASE = Path(__file__).parents[1] / "cases" / "no_tools.json"


def test_it_is_replayed_and_reported_and_a_run_of_nothing_is_not_the_last(tmp_path: Path) -> None:
    places = ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports")]
    asked = ["--policy", "car", "--policy", "mask_last_n"]
    done = CliRunner().invoke(cli, ["replay", str(CASE), *asked, *places], catch_exceptions=False)
    assert done.exit_code == 0
    run = find_run(tmp_path / "results", "last")
    for format_name in ("html", "md", "csv"):
        written = CliRunner().invoke(cli, ["report", "last", "--format", format_name, *places], catch_exceptions=False)
        assert written.exit_code == 0
    (tmp_path / "empty.json").write_text('{"x": 1}', encoding="utf-8")
    failed = CliRunner().invoke(cli, ["replay", str(tmp_path / "empty.json"), *asked, *places])
    assert isinstance(failed.exception, HarnessError)
    assert find_run(tmp_path / "results", "last") == run
