"""The response items of a Codex rollout, one at a time: what the model made, and what it was given.

Source: openai/codex `codex-rs/protocol/src/models.rs` (read at 001cb8e), `ResponseItem`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from harness.formats.json_text import Unreadable, compact, parse
from harness.formats.record import Record
from harness.transcript import ToolCall

EXIT_CODE = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,9})$", re.MULTILINE)
OUTPUT_BEGINS = re.compile(r"^(?:Output|Total output lines):", re.MULTILINE)
RUN_BY_PROVIDER = "(run by the provider)"  # these calls have no id, and no result of theirs is recorded


@dataclass
class Made:
    """What the model made in one request, as far as its items have come in."""

    copied: bool = False
    model: str | None = None
    texts: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    encrypted: int = 0
    images: int = 0


@dataclass(frozen=True)
class Output:
    """A result: the text that was sent, and what is known of it."""

    call_id: str | None
    content: str
    is_json: bool = False
    is_error: bool | None = None
    exit_code: int | None = None
    images: int = 0


def is_made(item: Record) -> bool:
    """Whether the model made this item."""
    kind = item.string("type")
    if kind == "message":
        return item.string("role") == "assistant"
    return kind == "reasoning" or kind.endswith("_call")


def add_made(made: Made, item: Record) -> None:
    """Add an item that the model made."""
    kind = item.string("type")
    if kind == "message":
        text, images = content_of(item, "content")
        made.texts.append(text)
        made.images += images
    elif kind == "reasoning":
        made.encrypted += bool(item.raw("encrypted_content"))
        thoughts = [part.string("text") for part in item.records("content")]
        made.reasoning += thoughts or [part.string("text") for part in item.records("summary")]
    elif kind == "image_generation_call":
        made.images += 1
    else:
        made.calls.append(_call(kind, item))


def _call(kind: str, item: Record) -> ToolCall:
    call_id = item.string("call_id") or None
    if kind == "function_call":
        space = item.string("namespace")
        name = f"{space}.{item.string('name')}" if space else item.string("name")
        return ToolCall(name, _text(item, "arguments"), call_id)
    if kind == "custom_tool_call":
        return ToolCall(item.string("name"), _text(item, "input"), call_id)
    name = kind.removesuffix("_call")
    arguments = _text(item, "action" if "action" in item else "arguments")
    return ToolCall(name, arguments, call_id or item.string("id") or RUN_BY_PROVIDER)


def _text(item: Record, key: str) -> str:
    value = item.raw(key)
    return value if isinstance(value, str) else "" if value is None else compact(value)


def output_of(item: Record) -> Output:
    """A `*_output` item. A shell result that was sent as a JSON string stays that string."""
    call_id = item.string("call_id") or None
    if "tools" in item:
        return Output(call_id, compact(item.raw("tools")), is_json=True)
    value = item.raw("output")
    if isinstance(value, list):
        text, images = content_of(item, "output")
        return Output(call_id, text, images=images)
    if isinstance(value, dict):
        inner = item.record("output")
        success = inner.boolean("success")
        failed = None if success is None else not success
        if isinstance(inner.raw("content"), str):
            content = inner.string("content")
            return Output(call_id, content, is_error=failed, exit_code=exit_code_of(content))
        return Output(call_id, compact(value), is_json=True, is_error=failed)
    content = item.string("output")
    return Output(call_id, content, exit_code=exit_code_of(content))


def exit_code_of(content: str) -> int | None:
    """The exit code that a shell result names in its metadata or in the lines above its output."""
    if content.startswith('{"output":'):
        try:
            value = parse(content)
        except Unreadable:
            return None
        metadata = value.get("metadata") if isinstance(value, dict) else None
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        return code if isinstance(code, int) and not isinstance(code, bool) and abs(code) < 2**31 else None
    if not content.startswith(("Chunk ID:", "Exit code:", "Wall time:")):
        return None
    head = content[:500]
    output = OUTPUT_BEGINS.search(head)
    found = EXIT_CODE.search(head[: output.start()] if output else head)
    return int(found[1]) if found else None


def content_of(item: Record, key: str) -> tuple[str, int]:
    """The text of a list of parts (or of a string), and how many parts are no text."""
    if isinstance(item.raw(key), str):
        return item.string(key), 0
    texts: list[str] = []
    others = 0
    for part in item.records(key):
        if isinstance(part.raw("text"), str):
            texts.append(part.string("text"))
        else:
            others += 1
    return "\n".join(texts), others
