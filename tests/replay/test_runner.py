"""The whole runner on small recordings: the same bytes with any number of workers and after any interruption."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest

from harness.errors import HarnessError
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplayHow, ReplaySettings
from harness.runs import life
from harness.runs.run import Run

POLICIES = ("identity", "head:bytes=200", "middle:bytes=100", "car")
TABLES = ("requests.parquet", "results.parquet", "transcripts.parquet")


def conversation(seed: int, turns: int = 6) -> dict[str, object]:
    rng = random.Random(seed)
    messages: list[dict[str, object]] = [
        {"role": "system", "content": "Use the tools."},
        {"role": "user", "content": "go"},
    ]
    for n in range(turns):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "look", "arguments": json.dumps({"n": n})}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        text = " ".join(rng.choice(["alpha", "beta", "gamma", "δ"]) for _ in range(rng.randrange(400)))
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": text})
    messages.append({"role": "assistant", "content": "done"})
    return {"messages": messages}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "deep").mkdir(parents=True)
    for n in range(10):
        place = folder / ("deep" if n % 2 else ".") / f"run-{n}.json"
        place.write_text(json.dumps(conversation(n)), encoding="utf-8")
    lines = "".join(json.dumps(conversation(100 + n)) + "\n" for n in range(5))
    (folder / "many.jsonl").write_text(lines + '{"messages": [{"role": "us', encoding="utf-8")
    (folder / "notes.txt").write_text("nothing to read here", encoding="utf-8")
    return folder


def settings_for(corpus: Path) -> ReplaySettings:
    return ReplaySettings((str(corpus),), POLICIES)


def comparable(run: Path) -> dict[str, object]:
    """Everything in a run that must not depend on how it came about."""
    manifest = orjson.loads((run / "manifest.json").read_bytes())
    for key in ("run", "started", "finished", "seal"):
        del manifest[key]
    del manifest["files"]["journal.jsonl"]  # its lines stand in the order in which they were done
    del manifest["environment"]["git"]
    return {name: (run / name).read_bytes() for name in TABLES} | {"manifest": manifest}


def test_the_tables_hold_every_transcript_policy_request_and_result(corpus: Path, tmp_path: Path) -> None:
    run = Run(life.run(REPLAY, settings_for(corpus), tmp_path / "results"))
    assert len(run.transcripts) == 15 * 4
    assert len(run.requests) == 15 * 4 * 7
    assert len(run.results) == 15 * 4 * 6
    assert run.policies == list(POLICIES)
    sums = run.requests.groupby(["transcript", "policy"], observed=True)["prompt_tokens"].sum()
    totals = run.transcripts.set_index(["transcript", "policy"])["input_tokens"]
    assert (sums.sort_index() == totals.sort_index()).all()


def test_what_cannot_be_read_is_listed_with_its_place(corpus: Path, tmp_path: Path) -> None:
    manifest = Run(life.run(REPLAY, settings_for(corpus), tmp_path / "results")).manifest
    assert [name for name, _ in manifest["skipped"]] == ["notes.txt"]
    assert [p["place"] for p in manifest["problems"]] == ["many.jsonl: line 6"]
    assert "ends in the middle" in manifest["problems"][0]["reason"]


def test_two_workers_write_the_same_bytes_as_one(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = life.run(REPLAY, settings_for(corpus), tmp_path / "one")
    monkeypatch.setattr("harness.replay.shards.SHARD_BYTES", 4000)
    monkeypatch.setattr("harness.replay.shards.STRIPE_BYTES", 4000)
    two = life.run(REPLAY, settings_for(corpus), tmp_path / "two", ReplayHow(2))
    assert comparable(one) == comparable(two)


def test_resumed_from_any_line_the_run_is_the_same(corpus: Path, tmp_path: Path) -> None:
    whole = life.run(REPLAY, settings_for(corpus), tmp_path / "results")
    expected = comparable(whole)
    lines = (whole / "journal.jsonl").read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines), 4):
        cut = tmp_path / "cut" / str(kept)
        cut.mkdir(parents=True)
        torn = lines[kept][: len(lines[kept]) // 2]
        (cut / "journal.jsonl").write_bytes(b"".join(lines[:kept]) + torn)
        assert comparable(life.resume(REPLAY, cut)) == expected


def test_a_finished_run_is_not_touched_by_resume(corpus: Path, tmp_path: Path) -> None:
    run = life.run(REPLAY, settings_for(corpus), tmp_path / "results")
    before = {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in run.iterdir()}
    assert life.resume(REPLAY, run) == run
    assert {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in run.iterdir()} == before


def test_a_file_that_changed_since_is_noticed_on_resume(corpus: Path, tmp_path: Path) -> None:
    run = life.run(REPLAY, settings_for(corpus), tmp_path / "results")
    (run / "manifest.json").unlink()
    (corpus / "run-0.json").write_text(json.dumps(conversation(0, turns=9)), encoding="utf-8")
    with pytest.raises(HarnessError, match=r"run-0\.json: changed since this run read it"):
        life.resume(REPLAY, run)


def test_relative_paths_are_not_taken_from_another_folder_on_resume(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = life.run(REPLAY, ReplaySettings(("corpus",), POLICIES), tmp_path / "results")
    (run / "manifest.json").unlink()
    (tmp_path / "other" / "corpus").mkdir(parents=True)
    (tmp_path / "other" / "corpus" / "run-99.json").write_text(json.dumps(conversation(99)), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "other")
    with pytest.raises(HarnessError, match="go on with it from there"):
        life.resume(REPLAY, run)
    monkeypatch.chdir(tmp_path)
    assert life.resume(REPLAY, run) == run


def test_a_file_that_was_read_in_part_and_changed_is_noticed_too(corpus: Path, tmp_path: Path) -> None:
    run = life.run(REPLAY, settings_for(corpus), tmp_path / "results")
    lines = (run / "journal.jsonl").read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b"many.jsonl" in line)
    (run / "manifest.json").unlink()
    (run / "journal.jsonl").write_bytes(b"".join(lines[: at + 1]))
    with (corpus / "many.jsonl").open("ab") as stream:
        stream.write(b"\n")
    with pytest.raises(HarnessError, match=r"many\.jsonl: changed since this run read it"):
        life.resume(REPLAY, run)


def test_stripes_of_another_number_are_not_counted_twice(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = comparable(life.run(REPLAY, settings_for(corpus), tmp_path / "results"))
    monkeypatch.setattr("harness.replay.shards.STRIPE_BYTES", 4000)
    run = life.run(REPLAY, settings_for(corpus), tmp_path / "striped", ReplayHow(2))
    (run / "manifest.json").unlink()
    assert comparable(life.resume(REPLAY, run)) == expected


def test_an_unknown_policy_stops_before_a_run_directory_exists(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="no policies called 'haed'"):
        life.run(REPLAY, ReplaySettings((str(corpus),), ("haed",)), tmp_path / "results")
    assert not (tmp_path / "results").exists()


def killed_at(corpus: Path, results: Path, delay: float) -> None:
    command = [sys.executable, "-m", "harness", "replay", str(corpus), "--results", str(results)]
    for policy in POLICIES:
        command += ["--policy", policy]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=results.parent)
    time.sleep(delay)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()


@pytest.mark.slow
def test_killed_at_random_moments_and_resumed_the_files_are_the_same(corpus: Path, tmp_path: Path) -> None:
    for n in range(60):
        (corpus / f"more-{n}.json").write_text(json.dumps(conversation(1000 + n, turns=30)), encoding="utf-8")
    started = time.monotonic()
    whole = life.run(REPLAY, settings_for(corpus), tmp_path / "whole")
    length = time.monotonic() - started + 1.0
    expected = comparable(whole)
    rng = random.Random(5)
    interrupted = 0
    for n in range(20):
        results = tmp_path / f"killed-{n}" / "results"
        results.parent.mkdir()
        killed_at(corpus, results, rng.uniform(0.3, length))
        runs = sorted(results.glob("*/journal.jsonl")) if results.exists() else []
        for journal in runs:
            if journal.stat().st_size == 0:
                continue
            interrupted += not (journal.parent / "manifest.json").exists()
            assert comparable(life.resume(REPLAY, journal.parent)) == expected
    assert interrupted >= 5
