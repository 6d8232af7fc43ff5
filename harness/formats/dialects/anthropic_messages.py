"""Messages in the shape of Anthropic's API.

Source: docs.anthropic.com, Messages API, tool use.

| field | what |
| --- | --- |
| `role` | user, assistant; system in dumps |
| `content` | text, or blocks: `text`, `thinking`, `redacted_thinking`, images, documents |
| `tool_use.{id,name,input}` | a call; `server_tool_use`, `mcp_tool_use` if the server runs it |
| `tool_result.{tool_use_id,content,is_error}` | a result: text, parts, or (of the server's tools) JSON |
| `id`, `model`, `usage` | of an answer |

A user message may hold results and text; each result is a
message here. Results of tools that the server ran (`web_search_tool_result` and the like) stand inside the
answer: they follow it here, since the whole answer was one request. Encrypted fields are left out of their text
and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import usage_of
from harness.transcript import Message, Role, ToolCall

THOUGHTS = ("thinking", "redacted_thinking")
MEDIA = ("image", "document", "file", "container_upload", "audio", "video", "search_result")
ENCRYPTED = ("encrypted_content", "encrypted_index", "encrypted_stdout", "signature")
NESTED = 40


class AnthropicMessages:
    """Anthropic messages: `content` of blocks, calls as `tool_use`, results as `tool_result`."""

    name = "anthropic-messages"

    def fit(self, message: dict[str, Any]) -> Fit:
        content = message.get("content")
        if message.get("role") not in ("user", "assistant", "system") or message.get("tool_calls"):
            return Fit.NO
        if isinstance(message.get("parts"), list):
            return Fit.NO
        if isinstance(content, str):
            return Fit.PLAIN
        if not isinstance(content, list) or not all(map(_is_block, content)):
            return Fit.NO
        return Fit.OWN if any(block["type"].endswith(("tool_use", "tool_result")) for block in content) else Fit.PLAIN

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            add_message(assembly, message)


def _is_block(block: Any) -> bool:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str):
        return False
    if kind == "text":
        return isinstance(block.get("text"), str)
    return kind in MEDIA or kind in THOUGHTS or kind.endswith(("tool_use", "tool_result"))


def add_message(assembly: Assembly, record: Record) -> None:
    """Read one message. A role that is not known is a problem and costs the message."""
    said = record.string("role")
    if said == "assistant":
        _add_answer(assembly, record)
    elif said in ("user", "system"):
        _add_user(assembly, record, "system" if said == "system" else "user")
    else:
        record.problem(f"unknown role {said!r:.60}")


def _blocks(record: Record) -> list[Record]:
    content = record.raw("content")
    if isinstance(content, str):
        return [Record({"type": "text", "text": content}, record.at("content"), record.report)]
    return list(record.records("content"))


def _add_answer(assembly: Assembly, record: Record) -> None:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    encrypted = images = 0
    for block in _blocks(record):
        kind = block.string("type")
        if kind == "text":
            texts.append(block.string("text"))
        elif kind == "thinking":
            thoughts.append(block.string("thinking"))
        elif kind == "redacted_thinking":
            encrypted += 1
        elif kind.endswith("tool_use"):
            calls.append(ToolCall(block.string("name"), compact(block.raw("input")), block.text("id")))
        elif kind.endswith("tool_result"):
            results.append(block)
        elif kind in MEDIA:
            images += 1
        else:
            block.problem(f"unknown kind of block {kind!r:.60}")
    assembly.add(
        Message(
            "assistant",
            "".join(texts),
            calls=tuple(calls),
            reasoning="\n".join(t for t in thoughts if t),
            images=images,
            encrypted=encrypted + sum(not t for t in thoughts),
            message_id=record.text("id"),
            model=record.text("model"),
            usage=usage_of(record.record("usage")),
        )
    )
    for result in results:
        add_result(assembly, result)


def _add_user(assembly: Assembly, record: Record, role: Role) -> None:
    texts: list[str] = []
    images = 0
    found = False
    for block in _blocks(record):
        kind = block.string("type")
        if kind.endswith("tool_result"):
            if texts or images:
                assembly.add(Message(role, "".join(texts), images=images))
            texts, images, found = [], 0, True
            add_result(assembly, block)
        elif kind == "text":
            texts.append(block.string("text"))
        elif kind in MEDIA:
            images += 1
        else:
            block.problem(f"unknown kind of block {kind!r:.60}")
    if texts or images or not found:
        assembly.add(Message(role, "".join(texts), images=images))


def add_result(assembly: Assembly, block: Record) -> None:
    """A `tool_result`: text, a list of parts, or (for tools that the server ran) an object, which is JSON."""
    content = block.raw("content")
    texts: list[str] = []
    images = encrypted = 0
    is_json = False
    if isinstance(content, list) and all(_is_plain(part) for part in content):
        for part in content:
            if part["type"] in MEDIA:
                images += 1
            else:
                texts.append(part["text"])
    elif isinstance(content, str) or content is None:
        texts.append(content or "")
    else:
        open_part, encrypted = without_secrets(content)
        texts.append(compact(open_part))
        is_json = True
    assembly.answer(
        "".join(texts),
        call_id=block.text("tool_use_id"),
        is_json=is_json,
        is_error=block.boolean("is_error"),
        images=images,
        encrypted=encrypted,
    )


def _is_plain(part: Any) -> bool:
    if not isinstance(part, dict):
        return False
    return part.get("type") in MEDIA or (part.get("type") == "text" and isinstance(part.get("text"), str))


def without_secrets(value: Any, depth: int = 0) -> tuple[Any, int]:
    """A JSON value without its encrypted fields, and how many they were."""
    if depth > NESTED:
        return value, 0
    if isinstance(value, list):
        parts = [without_secrets(part, depth + 1) for part in value]
        return [part for part, _ in parts], sum(count for _, count in parts)
    if not isinstance(value, dict):
        return value, 0
    count = sum(bool(value[key]) for key in ENCRYPTED if key in value)
    open_part: dict[str, Any] = {}
    for key, part in value.items():
        if key not in ENCRYPTED:
            open_part[key], more = without_secrets(part, depth + 1)
            count += more
    return open_part, count
