"""A replay of the first arm held against what the other arm did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.arms.kind import ARMS
from harness.arms.settings import ArmsSettings
from harness.errors import HarnessError
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplaySettings
from harness.runs import life
from harness.runs.run import Run

POLICY = "head:bytes=300"
TASKS = 14


def conversation(task: int, tokens: int, more: int) -> dict[str, Any]:
    """A request that lists, one that uses the head of what it saw, in odd tasks the end of it, and so many more."""
    seen = "\n".join(f"task{task}_line{n}.txt" for n in range(60))
    wanted = f"task{task}_line{59 if task % 2 else 1}.txt"
    steps = [("ls", seen), (f"cat {wanted}", "found"), *((f"echo {n}", "done") for n in range(more))]
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You code."},
        {"role": "user", "content": f"Do {task}."},
    ]
    for n, (command, result) in enumerate(steps):
        call = {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": "bash", "arguments": json.dumps({"command": command})},
        }
        usage = {"prompt_tokens": tokens, "completion_tokens": 5}
        extra = {"extra": {"response": {"id": f"{task}-{tokens}-{n}", "choices": [], "usage": usage}}}
        messages.append({"role": "assistant", "content": f"Step {n}.", "tool_calls": [call], **extra})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"<returncode>0</returncode>\n{result}"})
    return {"trajectory_format": "mini-swe-agent-1", "instance_id": f"t{task:02}", "messages": messages, "info": {}}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arms")
    for arm, tokens, more in (("whole", 1000, 0), ("cut", 600, 1)):
        for task in range(TASKS):
            path = folder / arm / f"t{task:02}.traj.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(conversation(task, tokens, more)), encoding="utf-8")
    lines = [f"whole,t{n:02},1\ncut,t{n:02},{int(n % 2 == 0)}" for n in range(TASKS)]
    (folder / "ended.csv").write_text("arm,task,passed\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = ArmsSettings(
        (f"whole={place / 'whole'}", f"cut={place / 'cut'}"),
        outcomes=str(place / "ended.csv"),
        predict=(f"cut={POLICY}",),
    )
    return Run(life.run(ARMS, settings, tmp_path_factory.mktemp("results")))


def test_each_run_of_the_first_arm_is_replayed_as_harness_replay_does(run: Run, place: Path, tmp_path: Path) -> None:
    frame = Run(life.run(REPLAY, ReplaySettings((str(place / "whole"),), (POLICY,)), tmp_path)).transcripts
    own = frame[frame["policy"] == POLICY].sort_values("transcript")
    found = run.table("predictions").sort_values("task")
    assert len(found) == TASKS
    assert found["predicted_tokens"].tolist() == own["input_tokens"].tolist()
    assert found["added_high"].tolist() == own["added_high"].tolist()
    assert (found["at_risk_requests"] > 0).tolist() == [bool(n % 2) for n in range(TASKS)], "the end is out of sight"
    identity = frame[frame["policy"] == "identity"].sort_values("transcript")
    assert found["prompt_tokens"].tolist() == identity["input_tokens"].tolist()


def test_what_was_foretold_stands_beside_what_happened(run: Run) -> None:
    (row,) = ARMS.report(run).record()["tables"]["prediction"]
    found = run.table("predictions")
    ratios = found["predicted_tokens"] / found["prompt_tokens"]
    foretold = float(np.exp(np.log(ratios).mean()))
    assert row["foretold"] == pytest.approx(foretold)
    assert row["happened"] == pytest.approx(3 * 600 / (2 * 1000)), "two requests of 1,000, three of 600"
    assert row["off"] == pytest.approx(0.9 / foretold)
    assert row["off_low"] <= row["off"] <= row["off_high"]
    assert (row["calls"], row["calls_from"], row["calls_to"]) == (1.0, 1.0, 1.0)
    inside = (found["added_low"] <= 1) & (found["added_high"] >= 1)
    assert row["covered"] == pytest.approx(inside.mean())


def test_failures_are_told_apart_by_state_of_the_evidence(run: Run) -> None:
    rows = ARMS.report(run).record()["tables"]["evidence"]
    whole = {row["state"]: row for row in rows if row["length"] == "all"}
    assert {state: (row["tasks"], row["first"], row["second"]) for state, row in whole.items()} == {
        "all in sight": (7, 0.0, 0.0), "at risk": (7, 0.0, 1.0)
    }  # fmt: skip
    assert whole["at risk"]["low"] is None, "seven tasks have no interval"
    said = ARMS.report(run).whole_text()
    assert "An association, and no effect" in said
    assert max(map(len, said.splitlines())) <= 100


def test_where_nothing_can_be_replayed_it_says_so(tmp_path: Path) -> None:
    table = tmp_path / "runs.csv"
    table.write_text("arm,task,passed\na,t,1\nb,t,0\n", encoding="utf-8")
    part = ARMS.report(Run(life.run(ARMS, ArmsSettings((str(table),)), tmp_path / "results")))
    (fact,) = [fact for fact in part.screen().facts if fact.question == "Prediction check"]
    assert (fact.value, fact.note) == (
        "not identified", "the arms are tables; only transcripts of the first arm can be replayed"
    )  # fmt: skip
    assert "prediction" not in part.record()["tables"]


@pytest.mark.parametrize(
    ("paths", "predict", "why"),
    [
        (("a=x.csv", "b=y.csv"), "b=head", "nothing can be replayed"),
        (("a=x", "b=y"), "a=head", "no arm beside the first"),
        (("a=x", "b=y"), "c=head", "no arm beside the first"),
        (("a=x", "b=y"), "b=haed", "haed"),
    ],
)
def test_what_cannot_be_predicted_is_refused(paths: tuple[str, ...], predict: str, why: str) -> None:
    with pytest.raises(HarnessError, match=why):
        ArmsSettings(paths, predict=(predict,)).check()
