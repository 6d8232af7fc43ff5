"""Lists of messages of whatever shape an application handed to its tracer, and values that are JSON text.

Traces hold what the application sent: messages of OpenAI's shape, of Anthropic's, of LangChain's or of Google's. Each
message is told apart by itself.
"""

from __future__ import annotations

from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects import anthropic_messages as anthropic_blocks
from harness.formats.dialects import gemini_contents as google_contents
from harness.formats.dialects import langchain as langchain_messages
from harness.formats.dialects import openai_chat as chat_messages
from harness.formats.dialects.openai_chat import ROLES
from harness.formats.json_text import Unreadable, compact, parse
from harness.formats.record import Record


def opened(value: Any) -> Any:
    """A value that was recorded as JSON text, parsed; any other as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse(value)
        except Unreadable:
            return value
    return value


def add(assembly: Assembly, record: Record, role: str | None = None) -> None:
    """Read one message; `role` is for an answer that does not name its own."""
    if langchain_messages.is_langchain(record.value):
        langchain_messages.add_message(assembly, record)
    elif isinstance(record.raw("parts"), list):
        google_contents.add_content(assembly, record)
    elif _has_blocks(record):
        anthropic_blocks.add_message(assembly, record, role)
    else:
        said = record.raw("role")
        known = isinstance(said, str) and said in ROLES
        chat_messages.add_message(assembly, _with_calls(record), None if known else role)


def tool_of(value: Any) -> str | None:
    """The definition in a message that is none: some tracers put the tools behind the messages, with role `tool`."""
    content = value.get("content") if isinstance(value, dict) and value.get("role") == "tool" else None
    content = opened(content)
    if isinstance(content, dict) and content.get("type") == "function" and isinstance(content.get("function"), dict):
        return compact(content)
    return None


def _has_blocks(record: Record) -> bool:
    content = record.raw("content")
    blocks = content if isinstance(content, list) else []
    return any(isinstance(b, dict) and b.get("type") in anthropic_blocks.BLOCKS for b in blocks)


def _with_calls(record: Record) -> Record:
    """OpenAI's shape with the calls where they belong: LangChain's tracers leave them in `additional_kwargs`."""
    inner = record.value.get("additional_kwargs")
    if record.raw("tool_calls") is None and isinstance(inner, dict) and isinstance(inner.get("tool_calls"), list):
        value = {**record.value, "tool_calls": inner["tool_calls"]}
        return Record(value, record.place, record.report)
    return record
