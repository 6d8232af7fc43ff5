"""The page that teaches how to add a format: its code is installed as a package would be, and read its own sample."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import registry
from harness.formats.corpus import Intake, all_formats, format_named, read_transcripts
from harness.testing.formats import source_of, survive
from harness.transcript import Message, ToolCall, ToolResult, Usage

PAGE = Path(__file__).parents[2] / "docs" / "add-a-format.md"


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The page's module on the path, with the metadata of an installed package."""
    ((group, names),) = tomllib.loads(block("toml"))["project"]["entry-points"].items()
    points = "\n".join(f"{name} = {target}" for name, target in names.items())
    (tmp_path / "parrot_format.py").write_text(block("python"), encoding="utf-8")
    metadata = tmp_path / "parrot_format-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: parrot-format\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{points}\n", encoding="utf-8")
    monkeypatch.setenv("HARNESS_PLUGINS", "on")
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield
    forget()


def forget() -> None:
    """A running program looks for installed packages once."""
    sys.modules.pop("parrot_format", None)
    importlib.invalidate_caches()
    registry._found.cache_clear()
    format_named.cache_clear()


def test_thirty_lines_are_enough() -> None:
    lines = [line for line in block("python").splitlines() if line.strip()]
    assert 20 < len(lines) <= 30


@pytest.mark.usefixtures("installed")
def test_the_page_s_reader_reads_the_page_s_recording(tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    recording.write_text(block("jsonl"), encoding="utf-8")
    intake = Intake()
    (run,) = read_transcripts([recording], intake)
    assert intake.problems == []
    assert intake.skipped == []
    assert run.problems == ()
    assert (run.id, run.format, run.cluster, run.model) == ("run.jsonl", "parrot", "billing", "small-2")
    assert run.messages == (
        Message("user", "What does order 4711 cost?"),
        Message(
            "assistant",
            "I look it up.",
            calls=(ToolCall("get_order", '{"id":4711}', "c1"),),
            usage=Usage(220, output_tokens=31),
        ),
        Message(
            "tool",
            result=ToolResult('{"total":"19.90","currency":"EUR"}', "get_order", "c1", (1, 0), is_json=True),
        ),
        Message("assistant", "19.90 euros.", usage=Usage(290, output_tokens=8)),
    )
    assert run.unknown == ("time", "tool definitions", "system prompt")


@pytest.mark.usefixtures("installed")
def test_it_is_known_by_name_and_claims_nothing_else() -> None:
    head = source_of("run.jsonl", block("jsonl").encode()).head()
    assert [f.name for f in all_formats() if f.sniff(head)] == ["parrot"]
    other = source_of("chat.jsonl", b'{"messages": [{"role": "user", "content": "hi"}]}\n').head()
    assert [f.name for f in all_formats() if f.sniff(other)] == ["openai-chat"]
    survive("parrot", "run.jsonl", block("jsonl").encode(), 200)
