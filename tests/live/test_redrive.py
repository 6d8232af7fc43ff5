"""A re-drive of a server: what it will cost, a budget, killed and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.redrive.kind import REDRIVE
from harness.redrive.settings import RedriveHow, RedriveSettings
from harness.runs import life
from harness.runs.run import Run
from tests.conftest import ROOT
from tests.live.server import KEY, MODEL, Server

SAMPLE = sorted((ROOT / "tasks" / "transcripts" / "openai-chat").iterdir(), key=lambda p: p.stat().st_size)[0]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVE_KEY", KEY)


def settings(server: Server, protocol: str) -> RedriveSettings:
    spec = f"{protocol}:url={server.url},model={MODEL},key=LIVE_KEY"
    return RedriveSettings((str(SAMPLE),), (spec,), ("head:bytes=500",), window=32_000, limit=3)


def figures(run: Path) -> pd.DataFrame:
    return Run(run).redrive.drop(columns=["seconds", "first_seconds", "engine"])


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_budget_stops_it_and_nothing_is_paid_twice(tmp_path: Path, protocol: str) -> None:
    with Server() as server, Server() as other:
        whole = life.run(REDRIVE, settings(other, protocol), tmp_path / "whole")
        paid = Run(whole).manifest["paid"]
        assert paid["requests"] == other.posts > 2
        asked = settings(server, protocol)
        run = life.run(REDRIVE, asked, tmp_path / "part", RedriveHow(max_total_tokens=paid["tokens"]))
        assert Run(run).manifest["stopped"]["why"] == "budget"
        assert Run(run).manifest["paid"]["tokens"] <= paid["tokens"]
        assert server.posts < other.posts
        life.resume(REDRIVE, run, RedriveHow())
        assert server.posts == other.posts
        assert max(server.paid.values()) == max(other.paid.values())
        pd.testing.assert_frame_equal(figures(run), figures(whole))


def test_the_forecast_is_what_is_asked(tmp_path: Path) -> None:
    with Server() as server:
        asked = settings(server, "openai")
        given = [
            "redrive",
            str(SAMPLE),
            "--engine",
            asked.engines[0],
            "--policy",
            "head:bytes=500",
            "--window",
            "32000",
        ]
        given += ["--limit", "3", "--results", str(tmp_path)]
        done = CliRunner().invoke(cli, [*given, "--dry-run", "--json"])
        assert done.exit_code == 0, done.output
        assert server.posts == 0
        likely = json.loads(done.stdout)["engines"][0]["likely"]
        life.run(REDRIVE, asked, tmp_path / "run")
        assert likely["requests"] == server.posts
