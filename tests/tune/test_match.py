"""Policies at one price: the sizes, the rows and the files."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.policies.spec import make_policy
from harness.runs.run import Run
from harness.tune.match import match, size_of
from harness.tune.settings import MatchSettings
from tests.conftest import ROOT

SAMPLES = sorted((ROOT / "tasks" / "transcripts" / "openai-chat").iterdir(), key=lambda p: p.stat().st_size)[:4]
PATHS = tuple(map(str, SAMPLES))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What the command gives for a program, and the folder of its report."""
    folder = tmp_path_factory.mktemp("match")
    given = ["match", *PATHS, "--policy", "head", "--policy", "middle", "--policy", "auto", "--json"]
    found = CliRunner().invoke(cli, [*given, "--results", str(folder / "results"), "--report-dir", str(folder)])
    assert found.exit_code == 0, found.output
    record = orjson.loads(found.output)
    return record, Path(record["report"]).parent


def test_every_policy_costs_what_car_costs(done: tuple[dict[str, Any], Path]) -> None:
    record, _ = done
    by_name = {row["policy"].partition(":")[0]: row for row in record["policies"]}
    assert list(by_name) == ["identity", "car", "car_read", "head", "middle", "auto"]
    assert by_name["car"]["input_tokens"] == record["input_tokens"]
    for name in ("head", "middle", "auto"):
        assert by_name[name]["matched"]
        assert by_name[name]["input_tokens"] == pytest.approx(record["input_tokens"], rel=0.01)
    assert by_name["head"]["size"] == {"limit": make_policy(by_name["head"]["policy"]).settings["limit"]}


def test_the_rows_are_those_of_the_replay(done: tuple[dict[str, Any], Path]) -> None:
    record, _ = done
    frame = Run(Path(record["run"])).transcripts
    for row in record["policies"]:
        own = frame[frame.policy == row["policy"]]
        assert row["input_tokens"] == own.input_tokens.sum()
        assert row["evidence"]["visible"] == own.visible.sum()
        assert row["unrecoverable"]["pairs"] == own.unrecoverable.sum()
    best = [row for row in record["policies"] if row["best"]]
    cut = [row for row in record["policies"] if row["policy"].startswith(("head:", "middle:"))]
    assert len(best) == 1
    assert best[0]["evidence"]["visible"] == max(row["evidence"]["visible"] for row in cut)


def test_the_files_hold_every_policy(done: tuple[dict[str, Any], Path]) -> None:
    record, folder = done
    lines = list(csv.reader((folder / "csv" / "match.csv").read_text(encoding="utf-8").splitlines()))
    assert [line[0] for line in lines[1:]] == [row["policy"] for row in record["policies"]]
    assert [int(line[1]) for line in lines[1:]] == [row["input_tokens"] for row in record["policies"]]
    assert {key: record["columns"][key]["kind"] for key in ("visible", "unrecoverable")} == {
        "visible": "measured",
        "unrecoverable": "estimated",
    }
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert "At the price of car" in page
    assert "Rests on" in page
    assert "best truncation" in page
    assert "fewer than 12: the total is exact for this corpus and no more" in page
    assert (folder / "plots" / "match.svg").read_text(encoding="utf-8").count("best truncation") == 1


def test_a_policy_that_no_size_brings_to_the_price_is_not_the_best_of_it(tmp_path: Path) -> None:
    recording = tmp_path / "one_line.json"
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "which?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "word " * 400 + "order-7731 " + "word " * 400},
        {"role": "assistant", "content": "order-7731"},
    ]
    recording.write_bytes(orjson.dumps({"messages": messages}))
    given = ["match", str(recording), "--policy", "head", "--policy", "middle:lines=1"]
    found = CliRunner().invoke(cli, [*given, "--results", str(tmp_path / "results"), "--report-dir", str(tmp_path)])
    assert found.exit_code == 0, found.output
    said = " ".join(found.stdout.split())
    assert re.search(r"middle:lines=\d+ differs by \+[\d.]+ %: no size brings it nearer", said)
    assert "best truncation: head:bytes=" in said
    assert found.stdout.splitlines()[-1].endswith("index.html")


def test_the_nearest_of_all_sizes_is_found() -> None:
    """Against head itself: the size that it has."""
    found = match(MatchSettings(PATHS[:2], "head:bytes=700", ("head",)))
    assert found.matched[0].tokens == found.tokens


@pytest.mark.parametrize("policy", ["car", "identity", "mask_last_n"])
def test_a_policy_without_a_size_is_refused(policy: str) -> None:
    with pytest.raises(HarnessError, match="has no one setting for its size"):
        size_of(make_policy(policy))


def test_nothing_to_match_is_said(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="no transcript with a request"):
        match(MatchSettings((str(tmp_path),), "car", ("head",)))
