"""Names with half a surrogate pair, and times that are none, end nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.formats.record import seconds_of
from harness.formats.well_formed import with_writable_names
from harness.testing.formats import read
from harness.transcript import Message, ToolCall, ToolResult, Transcript

LONE = "a\ud800b"


def test_names_are_written_and_texts_stay() -> None:
    call, result = ToolCall(LONE, "{}", LONE), ToolResult(LONE, LONE, LONE, (1, 0))
    messages = (
        Message("user", LONE),
        Message("assistant", LONE, calls=(call,), model=LONE),
        Message("tool", result=result),
    )
    found = with_writable_names(Transcript(LONE, "x", messages, cluster=LONE, model=LONE, session=LONE))
    assert (found.id, found.cluster, found.model, found.session) == ("a\ufffdb",) * 4
    assert (found.messages[1].calls[0].name, found.messages[1].calls[0].call_id) == ("a\ufffdb",) * 2
    assert found.messages[2].result is not None
    assert (found.messages[2].result.name, found.messages[2].result.content) == ("a\ufffdb", LONE)
    assert found.messages[0].text == LONE


def test_what_can_be_written_is_the_same_object() -> None:
    (transcript,), _ = read("a.json", json.dumps(chat("tool", "task")).encode(), "openai-chat")
    assert with_writable_names(transcript) is transcript


def chat(tool: str, task: str) -> dict[str, object]:
    call = {"id": tool, "type": "function", "function": {"name": tool, "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": tool, "content": "fine " * 100},
        {"role": "assistant", "content": "Done."},
    ]
    return {"messages": messages, "model": tool, "metadata": {"task": task}, "id": task}


def test_a_run_goes_on_and_keeps_both(tmp_path: Path) -> None:
    for name, lone in (("good", "tool"), ("lone", LONE)):
        (tmp_path / f"{name}.json").write_text(json.dumps(chat(lone, lone)), encoding="utf-8")
    places = ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports"), "--policy", "car"]
    done = CliRunner().invoke(cli, ["replay", str(tmp_path / "good.json"), str(tmp_path / "lone.json"), *places])
    assert done.exit_code == 0, done.output
    (run,) = (tmp_path / "results").iterdir()
    assert json.loads((run / "manifest.json").read_text(encoding="utf-8"))["corpus"]["transcripts"] == 2


@pytest.mark.parametrize(
    "value", [10**400, -(10**400), "\u00b2", "9" * 5000, "1" * 26, float("nan"), float("inf"), True, ""]
)
def test_what_is_no_time_is_none(value: object) -> None:
    assert seconds_of(value) is None


@pytest.mark.parametrize("value", [1_700_000_000, "1700000000", 1_700_000_000_000, "1700000000000000000", 1.7e9])
def test_what_is_one_is_read_in_its_unit(value: object) -> None:
    assert seconds_of(value) == 1.7e9
