"""Evidence by how the recorded runs ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.api import replay
from harness.replay.sections.outcomes import by_outcome
from harness.replay.sections.part import Replay
from harness.report.table import Table
from harness.runs.run import Run


def run_of(task: int, reward: float | None, hidden: bool) -> dict[str, Any]:
    """A run whose second call takes a name out of the first result: from its end, or from its beginning."""
    name = f"ledger_{task}/q{task}-7741.tab"
    text = "word " * 300 + name if hidden else name + " word" * 300
    traj = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": None, "tool_calls": [call("c1", {"path": "it"})]},
        {"role": "tool", "tool_call_id": "c1", "content": text},
        {"role": "assistant", "content": None, "tool_calls": [call("c2", {"path": name})]},
        {"role": "tool", "tool_call_id": "c2", "content": "fine"},
        {"role": "assistant", "content": "Done."},
    ]
    return {"task_id": task, "trial": 0, "traj": traj} | ({} if reward is None else {"reward": reward})


def call(name: str, arguments: dict[str, str]) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": "read", "arguments": json.dumps(arguments)}}


def table(folder: Path, runs: list[dict[str, Any]]) -> Table | None:
    (folder / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    done: Run = replay([folder / "runs.json"], ["head:bytes=500"], folder / "results")
    return by_outcome(Replay(done))


def test_requests_that_see_all_by_how_the_run_ended(tmp_path: Path) -> None:
    runs = [run_of(n, 1.0, hidden=False) for n in range(3)] + [run_of(n, 0.0, hidden=True) for n in range(3, 5)]
    found = table(tmp_path, runs)
    assert found is not None
    by_policy = {row["policy"]: row for row in found.data}
    assert by_policy["identity"] | {} == {
        "policy": "identity",
        "passed": 1.0,
        "passed_requests": 3,
        "failed": 1.0,
        "failed_requests": 2,
    }
    assert (by_policy["head:bytes=500"]["passed"], by_policy["head:bytes=500"]["failed"]) == (1.0, 0.0)
    assert "association" in found.note


@pytest.mark.parametrize("rewards", [(None, None), ()])
def test_no_table_where_no_recording_says(rewards: tuple[None, ...], tmp_path: Path) -> None:
    runs = [run_of(n, reward, hidden=True) for n, reward in enumerate(rewards)] or [run_of(9, None, hidden=False)]
    assert table(tmp_path, runs) is None
