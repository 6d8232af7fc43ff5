"""The loop against a server: both protocols, whatever goes wrong; nothing is paid twice, and the key stands nowhere."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.loop.kind import LOOP
from harness.loop.settings import LoopHow, LoopSettings
from harness.loop.tasks import tasks
from harness.runs import life
from harness.runs.run import Run
from tests.live.server import KEY, MODEL, Server

FAMILIES, TASKS = ("documents", "tables"), 4
POLICIES = ("head:bytes=2000", "car")
PROTOCOLS = ("openai", "anthropic")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVE_KEY", KEY)
    monkeypatch.setattr("harness.engines.chat_server.FIRST_WAIT", 0.001)


def a_server(**more: Any) -> Server:
    return Server(tasks(FAMILIES, 1, TASKS), **more)


def driver(server: Server, protocol: str, **more: object) -> str:
    settings = {"url": server.url, "model": MODEL, "key": "LIVE_KEY", "retries": 6} | more
    return f"{protocol}:" + ",".join(f"{name}={value}" for name, value in settings.items())


def settings(server: Server, protocol: str, repetitions: int = 1, **more: object) -> LoopSettings:
    return LoopSettings((driver(server, protocol, **more),), POLICIES, FAMILIES, first=TASKS, repetitions=repetitions)


def figures(run: Path) -> pd.DataFrame:
    return Run(run).loop.drop(columns=["retries", "driver"])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("stream", ["true", "false"])
def test_a_server_is_driven(tmp_path: Path, protocol: str, stream: str) -> None:
    with a_server() as server:
        run = life.run(LOOP, settings(server, protocol, stream=stream), tmp_path)
        rows = Run(run).loop
    assert len(rows) == TASKS * 3
    assert rows[rows.policy == "identity"].passed.mean() > 0.5
    assert (rows.requests.sum(), rows.requests.sum()) == (server.posts, sum(server.paid.values()))
    assert (rows.billed_input > 0).all()
    assert set(rows.stopped) == {"answered"}


def test_what_goes_wrong_changes_no_figure(tmp_path: Path) -> None:
    faults = {n: ("429", "half", "500", "drop", "529", "half call", "503")[n % 7] for n in range(1, 40, 2)}
    for protocol in PROTOCOLS:
        with a_server() as fine, a_server(faults=faults) as troubled:
            whole = life.run(LOOP, settings(fine, protocol), tmp_path / protocol / "fine")
            other = life.run(LOOP, settings(troubled, protocol), tmp_path / protocol / "troubled")
            pd.testing.assert_frame_equal(figures(whole), figures(other))
            assert Run(whole).loop.retries.sum() == 0
            assert Run(other).loop.retries.sum() == troubled.posts - fine.posts > 5
            assert sum(troubled.paid.values()) == sum(fine.paid.values())


def test_retries_end_and_the_run_says_why(tmp_path: Path) -> None:
    with a_server(faults={0: "429"}) as server:
        run = life.run(LOOP, settings(server, "openai", retries=1), tmp_path)
    assert set(Run(run).loop.stopped) == {"refused"}
    assert server.posts == 2 * TASKS * 3
    assert not Run(run).loop.passed.any()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_several_tasks_at_once_change_no_figure(tmp_path: Path, protocol: str) -> None:
    with a_server(pause=0.02) as server:
        one = life.run(LOOP, settings(server, protocol), tmp_path / "one")
        many = life.run(LOOP, settings(server, protocol), tmp_path / "many", LoopHow(concurrency=4))
        pd.testing.assert_frame_equal(figures(one), figures(many))
    assert server.most_at_once > 1


def test_a_budget_stops_before_it_is_passed_and_is_gone_on_with(tmp_path: Path) -> None:
    with a_server() as server, a_server() as other:
        asked = settings(server, "openai")
        run = life.run(LOOP, asked, tmp_path / "a", LoopHow(max_total_tokens=18_000))
        manifest = Run(run).manifest
        assert manifest["stopped"]["why"] == "budget"
        assert 0 < manifest["stopped"]["done"] < TASKS
        assert manifest["paid"]["tokens"] <= 18_000
        before = server.posts
        assert life.resume(LOOP, run, LoopHow(max_total_tokens=18_000)) == run
        assert server.posts == before, "nothing was asked without a larger budget"
        life.resume(LOOP, run, LoopHow())
        assert "stopped" not in Run(run).manifest
        assert max(server.paid.values()) <= 3
        assert sum(server.paid.values()) == server.posts
        whole = life.run(LOOP, settings(other, "openai"), tmp_path / "b")
        pd.testing.assert_frame_equal(figures(run), figures(whole))
        assert server.posts == other.posts, "nothing is paid twice"


def command(server: Server, protocol: str, results: Path, *more: str) -> list[str]:
    given = ["loop", "--driver", driver(server, protocol), "--first", str(TASKS), "--results", str(results)]
    for family in FAMILIES:
        given += ["--tasks", family]
    for policy in POLICIES:
        given += ["--policy", policy]
    return [*given, "--report-dir", str(results / "reports"), *more]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_killed_again_and_again_nothing_is_paid_twice(tmp_path: Path, protocol: str) -> None:
    """At most the one request in flight is asked again, for each time that the run was killed."""
    kills = 0
    with a_server() as server, a_server() as other:
        program = [sys.executable, "-m", "harness"]
        again = [*program, *command(server, protocol, tmp_path / "a")]
        for wanted in (4, 9, 15):
            going = subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while server.posts < wanted and going.poll() is None:
                time.sleep(0.002)
            if going.poll() is not None:
                break
            going.send_signal(signal.SIGKILL)
            going.wait()
            kills += 1
            again = [*program, "loop", "--resume", "last", "--results", str(tmp_path / "a")]
            again += ["--report-dir", str(tmp_path / "a" / "reports")]
        assert kills >= 2
        subprocess.run(again, check=True, stdout=subprocess.DEVNULL)
        whole = life.run(LOOP, settings(other, protocol), tmp_path / "b")
        (run,) = (p for p in (tmp_path / "a").iterdir() if (p / "manifest.json").exists())
        pd.testing.assert_frame_equal(figures(run), figures(whole))
        assert server.posts - other.posts <= kills


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_key_stands_nowhere(tmp_path: Path, protocol: str) -> None:
    """The server sends it back in words, errors and headers."""
    faults = {2: "429", 5: "500", 8: "drop", 11: "half", 13: "400", 15: "no json", 17: "401"}
    with a_server(faults=faults, echo=True) as server:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *command(server, protocol, tmp_path), "--all"], capture_output=True
        )
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 20
    for form in (KEY, KEY.replace("/", "\\/"), json.dumps(KEY)[1:-1]):
        assert form.encode() not in said
        assert not [path for path in files if form.encode() in path.read_bytes()]
    assert any(b"[LIVE_KEY]" in path.read_bytes() for path in files), "the server did send it"


def test_what_it_will_cost_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    with a_server() as server:
        given = command(server, "openai", tmp_path, "--dry-run")
        given[2] = driver(server, "openai", metered="yes", price="gpt-5.4")
        done = CliRunner().invoke(cli, given)
        assert done.exit_code == 0, done.output
        assert "4 tasks under 3 policies" in done.output
        assert "USD" in done.output
        found = json.loads(CliRunner().invoke(cli, [*given, "--json"]).output)
        likely, most = found["engines"][0]["likely"], found["engines"][0]["most"]
        assert 0 < likely["usd"] < most["usd"]
        assert 12 <= likely["requests"] < most["requests"] == 12 * 64
        assert server.posts == 0
    assert not list(tmp_path.glob("2*"))


def test_without_a_budget_it_asks_or_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_server() as server:
        given = command(server, "openai", tmp_path)
        given[2] = driver(server, "openai", metered="yes")
        done = CliRunner().invoke(cli, given)
        assert isinstance(done.exception, HarnessError)
        assert "this costs money: give --max-usd" in str(done.exception)
        assert server.posts == 0
        monkeypatch.setattr("harness.show.kind.is_asked", lambda: True)
        assert CliRunner().invoke(cli, given, input="n\n").exit_code == 0
        assert server.posts == 0
        assert CliRunner().invoke(cli, given, input="y\n").exit_code == 0
        assert server.posts > 0


def test_a_budget_in_money_needs_a_price(tmp_path: Path) -> None:
    with a_server() as server:
        given = command(server, "openai", tmp_path, "--max-usd", "1")
        done = CliRunner().invoke(cli, given)
        assert isinstance(done.exception, HarnessError)
        assert "no price is known" in str(done.exception)
        given[2] = driver(server, "openai", price="gpt-5.4")
        given[-1] = "0.02"
        done = CliRunner().invoke(cli, given)
        assert done.exit_code == 1, done.output
        assert "stopped by the budget after" in done.output


def test_the_recordings_are_read_by_replay_and_arms(tmp_path: Path) -> None:
    with a_server() as server:
        run = life.run(LOOP, settings(server, "anthropic", repetitions=2), tmp_path / "results")
    rows = Run(run).loop
    (folder,) = (run / "recordings").iterdir()
    found = {t.id: t for t in read_transcripts([folder], Intake())}
    assert len(found) == len(rows) == TASKS * 3 * 2
    assert sum(len(t.requests()) for t in found.values()) == rows.requests.sum()
    assert (
        sum(m.usage.input_tokens or 0 for t in found.values() for m in t.messages if m.usage) == rows.billed_input.sum()
    )
    assert sum(bool(t.outcome.passed) for t in found.values()) == rows.passed.sum()
    assert {(t.task, t.repetition) for t in found.values()} == {
        (task.partition("#")[0], task.partition("#")[2] or "1") for task in rows.task.astype(str)
    }
    arms = [f"{path.name.partition('-')[0]}={path}" for path in sorted(folder.iterdir())]
    done = CliRunner().invoke(
        cli, ["arms", *arms, "--json", "--results", str(tmp_path / "r"), "--report-dir", str(tmp_path / "p")]
    )
    assert done.exit_code == 0, done.output
    assert "passed" in done.stdout
