"""Arms out of recordings."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from harness.arms.kind import ARMS
from harness.arms.settings import ArmsSettings
from harness.errors import HarnessError
from harness.runs import life
from harness.runs.run import Run
from tests.formats.test_tau_bench import run as trial

MODEL = "gpt-5.4"


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def chat(prompts: list[int | None], told: str = "You code.") -> dict[str, Any]:
    """A conversation of so many requests; None for one without usage."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": told}, {"role": "user", "content": "Go."}]
    for n, tokens in enumerate(prompts):
        usage = {} if tokens is None else {"usage": {"prompt_tokens": tokens, "completion_tokens": 10}}
        call = {"id": f"c{n}", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        extra = {"extra": {"response": {"id": f"{told}{prompts}{n}", "model": MODEL, "choices": [], **usage}}}
        messages.append({"role": "assistant", "content": f"Step {n}.", "tool_calls": [call], **extra})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"Seen {n} {prompts}."})
    return {"trajectory_format": "mini-swe-agent-1", "messages": messages, "info": {}}


def made(tmp_path: Path, *paths: str, **settings: Any) -> Run:
    return Run(life.run(ARMS, ArmsSettings(paths, **settings), tmp_path / "results"))


def rows(run: Run) -> list[dict[str, Any]]:
    frame = run.table("runs")
    return frame.astype(object).where(frame.notna(), None).to_dict("records")  # type: ignore[no-any-return]


def test_task_repetition_and_outcome_are_what_the_recording_says(tmp_path: Path) -> None:
    for arm, rewards in (("a", (1.0, 0.0)), ("b", (0.0, 0.5))):
        put(tmp_path / arm / "runs.json", [trial(3, n) | {"reward": reward} for n, reward in enumerate(rewards)])
    found = rows(made(tmp_path, str(tmp_path / "a"), f"cut={tmp_path / 'b'}"))
    assert [(r["arm"], r["task"], r["repetition"], r["passed"], r["score"]) for r in found] == [
        ("a", "3", "0", True, 1.0), ("a", "3", "1", False, 0.0),
        ("cut", "3", "0", False, 0.0), ("cut", "3", "1", False, 0.5),
    ]  # fmt: skip
    assert {(r["requests"], r["calls"], r["input_tokens"]) for r in found} == {(4.0, 3.0, None)}


def test_the_transcripts_of_a_run_are_summed_and_known_only_where_all_are(tmp_path: Path) -> None:
    put(tmp_path / "a" / "r1" / "plan.traj.json", chat([100, 200]))
    put(tmp_path / "a" / "r1" / "code.traj.json", chat([300]))
    put(tmp_path / "a" / "r2" / "plan.traj.json", chat([100, None]))
    put(tmp_path / "b" / "r1" / "plan.traj.json", chat([50]))
    found = rows(made(tmp_path, f"a={tmp_path / 'a'}", f"b={tmp_path / 'b'}", task="one", repetition="folder:1"))
    assert [(r["arm"], r["repetition"], r["transcripts"], r["requests"], r["calls"]) for r in found] == [
        ("a", "r1", 2, 3.0, 3.0), ("a", "r2", 1, 2.0, 2.0), ("b", "r1", 1, 1.0, 1.0)
    ]  # fmt: skip
    assert [(r["input_tokens"], r["output_tokens"]) for r in found] == [(600.0, 30.0), (None, None), (50.0, 10.0)]
    assert found[0]["usd"] == pytest.approx((600 * 2.5 + 30 * 15) / 1e6), "gpt-5.4, without a cache"
    assert found[1]["usd"] is None
    assert {r["model"] for r in found} == {MODEL}
    assert len({r["prompt"] for r in found}) == 1
    assert found[0]["prompt"] != ""
    assert {r["passed"] for r in found} == {None}


def test_a_task_in_a_folder_or_a_file(tmp_path: Path) -> None:
    for arm in "ab":
        put(tmp_path / arm / "t1" / "x.traj.json", chat([1]))
        put(tmp_path / arm / "t2" / "x.traj.json", chat([2]))
    arms = [f"{arm}={tmp_path / arm}" for arm in "ab"]
    assert [r["task"] for r in rows(made(tmp_path, *arms, task="folder:1"))] == ["t1", "t2"] * 2
    assert [r["task"] for r in rows(made(tmp_path, *arms, task="file"))] == ["t1/x.traj.json", "t2/x.traj.json"] * 2


def test_what_nothing_says_is_asked_for(tmp_path: Path) -> None:
    put(tmp_path / "a" / "x.traj.json", chat([1]))
    put(tmp_path / "a" / "y.traj.json", chat([2]))
    with pytest.raises(HarnessError, match=r"arm a: x\.traj\.json does not say its task; .*--task folder:1"):
        made(tmp_path, str(tmp_path / "a"))
    with pytest.raises(HarnessError, match=r"task all: 2 recordings, .*--repetition file"):
        made(tmp_path, str(tmp_path / "a"), task="one")
    assert [r["repetition"] for r in rows(made(tmp_path, str(tmp_path / "a"), task="one", repetition="file"))] == [
        "x.traj.json", "y.traj.json"
    ]  # fmt: skip
    with pytest.raises(HarnessError, match=r"--task folder: write field, file, one, or folder:N"):
        ArmsSettings(("a",), task="folder")
    with pytest.raises(HarnessError, match="no recording in"):
        made(tmp_path, str(put(tmp_path / "c" / "x.json", {"nothing": 1}).parent))
    with pytest.raises(HarnessError, match=r"some arms are tables \(\.csv, .* give one sort"):
        made(tmp_path, "a.csv", str(tmp_path / "a"))


def test_outcomes_in_a_table(tmp_path: Path) -> None:
    for arm in "ab":
        put(tmp_path / arm / "t1" / "x.traj.json", chat([1]))
        put(tmp_path / arm / "t2" / "x.traj.json", chat([2]))
    table = tmp_path / "o.csv"
    table.write_text("arm,task,resolved\na,t1,1\na,t2,0\nb,t1,1\nb,t9,1\n", encoding="utf-8")
    arms = [f"{arm}={tmp_path / arm}" for arm in "ab"]
    run = made(tmp_path, *arms, task="folder:1", outcomes=str(table))
    assert [(r["arm"], r["task"], r["passed"]) for r in rows(run)] == [
        ("a", "t1", True), ("a", "t2", False), ("b", "t1", True), ("b", "t2", None)
    ]  # fmt: skip
    assert run.manifest["problems"] == [{"place": "--outcomes: b, t9", "reason": "no recording of this run", "lost": 1}]
    table.write_text("task,resolved\nt1,1\nt1,0\n", encoding="utf-8")
    with pytest.raises(HarnessError, match="t1 stands in it twice"):
        made(tmp_path, *arms, task="folder:1", outcomes=str(table))
    table.write_text("task,colour\nt1,1\n", encoding="utf-8")
    with pytest.raises(HarnessError, match="neither passed nor score"):
        made(tmp_path, *arms, task="folder:1", outcomes=str(table))


def test_other_prompts_and_other_models_are_differences(tmp_path: Path) -> None:
    put(tmp_path / "a" / "t" / "x.traj.json", chat([1]))
    put(tmp_path / "b" / "t" / "x.traj.json", chat([1], told="You code. Use the handles."))
    run = made(tmp_path, *(f"{arm}={tmp_path / arm}" for arm in "ab"), task="folder:1")
    (row,) = [row for row in ARMS.report(run).record()["tables"]["besides"] if row["item"] == "prompt"]
    assert row["state"] == "differs"


def test_tokbench_is_not_shown_and_says_what_would_show_it(shared: Path, tmp_path: Path) -> None:
    place = shared / "arms" / "tokbench"
    run = made(tmp_path, f"native={place / 'native'}", f"rtk={place / 'rtk'}", task="one", repetition="folder:1")
    found = rows(run)
    assert [r["requests"] for r in found] == [180, 159, 179, 191, 163, 201, 163, 188]
    assert {r["transcripts"] for r in found} == {8}
    said = ARMS.report(run).screen().headline
    assert "requests: not shown, since runs of one task differ by 9 %" in said
    assert "takes 14 runs an arm" in said
    assert "not an effect of the policy" in said


def test_four_trials_of_tau_bench_equal_a_count_of_all_choices(corpora: Path, tmp_path: Path) -> None:
    """pass^k and pass@k over every choice of k of the four trials, counted out."""
    run = made(tmp_path, f"gpt-4o={corpora / 'tau-bench-split'}")
    (file,) = (corpora / "tau-bench-split").glob("*.json")
    rewards: dict[int, list[bool]] = {}
    for one in json.loads(file.read_text(encoding="utf-8")):
        rewards.setdefault(one["task_id"], []).append(one["reward"] == 1.0)
    assert Counter(map(len, rewards.values())) == {4: 25}
    found = ARMS.report(run).record()["tables"]["reliability"]
    assert [row["k"] for row in found] == [1, 2, 3, 4]
    for row in found:
        chosen = [list(combinations(passed, row["k"])) for passed in rewards.values()]
        assert row["all"] == pytest.approx(fmean(fmean(map(all, each)) for each in chosen), abs=1e-12)
        assert row["any"] == pytest.approx(fmean(fmean(map(any, each)) for each in chosen), abs=1e-12)
    assert [round(row["all"], 3) for row in found] == [0.31, 0.193, 0.17, 0.16]
