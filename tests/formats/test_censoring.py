"""What was cut before it was recorded: marks of today, errors in place of values, cuts without a mark, spills."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.formats.assembly import Assembly
from harness.formats.clumps import ends_in_mid_text
from harness.formats.corpus import Intake, read_transcripts
from harness.transcript import Message, ToolCall, ToolResult

CASES = Path(__file__).parents[1] / "cases"


def results_of(path: Path, intake: Intake | None = None) -> list[ToolResult]:
    transcripts = read_transcripts([path], intake or Intake())
    return [m.result for t in transcripts for m in t.messages if m.result is not None]


def recorded(values: list[str], tools: tuple[str, ...] = ("Bash",)) -> list[ToolResult]:
    assembly = Assembly("run")
    for number, value in enumerate(values):
        assembly.add(Message("assistant", calls=(ToolCall(tools[number % len(tools)], "{}", f"c{number}"),)))
        assembly.answer(value, call_id=f"c{number}")
    return [m.result for m in assembly.transcript("run", "test").messages if m.result is not None]


@pytest.mark.parametrize(
    ("case", "results", "mark"),
    [
        ("claude-partial-view", 4, "Claude Code: first page of a file"),
        ("claude-mcp-spill", 1, "Claude Code: over the limit of tokens, and file"),
        ("hermes-truncated-marker", 4, "Hermes: head and tail of a command"),
        ("silent-cap-16384", 12, "no mark: results of one size, 16,384 characters, end in mid-text"),
    ],
)
def test_all_results_of_the_case_are_clipped(case: str, results: int, mark: str) -> None:
    assert [r.clipped for r in results_of(CASES / case)] == [mark] * results


def test_a_file_that_an_error_names_is_joined_and_is_no_recording_of_its_own() -> None:
    intake = Intake()
    (result,) = results_of(CASES / "claude-mcp-spill", intake)
    assert len(result.content) == 376
    assert result.whole is not None
    assert len(result.whole) == 120_280
    ((name, why),) = intake.skipped
    assert name.endswith("tool-results/mcp-github-list_issues-1.txt")
    assert why.startswith("a tool result that its agent wrote to a file")


def cut_at(size: int, number: int) -> str:
    return (f"{number}: " + "some words that go on, " * 300)[: size - 1] + "x"


def test_five_distinct_values_of_one_size_that_end_in_mid_text_are_a_clump() -> None:
    five = [cut_at(1_000, n) for n in range(5)]
    marked = [r.clipped is not None for r in recorded([*five, "short", "y" * 999])]
    assert marked == [True] * 5 + [False] * 2


@pytest.mark.parametrize(
    "values",
    [
        [cut_at(1_000, n) for n in range(4)],
        [cut_at(999, n) for n in range(9)],
        [cut_at(1_000, 1)] * 9,
        [cut_at(1_000, n)[:-1] + "\n" for n in range(9)],
        [cut_at(1_000, n) for n in range(9)] + [cut_at(1_001, 0)],
    ],
    ids=["four", "small", "all the same", "end with a line", "one is larger"],
)
def test_less_is_no_clump(values: list[str]) -> None:
    assert [r.clipped for r in recorded(values)] == [None] * len(values)


def test_a_clump_is_looked_for_in_one_tool_too() -> None:
    values = [cut_at(1_000, n) if n % 2 else "z" * (5_000 + n) for n in range(12)]
    assert [r.clipped is not None for r in recorded(values, ("Read", "Bash"))] == [bool(n % 2) for n in range(12)]


def test_bytes_and_lines_make_clumps_as_characters_do() -> None:
    of_bytes = ["é" * n + "x" * (2_000 - 2 * n) for n in range(5)]
    assert all("2,000 bytes" in (r.clipped or "") for r in recorded(of_bytes))
    of_lines = ["\n".join(f"{n} {'w' * (line % (n + 2))} line" for line in range(1_500)) for n in range(5)]
    assert all("1,500 lines" in (r.clipped or "") for r in recorded(of_lines))


@pytest.mark.parametrize(
    ("text", "open_ended"), [("", False), ("half a wo", True), ("a: ", True), ("done.", False), ("[1]", False)]
)
def test_what_ends_in_mid_text(text: str, open_ended: bool) -> None:
    assert ends_in_mid_text(text) is open_ended


@pytest.mark.parametrize(
    ("chat", "kept", "content"),
    [
        (
            "g/chats/s.jsonl",
            "g/tool-outputs/shell_1.txt",
            "Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /h/g/tool-outputs/"
            "shell_1.txt\nthe beginning\n... [9 characters omitted] ...\nthe end",
        ),
        (
            "g/chats/s.jsonl",
            "g/tool-outputs/session-1/shell_1.txt",
            "Tool output was too large and has been truncated\nThe full output has been saved to: C:\\t\\shell_1.txt\n",
        ),
        (
            "o/storage/s.jsonl",
            "o/tool-output/tool_1",
            "the beginning\n\n...9 lines truncated...\n\nThe tool call succeeded but the output was truncated. Full "
            "output saved to: /h/o/tool-output/tool_1\nUse Grep to search the full content.",
        ),
        (
            "h/sessions/s.jsonl",
            "h/cache/spillover/call_1.txt",
            "<persisted-output>\nThis result was too large.\nFull output saved to: /h/cache/spillover/call_1.txt\n",
        ),
    ],
    ids=["Gemini CLI", "Qwen Code, a folder a session", "OpenCode", "Hermes"],
)
def test_spilled_files_of_every_agent_are_joined(tmp_path: Path, chat: str, kept: str, content: str) -> None:
    for name in (chat, kept):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / kept).write_text("the beginning, the middle and the end", encoding="utf-8")
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "shell", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": content},
        {"role": "assistant", "content": "done"},
    ]
    (tmp_path / chat).write_text(json.dumps({"messages": messages}) + "\n", encoding="utf-8")
    (result,) = results_of(tmp_path)
    assert result.clipped
    assert result.whole == "the beginning, the middle and the end"
