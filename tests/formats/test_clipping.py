"""A result that was cut before it was recorded says so; one that only quotes a mark does not count."""

from __future__ import annotations

import re

import pytest

from harness.formats.clipping import clip_marker, left_by, marks
from harness.policies.presets import presets
from harness.preview import reference_hint, render_preview

HEAD = "the first line\nand another one\n" * 20
TAIL = "the last line but one\nthe last line\n" * 20

BEARING = {
    "persisted-output": "<persisted-output>\nOutput too large (52KB). Full output saved to: /s/b.txt\n\n" + HEAD,
    "Claude Code: head": f"{HEAD}\n... [2057 characters truncated] ...\n\n{TAIL}",
    "Claude Code, deepagents": f"{HEAD}\n... [1,204 lines truncated] ...\n\n{TAIL}",
    "Claude Code, OpenCode": f"{HEAD}(Results are truncated. Consider using a more specific path or pattern.)",
    "Codex: head and tail, by tokens": f"Exit code: 0\nOutput:\nTotal output lines: 460\n\n{HEAD}",
    "Codex: head and tail, seam": f"{HEAD}abc…768 tokens truncated…def{TAIL}",
    "Codex 2025: head and tail, by bytes": f"{HEAD}\n[... output truncated to fit 10240 bytes ...]\n\n{TAIL}",
    "Codex 2025: head and tail, by lines": f"{HEAD}[... omitted 40 of 296 lines ...]\n{TAIL}",
    "Gemini CLI: head": "Output too large. Showing first 8,000 and last 32,000 characters. For full" + HEAD,
    "Gemini CLI, Qwen": "Tool output was too large and has been truncated.\n" + HEAD,
    "Gemini CLI: part": "\nIMPORTANT: The file content has been truncated.\nStatus: Showing\n" + HEAD,
    "OpenHands V0": f"{HEAD}[... Observation truncated due to length ...]\n{TAIL}",
    "SWE-agent, OpenHands": f"{HEAD}half a li<response clipped><NOTE>Due to the max output limit</NOTE>{TAIL}",
    "SWE-agent: outline": "<NOTE>This file is too large to display entirely. Showing abbreviated version. Please\n"
    + HEAD,
    "mini-swe-agent": f"{HEAD}\n<elided_chars>\n1255 characters elided\n</elided_chars>\n{TAIL}",
    "pi: last": f"{TAIL}\n\n[Showing lines 1201-3200 of 3200. Full output: /tmp/pi-bash-1.log]",
    "OpenCode: first": f"{HEAD}\n\n...812 lines truncated...\n\nFull output saved to: /t/tool_1",
    "OpenCode: capped": f"{HEAD}\n\n(Output capped at 50 KB. Showing lines 1-700...)\n</content>",
    "Cline: head": f"{HEAD}[... output truncated: 90000 chars total. Refine the command (grep, head, tail)]\n{TAIL}",
    "Cline: second": f"{HEAD}...[truncated 41000 chars]...{TAIL}",
    "Cline: diff": f"{HEAD}... diff truncated ...\n```",
    "Goose: file": "The response returned from the tool call was larger (292487 characters) and is stored",
    "Goose: shell": f"{HEAD}\n[Output exceeded 50000 byte limit (66848 bytes total). Full output saved to /t/o.]",
    "Copilot": "Output too large to read at once (63.5 KB). Saved to: /tmp/copilot-tool-output-1.txt\n",
    "smolagents": f"{HEAD}\n..._This content has been truncated to stay below 20000 characters_...\n{TAIL}",
    "deepagents": "Tool result too large, the result of this tool call c1 was saved",
    "Inspect": "\nThe output of your call to bash was too long to be displayed.\nHere is a truncated version:\n" + HEAD,
    "terminus-2": f"{HEAD}\n[... output limited to 10000 bytes; 71 interior bytes omitted ...]\n{TAIL}",
    "Toolaria": "[stored as tla:0123456789ab, 84,000 chars]\n" + HEAD,
    "NOOA": f"{HEAD}<truncated-output>The 900 chars in the middle are not recoverable.</truncated-output>\n{TAIL}",
    "CAR: preview": 'r1 = text(len=53.7KB)\n[full value retained this run — pass "$r1" as a tool argument]',
    "CAR: capped": HEAD + "…[truncated]",
    "masked": "[Old tool result content cleared]",
    "removed": "[Evicted: the lease of this result has ended. It held 90 characters in 2 lines.]",
    "Claude Code: first page": "<system-reminder>[Truncated: PARTIAL view — showing lines 1-400 of 1513 total (31053 "
    "tokens, cap 25000). Call Read with offset=401 limit=400 for the next page.]</system-reminder>\n" + HEAD,
    "Claude Code: over the limit": "Error: result (120,280 characters across 1 line) exceeds maximum allowed tokens. "
    "Output has been saved to /home/u/.claude/projects/x/y/tool-results/a.txt.\nFormat: Plain text\n",
    "Claude Code: MCP result": f"{HEAD}[OUTPUT TRUNCATED - exceeded 25000 token limit]\n\nThe rest was cut off.",
    "Claude Code: too large": "File content (28375 tokens) exceeds maximum allowed tokens (25000). Please use offset",
    "Hermes": f"{HEAD}\n\n... [OUTPUT TRUNCATED - 12000 chars omitted out of 62000 total] ...\n\n{TAIL}",
    "Gemini CLI: too large": "File size exceeds the 20MB limit.",
    "pi: first bytes": f"{HEAD}\n\n[50.0KB limit reached]",
    "VS Code Copilot Chat: end": f"{HEAD}\n\n[... PREVIOUS OUTPUT TRUNCATED ...]\n\n{TAIL}",
    "VS Code Copilot Chat: first": f"{HEAD}\n[File content truncated at line 2000. Use read_file with offset/limit "
    "parameters to view more.]\n",
    "NOOA: preview": "str(len=789516, [:250]='Lorem', [-250:]='end')",
}

IN_THE_TEXT = {
    "Codex: head and tail, seam",
    "SWE-agent, OpenHands",
    "Cline: second",
    "NOOA: preview",
}  # no line of their own
ON_LINES = sorted(BEARING.keys() - IN_THE_TEXT)


def test_every_mark_has_an_example_here() -> None:
    assert [m.name for m in marks() if not any(m.name.startswith(name) for name in BEARING)] == []
    assert len(BEARING) == len(marks())


@pytest.mark.parametrize("name", BEARING)
def test_a_result_with_the_mark_is_clipped(name: str) -> None:
    assert (clip_marker(BEARING[name]) or "").startswith(name)


@pytest.mark.parametrize("name", ON_LINES)
def test_a_numbered_source_file_that_quotes_the_mark_is_not(name: str) -> None:
    quoted = "\n".join(f'{i:6}\t"{line}"' for i, line in enumerate(BEARING[name].splitlines(), 1))
    assert clip_marker(f"{HEAD}{quoted}\n{HEAD}{HEAD}{HEAD}") is None


@pytest.mark.parametrize("name", ON_LINES)
def test_hits_of_a_search_that_quote_the_mark_are_not(name: str) -> None:
    quoted = "\n".join(f"src/limits.py:{i}:    text = '{line}'" for i, line in enumerate(BEARING[name].splitlines(), 1))
    assert clip_marker(f"{quoted}\n{HEAD}{HEAD}{HEAD}") is None


@pytest.mark.parametrize("text", ["", "x", HEAD, "…", "[...]", "\n" * 500, "truncated", "Total output lines: 4 more"])
def test_plain_text_is_not(text: str) -> None:
    assert clip_marker(text) is None


@pytest.mark.parametrize("text", ["... [5 characters truncated] ...", "a\n... [5 characters truncated] ...\r\nb"])
def test_a_line_may_be_all_there_is_or_end_as_on_windows(text: str) -> None:
    assert clip_marker(text) == "Claude Code: head and tail of a failure"


def test_a_seam_counts_once_or_twice_and_in_the_middle() -> None:
    seam = "…9 tokens truncated…"
    assert clip_marker(f"{HEAD}{seam}{TAIL}") is not None
    assert clip_marker(f"{seam}{HEAD}{TAIL}") is None
    assert clip_marker(f"{HEAD}{seam}{HEAD[:50]}{seam}{TAIL}") is not None
    assert clip_marker(f"{HEAD}{seam}{seam}{seam}{TAIL}") is None


def test_a_quoted_seam_does_not_count() -> None:
    note = "<response clipped><NOTE>Due to the max output limit, only a part</NOTE>"
    assert clip_marker(f"{HEAD}{note}{TAIL}") is not None
    assert clip_marker(f'{HEAD}NOTE = "{note}"\n{TAIL}') is None


def test_every_mark_says_where_it_was_read_and_when_it_was_seen() -> None:
    assert all(len(mark.source) > 10 for mark in marks())
    assert all(re.fullmatch(r"20\d\d-\d\d", mark.last_seen) for mark in marks())
    assert len({mark.name for mark in marks()}) == len(marks())


def test_marks_name_policies_that_exist_and_every_policy_that_cuts_leaves_one() -> None:
    assert {name for mark in marks() for name in mark.policies} <= set(presets())
    assert [name for name in presets() if not left_by(name) and not name.startswith("summarise")] == []


def test_a_preview_that_shows_all_of_a_value_is_not_clipped() -> None:
    hint = reference_hint("r1")
    assert clip_marker(render_preview("r1", 42) + hint) is None
    assert clip_marker(render_preview("r1", "a short text") + hint) is None
    assert clip_marker(render_preview("r1", {"id": 1, "name": "x"}) + hint) is None
    assert clip_marker(render_preview("r1", "long" * 300) + hint) == "CAR: preview and handle"
    assert clip_marker(render_preview("r1", list(range(30))) + hint) == "CAR: preview and handle"
    assert clip_marker(render_preview("r1", {"rows": [1, 2]}) + hint) == "CAR: preview and handle"
