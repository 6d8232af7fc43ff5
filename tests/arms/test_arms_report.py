"""The command, its report, and the same again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from harness.api import arms
from harness.cli import cli
from harness.errors import HarnessError

DATED = "arm,task,rep,passed,turns,cost,model,agent,version,prompt,tools,limits,date"
SAME = "m,agent,1,p,t,none,2026-01-0{day}"


def write(folder: Path, tasks: int = 40, hostile: str = "") -> Path:
    rows = [DATED]
    for arm, every in (("raw", 2), (f"cut{hostile}", 4)):
        for task in range(tasks):
            for rep in (1, 2):
                passed = int((task + rep) % every != 0)
                same = SAME.format(day=1 + (task + (arm != "raw")) % 3)
                rows.append(f"{arm},owner__repo{task % 14}-{task},{rep},{passed},{10 + task % 5},{every / 10},{same}")
    path = folder / "runs.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def invoke(folder: Path, *words: object) -> Result:
    asked = ["arms", *map(str, words), "--results", str(folder / "results"), "--report-dir", str(folder / "reports")]
    return CliRunner().invoke(cli, asked, env={"COLUMNS": "80"})


@pytest.fixture
def record(tmp_path: Path) -> dict[str, Any]:
    done = invoke(tmp_path, write(tmp_path), "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = orjson.loads(done.output)
    return found


def test_the_first_sentence_and_every_table(record: dict[str, Any]) -> None:
    assert record["headline"].startswith("cut: passes more, +25.0 points")
    assert "it can be laid to what the arms are named for" in record["headline"]
    assert set(record["tables"]) == {"arms", "outcomes", "costs", "besides", "reliability"}
    assert {row["state"] for row in record["tables"]["besides"]} == {"same"}
    (money,) = [row for row in record["tables"]["costs"] if row["metric"] == "usd"]
    assert (money["ratio"], money["typical"]) == (pytest.approx(2.0), pytest.approx(2.0))
    by_k = {row["k"]: row["all"] for row in record["tables"]["reliability"] if row["arm"] == "cut"}
    assert by_k[1] == pytest.approx(0.75)


def test_the_same_again(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert invoke(tmp_path, path).exit_code == 0
    (run,) = (tmp_path / "results").iterdir()
    again = CliRunner().invoke(cli, ["reproduce", run.name, "--results", str(tmp_path / "results")])
    assert again.exit_code == 0, again.output
    first = pd.read_parquet(run / "runs.parquet")
    assert len(first) == 160


def test_the_terminal_is_eighty_wide_and_short(tmp_path: Path) -> None:
    done = invoke(tmp_path, write(tmp_path))
    lines = done.output.splitlines()
    assert max(map(len, (line for line in lines if not line.startswith(("run ", "report "))))) <= 80
    assert len(lines) < 45


def test_hostile_names_reach_no_page_unescaped(tmp_path: Path) -> None:
    done = invoke(tmp_path, write(tmp_path, hostile="<script>alert(1)</script>"))
    assert done.exit_code == 0, done.output
    (folder,) = (tmp_path / "reports").iterdir()
    assert "<script>alert(1)" not in (folder / "index.html").read_text(encoding="utf-8")
    assert "<script>" not in re.sub(r"`[^`\n]*`", "", (folder / "report.md").read_text(encoding="utf-8"))


def test_a_notebook_gets_the_run(tmp_path: Path) -> None:
    run = arms([str(write(tmp_path))], results=tmp_path / "results", margin=0.1)
    assert run.table("runs").groupby("arm", observed=True)["passed"].mean().round(2).to_dict() == {
        "raw": 0.5,
        "cut": 0.75,
    }


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=r"none\.csv: no such file"):
        CliRunner().invoke(cli, ["arms", str(tmp_path / "none.csv")], catch_exceptions=False)
