"""Runs out of tables: columns by name, sums and products, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from harness.arms.read import read_arms
from harness.arms.settings import ArmsSettings
from harness.errors import HarnessError

HEAD = "arm,instance_id,resolved,turns,mean_prompt,cost"
ROWS = ["raw,django__django-1,1,10,100,0.5", "raw,django__django-2,0,20,100,0.7", "cut,django__django-1,1,12,50,0.2"]


def table(folder: Path, *rows: str, head: str = HEAD, name: str = "runs.csv") -> str:
    path = folder / name
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def read(*paths: str, **settings: Any) -> dict[str, Any]:
    return read_arms(ArmsSettings(paths, **settings))


def test_columns_are_found_by_their_usual_names(tmp_path: Path) -> None:
    found = read(table(tmp_path, *ROWS))
    assert found["arms"] == ["raw", "cut"]
    assert found["read"]["task"] == "instance_id"
    row = found["runs"][0]
    assert (row["task"], row["cluster"], row["passed"], row["requests"], row["usd"]) == (
        *("django__django-1", "django/django", True, 10.0, 0.5),
    )
    assert row["input_tokens"] is None
    assert row["repetition"] == "1"


def test_sums_and_products_of_columns(tmp_path: Path) -> None:
    found = read(table(tmp_path, *ROWS), columns=("input_tokens=turns*mean_prompt+turns", "task=arm+instance_id"))
    assert [row["input_tokens"] for row in found["runs"]] == [1010.0, 2020.0, 612.0]
    assert found["runs"][0]["task"] == "raw / django__django-1"


def test_a_table_an_arm_and_a_parquet_file(tmp_path: Path) -> None:
    first = table(tmp_path, "1,1", "2,0", head="task,passed", name="first.csv")
    second = tmp_path / "second.parquet"
    pd.DataFrame({"task": ["1", "2"], "passed": [False, None]}).to_parquet(second)
    found = read(f"b={second}", f"a={first}")
    assert found["arms"] == ["b", "a"]
    assert [row["passed"] for row in found["runs"]] == [False, None, True, False]


def test_chosen_arms_get_their_names_and_order(tmp_path: Path) -> None:
    found = read(table(tmp_path, *ROWS), arms=("short=cut", "raw"))
    assert found["arms"] == ["short", "raw"]
    kept = read(table(tmp_path, *ROWS), where=("instance_id=django__django-1",))
    assert len(kept["runs"]) == 2


def test_an_arm_without_any_tokens_did_not_record_them_while_one_run_may_have_none(tmp_path: Path) -> None:
    rows = ["a,1,0", "a,2,0", "b,1,5", "b,2,0"]
    found = read(table(tmp_path, *rows, head="arm,task,input_tokens"))
    assert [row["input_tokens"] for row in found["runs"]] == [None, None, 5.0, 0.0]


def test_runs_that_agree_in_everything_are_one_and_others_are_numbered(tmp_path: Path) -> None:
    head = "arm,task,rep,usd"
    found = read(table(tmp_path, "a,1,1,2", "a,1,1,2", "a,1,1,3", "b,1,1,2", head=head))
    assert [(row["arm"], row["repetition"], row["usd"]) for row in found["runs"]] == [
        ("a", "1.1", 2.0),
        ("a", "1.2", 3.0),
        ("b", "1", 2.0),
    ]
    assert [problem["lost"] for problem in found["problems"]] == [1, 0]


@pytest.mark.parametrize(
    ("rows", "settings", "why"),
    [
        (ROWS, {"columns": ("costs=cost",)}, "no field of a run"),
        (ROWS, {"columns": ("usd=price",)}, "no column price"),
        (ROWS, {"columns": ("usd=instance_id",)}, "where a number belongs"),
        (ROWS, {"columns": ("passed=turns",)}, "passed is true or false"),
        (ROWS, {"columns": ("task=nothing",)}, "no column nothing"),
        (ROWS, {"arms": ("raw", "cuts")}, "no arm cuts .did you mean 'cut'"),
        (ROWS, {"where": ("arm=none",)}, "no row with arm=none"),
    ],
)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, rows: list[str], settings: dict[str, Any], why: str) -> None:
    with pytest.raises(HarnessError, match=f"(?s){why}"):
        read(table(tmp_path, *rows), **settings)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"paths": ("runs.csv",), "doses": ("a=-1",)}, "above 0"),
        ({"paths": ("runs.csv",), "doses": ("a=many",)}, "give a number"),
        ({"paths": ("runs.csv",), "columns": ("task",)}, "write NAME=VALUE"),
        ({"paths": ("runs.csv",), "margin": 5.0}, "five points"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(HarnessError, match=why):
        ArmsSettings(**settings)


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "runs.parquet"
    broken.write_bytes(b"PAR1 no")
    with pytest.raises(HarnessError, match="cannot be read as a table"):
        read(f"a={broken}", f"b={broken}")
