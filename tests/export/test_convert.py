"""`harness convert`: files that read back, and a list of what they did not keep that is counted, not claimed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.export import exporter_named
from harness.export.convert import PARTS, convert
from harness.formats.corpus import Intake, read_transcripts
from harness.transcript import Message, ToolCall, ToolResult, Transcript, Usage

RICH = Transcript(
    "../../etc/pass wd#1",
    "made-up",
    (
        Message("system", "be brief"),
        Message("user", "count", time=1_700_000_000.0),
        Message(
            "assistant",
            calls=(ToolCall("bash", "wc -l", "c1"), ToolCall("bash", '{"command":"ls"}', "c2")),
            message_id="m1",
            usage=Usage(1200, 200, None, 9),
            time=1_700_000_001.0,
        ),
        Message("tool", result=ToolResult("12", "bash", "c1", (2, 0), is_error=False, exit_code=0)),
        Message("tool", result=ToolResult("a b", "bash", "c2", (2, 1))),
        Message("assistant", "12", message_id="m2", time=1_700_000_002.0),
    ),
    model="m",
    tools=('{"name":"bash"}',),
    cluster="orders",
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A recording in a folder, as OpenAI messages hold it."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "one.jsonl").write_bytes(exporter_named("openai-messages").export(RICH))
    return folder


def test_what_came_back_is_counted(corpus: Path, tmp_path: Path) -> None:
    found = convert([corpus], "claude-code", tmp_path / "out")
    kept = {part: (sums.had, sums.kept) for part, sums in found.kept.items()}
    assert kept["system messages"] == (1, 0)
    assert kept["tool definitions"] == (1, 0)
    assert kept["calls"] == (2, 1), "a bare command comes back as an object"
    assert kept["results"] == (2, 2)
    assert kept["which call a result answers"] == (2, 2)
    assert kept["usage of answers"] == (1, 1)
    assert "exit codes" not in kept, "what no recording had is no loss"


def test_every_part_is_seen_to_be_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A format that keeps nothing but one word: every part that the recording has counts as not kept."""

    class Forgetful:
        name = "openai-messages"
        suffix = ".jsonl"

        def export(self, transcript: Transcript) -> bytes:
            return b'{"messages":[{"role":"user","content":"?"},{"role":"assistant","content":"!"}]}\n'

    monkeypatch.setattr("harness.export.convert.exporter_named", lambda name: Forgetful())
    monkeypatch.setattr("harness.export.convert.read_transcripts", lambda *a: iter([RICH]))
    found = convert([tmp_path], "openai-messages", tmp_path / "out")
    assert {part: sums.kept for part, sums in found.kept.items()} == dict.fromkeys(found.kept, 0)
    assert {"calls", "results", "exit codes", "usage of answers", "times", "cluster", "model"} <= set(found.kept)
    assert set(found.kept) <= set(PARTS)


def test_names_out_of_a_recording_are_no_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.export.convert.read_transcripts", lambda *a: iter([RICH, RICH]))
    found = convert([tmp_path], "atif", tmp_path / "out")
    assert [path.name for path, _ in found.written] == ["00001-1.trajectory.json", "00002-1.trajectory.json"]
    assert [path.parent for path, _ in found.written] == [tmp_path / "out"] * 2


def test_a_folder_with_something_in_it_is_refused(corpus: Path) -> None:
    with pytest.raises(HarnessError, match="is not empty; name a new folder with --to"):
        convert([corpus], "atif", corpus)


def test_the_figures_of_a_replay_come_back(corpus: Path, tmp_path: Path) -> None:
    """What a format keeps, its files say too: the same messages, results and calls."""
    convert([corpus], "openai-messages", tmp_path / "out")
    (before,) = read_transcripts([corpus], Intake())
    (after,) = read_transcripts([tmp_path / "out"], Intake())
    assert before.messages == after.messages


def test_the_command(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(cli, ["convert", str(corpus), "--as", "atif", "--to", str(out)])
    assert done.exit_code == 0, done.output
    assert "atif did not keep" in done.output
    assert "1 file in" in done.output
    done = CliRunner().invoke(cli, ["convert", str(corpus), "--as", "claude-code", "--to", str(out / "x"), "--json"])
    record = json.loads(done.output)
    assert [one["transcript"] for one in record["written"]] == ["one.jsonl#../../etc/pass wd#1"]
    assert {"part": "tool definitions", "had": 1, "kept": 0, "lost": 1} in record["parts"]


def test_a_recording_that_cannot_be_held_is_named_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = Transcript("b", "made-up", (Message("assistant", "x", copied=True), Message("assistant", "y")))
    monkeypatch.setattr("harness.export.convert.read_transcripts", lambda *a: iter([copied, RICH]))
    arguments = ["convert", str(tmp_path), "--as", "openai-messages", "--to", str(tmp_path / "o"), "--max-bad", "0"]
    done = CliRunner().invoke(cli, arguments)
    assert "b: holds messages copied from another recording" in done.output
    assert "1 file in" in done.output
    assert done.exit_code == 1
