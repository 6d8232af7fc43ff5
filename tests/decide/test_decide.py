"""The whole command over the project's own recordings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.decide.budgets import at, path_of, variants
from harness.errors import HarnessError
from harness.policies.spec import make_policy
from tests.conftest import ROOT

SAMPLES = sorted((ROOT / "tasks" / "transcripts" / "openai-chat").iterdir(), key=lambda p: p.stat().st_size)[:1]


def test_the_paths_of_budgets() -> None:
    head = path_of("head")
    assert head.policies[head.default] == "head:bytes=10000"
    assert head.words == "limit in bytes"
    assert 64 <= head.sizes[0] < 90
    assert 45_000 < head.sizes[-1] <= 64_000
    assert all(b / a == pytest.approx(10 ** (1 / 8)) for a, b in zip(head.sizes, head.sizes[1:], strict=False))
    car = path_of("car")
    assert (car.sizes[car.default], car.policies[car.default]) == (600, "car")
    assert at(make_policy("car"), 2).label.startswith("car:text_head_bytes=800,text_tail_bytes=400,seq_head=6")
    spill = path_of("spill")
    assert spill.words == "limit in bytes and keep"
    assert path_of("auto").words == "budget"


def test_a_policy_without_a_size_is_refused() -> None:
    with pytest.raises(HarnessError, match="no one setting for its size"):
        path_of("identity")
    assert variants(("car", "head")) == ("car_read", "car:parse=sniff")


def test_the_page_and_the_twenty_lines(tmp_path: Path) -> None:
    given = ["decide", "car", "head", *map(str, SAMPLES), "--margin", "3", "--prices", "gpt-5.4"]
    given += ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports"), "--json"]
    done = CliRunner().invoke(cli, given)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["schema"], found["a"], found["b"], found["margin"]) == (1, "car", "head:bytes=10000", 0.03)
    assert found["verdict"] == "not shown"
    assert set(found["gaps"]) == {"tokens", "with calls, low", "with calls, high"}
    assert {c["what"] for c in found["changes"]} >= {"a readable handle", "JSON recorded as values"}
    assert len(found["tables"]["along"]) == 2 * len(found["paths"]["a"]["policies"])
    (folder,) = (tmp_path / "reports").iterdir()
    assert "Not shown whether car or head:bytes=10000 is better" in (folder / "index.html").read_text(encoding="utf-8")
    lines = (folder / "decision.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 20
    assert "harness decide car head:bytes=10000" in lines[-2]
    assert folder.name in lines[-1]


def test_at_equal_tokens_a_family_against_itself_under_another_name(tmp_path: Path) -> None:
    """`bytes=10000` is the default of `head`, so both have the same curve."""
    given = ["decide", "head", "head:marker=…", *map(str, SAMPLES), "--results", str(tmp_path / "r")]
    done = CliRunner().invoke(cli, [*given, "--report-dir", str(tmp_path / "p"), "--json"])
    assert done.exit_code == 0, done.output
    gap = json.loads(done.stdout)["gaps"]["tokens"]["bill"]
    assert gap["value"] == pytest.approx(0, abs=0.02)


def test_mistakes_are_said(tmp_path: Path) -> None:
    for given, said in (
        (["car", "car", "x"], "both families are car"),
        (["car", "identity", "x"], "no one setting for its size"),
        (["car"], "B is missing"),
        (["car", "head"], "PATH... is missing"),
    ):
        done = CliRunner().invoke(cli, ["decide", *given, "--results", str(tmp_path)])
        assert isinstance(done.exception, HarnessError)
        assert said in str(done.exception)
