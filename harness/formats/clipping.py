"""Marks that say: this result was cut before it was recorded.

The list is data with its sources. `clip_marker` names the mark that a result bears. A result may quote another's mark
(the source of an agent that prints one, a transcript that is read as a file), so a mark counts only where its agent
puts it: at the start, at the end, on a line of its own, or in the middle of what is left.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Literal, NamedTuple

Where = Literal["start", "end", "line", "head", "middle", "anywhere"]

EDGE = 600  # characters: a mark at an edge is at most this long
MOST = 1000  # places that are looked at in one text
MIDDLE = (
    0.25,
    0.75,
)  # where the seam of a cut in halves stands, as a share of the text; 0.5 but for escapes and headers


class Mark(NamedTuple):
    """name: the producer and what it does. where: the only place in which the mark counts (`line`: a whole line;
    `head`: a whole line near the start; `middle`: once, near the middle). pattern: what stands there. source: where the
    wording was read."""

    name: str
    where: Where
    pattern: re.Pattern[str]
    source: str

    def stands_in(self, text: str) -> bool:
        """Whether the text bears this mark."""
        if self.where == "start":
            return self.pattern.match(text[: 2 * EDGE].lstrip()) is not None
        if self.where == "end":
            found = list(self.pattern.finditer(text[-EDGE:]))
            return bool(found) and not text[len(text) - min(len(text), EDGE) + found[-1].end() :].strip()
        if self.where == "head":
            text = text[:EDGE]
        found = list(islice(self.pattern.finditer(text), MOST))
        if self.where in ("line", "head"):
            return any(_is_line(text, match) for match in found)
        if self.where == "anywhere":
            return bool(found)
        return len(found) == 1 and MIDDLE[0] <= found[0].start() / len(text) <= MIDDLE[1]


def _is_line(text: str, match: re.Match[str]) -> bool:
    """Whether a match begins its line and ends one (a carriage return may stand before the line's end)."""
    start, end = match.span()
    return text[max(start - 1, 0) : start] in ("", "\n") and text[end : end + 2].lstrip("\r")[:1] in ("", "\n")


def _mark(name: str, where: Where, pattern: str, source: str) -> Mark:
    return Mark(name, where, re.compile(pattern), source)


MARKS: tuple[Mark, ...] = (
    _mark(
        "persisted-output (Claude Code, Hermes): file and preview",
        "start",
        r"<persisted-output>",
        "anthropics/claude-code docs/tools-reference.md @ec68a5b; Hermes tool_result_storage.py @09ffeae",
    ),
    _mark(
        "Claude Code: head and tail of a failure",
        "line",
        r"\.\.\. \[[\d,]+ characters truncated\] \.\.\.",
        "anthropics/claude-code docs/hooks.md:2040 @ec68a5b; recordings of 1.0.51",
    ),
    _mark(
        "Claude Code, deepagents: lines left out",
        "line",
        r"\.\.\. \[[\d,]+ lines truncated\] \.\.\.",
        "deepagents middleware/_message_eviction.py @23b83ad; recordings of Claude Code 1.0",
    ),
    _mark(
        "Claude Code, OpenCode: first hits of a search",
        "end",
        r"\(Results (?:are )?truncated[.:][^()\n]*\)",
        "recordings of Claude Code 2.0.76 and of OpenCode",
    ),
    _mark(
        "Codex: head and tail, by tokens",
        "head",
        r"Total output lines: \d+",
        "openai/codex codex-rs/utils/output-truncation/src/lib.rs @820f85c",
    ),
    _mark(
        "Codex: head and tail, seam in the text",
        "middle",
        r"…\d+ (?:tokens|chars|bytes) truncated…",
        "openai/codex codex-rs/utils/string/src/truncate.rs @b24d7f3",
    ),
    _mark(
        "Codex 2025: head and tail, by lines",
        "line",
        r"\[\.\.\. omitted \d+ of \d+ lines \.\.\.\]",
        "openai/codex codex-rs/core/src/truncate.rs @0208094",
    ),
    _mark(
        "Gemini CLI: head, tail and file",
        "start",
        r"Output too large\. Showing (?:first|the first|last)",
        "google-gemini/gemini-cli packages/core/src/utils/fileUtils.ts:699 @5411f11",
    ),
    _mark(
        "Gemini CLI, Qwen Code: cut in the middle, and file",
        "start",
        r"Tool output was too large and has been truncated",
        "QwenLM/qwen-code packages/core/src/utils/truncation.ts, from earlier Gemini CLI",
    ),
    _mark(
        "Gemini CLI: part of a file",
        "start",
        r"(?:IMPORTANT: The file content has been truncated|\[File content (?:partially )?truncated: )",
        "google-gemini/gemini-cli packages/core/src/tools/read-file.ts",
    ),
    _mark(
        "OpenHands V0: head and tail",
        "line",
        r"\[\.\.\. Observation truncated due to length \.\.\.\]",
        "All-Hands-AI/OpenHands openhands/events/observation/commands.py:139 @156d068",
    ),
    _mark(
        "SWE-agent, OpenHands: response clipped",
        "anywhere",
        r"<response clipped>(?<![\"'`]<response clipped>)<NOTE>(?:Observations should|To save on|Due to the max)",
        "SWE-agent/SWE-agent sweagent/agent/agents.py:70 @3ea751c; openhands-sdk sdk/utils/truncate.py @611629e",
    ),
    _mark(
        "SWE-agent: outline of a large file",
        "line",
        r"<NOTE>This file is too large to display entirely\. Showing abbreviated version[^\n]*",
        "SWE-agent/SWE-agent tools/edit_anthropic @3ea751c",
    ),
    _mark(
        "mini-swe-agent: head and tail",
        "line",
        r"<elided_chars>\r?\n\d+ characters elided\r?\n</elided_chars>",
        "SWE-agent/mini-swe-agent config/benchmarks/swebench.yaml:134 @a83fcae",
    ),
    _mark(
        "pi: last or first lines, and file",
        "end",
        r"\[Showing (?:lines \d+-\d+ of \d+|last [^\]\n]+ of line \d+)[^\]\n]*\]",
        "badlogic/pi-mono packages/coding-agent/src/core/tools/bash.ts:277 @83378aa",
    ),
    _mark(
        "OpenCode: first lines, and file",
        "line",
        r"\.\.\.\d+ (?:lines|bytes) truncated\.\.\.",
        "sst/opencode packages/opencode/src/tool/truncate.ts @0a3427d",
    ),
    _mark(
        "OpenCode: capped file",
        "end",
        r"\(Output (?:capped|truncated) at [^()\n]*\)(?:\s*</\w+>)?",
        "sst/opencode packages/opencode/src/tool/read.ts @0a3427d",
    ),
    _mark(
        "Cline: head and tail of a command",
        "line",
        r"\[\.\.\. output truncated: [\d,]+ chars total\.[^\]\n]*\]",
        "cline/cline executors/output-limits.ts @21cb8d2",
    ),
    _mark(
        "Cline: second cut",
        "middle",
        r"\.\.\.\[truncated [\d,]+ chars\]\.\.\.",
        "cline/cline session/services/message-builder.ts @21cb8d2",
    ),
    _mark(
        "Cline: diff left out",
        "line",
        r"\.\.\. diff truncated \.\.\.",
        "recording of the Cline SDK @21cb8d2",
    ),
    _mark(
        "Goose: file only",
        "start",
        r"The response returned from the tool call was larger \([\d,]+ characters\)",
        "block/goose crates/goose/src/agents/large_response_handler.rs @12dca03",
    ),
    _mark(
        "Goose: shell output and file",
        "end",
        r"\[Output exceeded \d+ (?:byte|line) limit \([^)\n]*\)\. Full output saved to [^\]\n]*\]",
        "block/goose crates/goose/src/agents/platform_extensions/developer/shell.rs",
    ),
    _mark(
        "Copilot CLI: file and preview",
        "start",
        r"Output too large to read at once \([\d.]+ [KMG]?B\)\. Saved to: ",
        "published transcripts of Copilot CLI, March to August 2026",
    ),
    _mark(
        "smolagents: head and tail",
        "line",
        r"\.\.\._This content has been truncated to stay below \d+ characters_\.\.\.",
        "huggingface/smolagents src/smolagents/utils.py:254 @e3a5b89",
    ),
    _mark(
        "deepagents: file and preview",
        "start",
        r"Tool result too large, the result of this tool call",
        "langchain-ai/deepagents middleware/filesystem.py:905 @23b83ad",
    ),
    _mark(
        "Inspect: head and tail",
        "start",
        r"The output of your call to \S+ was too long to be displayed\.",
        "UKGovernmentBEIS/inspect_ai src/inspect_ai/model/_call_tools.py:1143 @499e615",
    ),
    _mark(
        "terminus-2: head and tail",
        "line",
        r"\[\.\.\. output limited to \d+ bytes; \d+ interior bytes omitted \.\.\.\]",
        "laude-institute/harbor src/harbor/agents/terminus_2/terminus_2.py (0.26)",
    ),
    _mark(
        "Toolaria: excerpt and handle",
        "start",
        r"[^\n:]{0,300}\btla:[0-9a-f]{12}\b",
        "Toolaria __init__.py:269 @87f3935",
    ),
    _mark(
        "NOOA: output cut in the middle",
        "line",
        r"<truncated-output>[^\n]*",
        "NVIDIA NOOA src/nooa/agentdoc/_truncating_stream.py:126 @97f52de",
    ),
    _mark(
        "CAR: preview and handle",
        "end",
        r"\[full value retained this run — pass \"\$r\d+\" as a tool argument[^\]\n]*\]",
        "CAR value_store.rs",
    ),
    _mark("CAR: capped trace", "end", r"…\[truncated\]", "CAR release notes, run traces"),
    _mark(
        "masked or cleared",
        "start",
        r"(?:\[Old tool result content cleared\]|\(Tool result removed\)|<MASKED>|\[cleared\])\s*\Z"
        r"|Old environment output: \(\d+ lines omitted\)|<tool_output_masked>",
        "Claude Code; inspect_ai _compaction/edit.py; OpenHands condenser; LangChain;"
        " SWE-agent history_processors.py:85; Gemini CLI toolOutputMaskingService.ts:25",
    ),
)


def clip_marker(text: str) -> str | None:
    """The name of the truncation mark that a result bears, or `None`."""
    return next((mark.name for mark in MARKS if mark.stands_in(text)), None)
