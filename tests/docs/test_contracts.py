"""What scripts rely on stands in docs/columns.md as the program has it: columns of Parquet, keys of `--json`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.runs.kinds import kind_names
from harness.show.columns import markdown
from tests.bench.fake import lines, task
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "columns.md"
SAMPLES = ROOT / "tasks" / "transcripts" / "openai-chat"
SAMPLE = str(min(SAMPLES.iterdir(), key=lambda path: path.stat().st_size))
CALL = '{"type": "call", "success": true, "function_calls": [{"name": "set_light", "arguments": {"room": "hall"}}]}\n'
COMMANDS = {
    "replay": ["replay", SAMPLE, "--policy", "car"],
    "bench": ["bench", "--engine", "recorded:path=said.jsonl", "--tasks", "tasks.jsonl", "--repetitions", "1"],
    "grid": ["grid", "--engine", "tiny", "--prompt", "32", "--repetitions", "1", "--starts", "1"],
    "redrive": ["redrive", SAMPLE, "--engine", "recorded:path=said.jsonl", "--window", "60000", "--limit", "2"],
    "loop": ["loop", "--tasks", "sql", "--first", "1", "--policy", "car"],
    "arms": ["arms", "runs.csv", "--dose", "a=1"],
    "decide": ["decide", "head", "tail", SAMPLE],
    "plan": ["plan", "--effect", "0.2", "--repetitions", "2", "--draws", "100"],
    "match": ["match", SAMPLE, "--policy", "head"],
    "after": ["after", SAMPLE],
    "tune": ["tune", SAMPLE, "--policy", "head", "--vary", "bytes=100:900:400"],
}


def compare(name: str, wanted: str) -> None:
    """Whether a part of the page is in step; with HARNESS_UPDATE_DOCS it is written instead."""
    text = PAGE.read_text(encoding="utf-8")
    start, end = f"<!-- {name} -->\n\n", f"\n\n<!-- end of {name} -->"
    found = text.partition(start)[2].partition(end)[0]
    if os.environ.get("HARNESS_UPDATE_DOCS") and found:
        PAGE.write_text(text.replace(f"{start}{found}{end}", f"{start}{wanted}{end}"), encoding="utf-8")
        return
    assert found == wanted, "behind: HARNESS_UPDATE_DOCS=1 python -m pytest tests/docs/test_contracts.py, then look"


def test_every_column_of_every_table_is_on_the_page() -> None:
    compare("columns", markdown())


def keys_of(record: dict[str, Any]) -> str:
    """The keys of a record, and of the rows of its tables."""
    rows = [f"- {', '.join(f'`{key}`' for key in record)}"]
    for name, table in record.get("tables", {}).items():
        if not table:
            continue
        rows.append(f"- `tables.{name}`: {', '.join(f'`{key}`' for key in table[0])}")
    return "\n".join(rows)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("said.jsonl").write_text(CALL * 40, encoding="utf-8")
    rows = [f"{arm},t{n},{r},{(n + r) % 2},{n + 1}" for arm in "ab" for n in range(14) for r in (1, 2)]
    Path("runs.csv").write_text("\n".join(["arm,task,rep,passed,turns", *rows]), encoding="utf-8")
    Path("tasks.jsonl").write_text(lines([task("t1", "hall light"), task("t2", "hall light")]), encoding="utf-8")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", COMMANDS)
def test_every_key_of_the_json_is_on_the_page(name: str) -> None:
    done = CliRunner().invoke(cli, [*COMMANDS[name], "--json"])
    assert done.exit_code == 0, done.output
    found = keys_of(json.loads(done.stdout))
    compare(f"keys of harness {name}", found)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_reproduced(name: str) -> None:
    done = CliRunner().invoke(cli, [*COMMANDS[name], "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)["report"]
    again = CliRunner().invoke(cli, ["reproduce", report, "--json"])
    assert again.exit_code == 0, again.output
    (found,) = json.loads(again.stdout)
    assert found["verdict"] == "reproduced"
    assert found["differs"] == []
    assert found["measured"] > 0
    assert ("pages" in found["not_compared"]) == (name in ("bench", "grid", "loop", "redrive"))


@pytest.mark.usefixtures("here")
def test_an_engine_whose_file_changed_is_refused_by_name() -> None:
    done = CliRunner().invoke(cli, [*COMMANDS["bench"], "--json"])
    Path("said.jsonl").write_text(CALL * 41, encoding="utf-8")
    with pytest.raises(HarnessError, match=r"engine recorded:path=said\.jsonl: its recording changed since run"):
        CliRunner().invoke(cli, ["reproduce", json.loads(done.stdout)["report"]], catch_exceptions=False)


def test_every_kind_has_an_example() -> None:
    assert set(COMMANDS) == set(kind_names())
