"""Cline's tasks as the editor extension keeps them: `api_conversation_history.json`, a list of Anthropic-like messages.

Source: cline/cline `src/core/assistant-message`, `src/core/prompts/responses.ts`, versions 2 and 3. Where a model has
no tools of its own, a call is XML at the end of its text, and the result a text of the user's that begins
`[<tool> for '...'] Result:`. Both are taken out of the text here. Usage is kept in another file (`cline_usage`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.anthropic_messages import add_message
from harness.formats.record import Record
from harness.transcript import Message, ToolCall

RESULT = re.compile(r"\A\[(\w+)(?: for '[^\n]*?')?\] Result:[ \t]*\n*")
TASK = "<task>"
SURROUNDINGS = "<environment_details>"


def is_task(messages: list[Any]) -> bool:
    """Whether a list of messages is a task of the extension: the first one holds the task."""
    first = messages[0] if messages and isinstance(messages[0], dict) else {}
    content = first.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [b.get("text") for b in blocks if isinstance(b, dict) and b.get("type") == "text"]
    opens = any(isinstance(text, str) and text.lstrip().startswith(TASK) for text in texts)
    return first.get("role") == "user" and opens


def add_task_message(assembly: Assembly, message: Record) -> None:
    """One message of a task."""
    time = message.time("ts")
    if message.string("role") == "assistant":
        call = None if _has_calls(message) else _written_call(message)
        if call is None:
            add_message(assembly, message)
        else:
            assembly.add(Message("assistant", call[0], calls=(call[1],), time=time))
        return
    rest: list[Any] = []
    waiting: str | None = None
    for block in _blocks(message):
        text = block.get("text") if isinstance(block, dict) else None
        opened = RESULT.match(text) if isinstance(text, str) else None
        if opened is not None:
            waiting = opened[1]
            text = text[opened.end() :] if isinstance(text, str) else ""
            if not text.strip():
                continue
        if waiting is not None and isinstance(text, str) and not text.lstrip().startswith(SURROUNDINGS):
            assembly.answer(text, name=waiting, time=time)
            waiting = None
        else:
            rest.append(block)
    if rest:
        add_message(assembly, Record({**message.value, "content": rest}, message.place, message.report))


def _blocks(message: Record) -> Iterator[Any]:
    content = message.raw("content")
    if isinstance(content, list):
        yield from content
    elif content is not None:
        yield {"type": "text", "text": message.string("content")}


def _has_calls(message: Record) -> bool:
    return any(isinstance(block, dict) and block.get("type") == "tool_use" for block in _blocks(message))


def _written_call(message: Record) -> tuple[str, ToolCall] | None:
    """The text of an answer without the call at its end, and that call with its XML as its arguments."""
    texts = [block.get("text") for block in _blocks(message) if isinstance(block, dict)]
    text = "\n".join(t for t in texts if isinstance(t, str))
    close = text.rstrip().rfind("</")
    name = text.rstrip()[close + 2 : -1] if close >= 0 and text.rstrip().endswith(">") else ""
    opening = text.rfind(f"<{name}>", 0, close) if name.isidentifier() else -1
    if opening < 0:
        return None
    arguments = text[opening + len(name) + 2 : close].strip("\n")
    return text[:opening].rstrip(), ToolCall(name, arguments)
