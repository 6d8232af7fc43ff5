"""Grok's command line agent: `chat_history.jsonl` of a session.

Source: published fixtures and parsers (jazzyalex/agent-sessions@651e854, Grok 4.5, 2026); no specification.

| what | where |
| --- | --- |
| line | `{type: system/user/reasoning/assistant/tool_result/backend_tool_call}` |
| text | `content`: text, or `[{type: text, text}]` |
| reasoning | `{type: reasoning, summary[].text, encrypted_content}`, before its answer |
| call | `{type: assistant, tool_calls[].{id, name, arguments}, model_id}` |
| result | `{type: tool_result, tool_call_id, content}` |
| server tools | `{type: backend_tool_call, kind{tool_type, action, id}}`, whose results are not recorded |

No times and no usage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text, content_of
from harness.formats.lines import line_records
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Message, ToolCall, Transcript

TYPES = frozenset({"system", "user", "reasoning", "assistant", "tool_result", "backend_tool_call"})


class Grok:
    name = "grok"
    read_on = "public fixtures; no session of a user"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("jsonl", "object") and _is_history(head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        assembly = Assembly(source.name)
        thoughts: list[str] = []
        encrypted = 0
        for line in line_records(source, assembly.problems.append):
            if line.raw("type") == "reasoning":
                thoughts += [part.string("text") for part in line.records("summary")]
                encrypted += line.raw("encrypted_content") is not None
            elif line.raw("type") == "assistant":
                _answer(assembly, line, thoughts, encrypted)
                thoughts, encrypted = [], 0
            else:
                _other(assembly, line)
        if not assembly.messages:
            raise HoldsNothing("a session without messages")
        yield assembly.transcript(source.name, self.name, unknown=("results of tools that the server ran",))


def _is_history(records: tuple[dict[str, Any], ...]) -> bool:
    """Lines of these types alone, none with a message inside, and one that only Grok writes."""
    if not records or any(
        not isinstance(r.get("type"), str) or r["type"] not in TYPES or "message" in r or "sessionId" in r
        for r in records
    ):
        return False
    return any(
        "model_fingerprint" in r
        or (r["type"] == "tool_result" and "tool_call_id" in r)
        or (r["type"] == "assistant" and "model_id" in r)
        for r in records
    )


def _answer(assembly: Assembly, line: Record, thoughts: list[str], encrypted: int) -> None:
    text, images = content_of(line)
    calls = tuple(
        ToolCall(call.string("name"), arguments_text(call.raw("arguments")), call.text("id"))
        for call in line.records("tool_calls")
    )
    assembly.add(
        Message(
            "assistant",
            text,
            calls,
            reasoning="\n".join(thoughts),
            images=images,
            encrypted=encrypted,
            model=line.text("model_id"),
        )
    )


def _other(assembly: Assembly, line: Record) -> None:
    kind = line.string("type")
    if kind == "tool_result":
        text, images = content_of(line)
        assembly.answer(text, call_id=line.text("tool_call_id"), images=images)
    elif kind in ("user", "system"):
        text, images = content_of(line)
        assembly.add(Message("system" if kind == "system" else "user", text, images=images))
    elif kind != "backend_tool_call":
        line.problem(f"unknown type of line {kind!r:.60}")
