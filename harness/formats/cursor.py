"""Cursor: a chat of its agent (`store.db`), the editor's chats (`state.vscdb`), or an agent's transcript (JSONL).

Source: published parsers and fixtures (jazzyalex/agent-sessions@651e854, August 2026); no specification.

| what | `~/.cursor/chats/<folder>/<chat>/store.db` | `User/globalStorage/state.vscdb`, `cursorDiskKV` |
| --- | --- | --- |
| chat | `meta`: hex of JSON `{agentId, latestRootBlobId, lastUsedModel}` | `composerData:<chat>` |
| order | root blob, field 1: ids of message blobs | `fullConversationHeadersOnly[].bubbleId` |
| message | blob, JSON `{role, content}` | `bubbleId:<chat>:<bubble>`: `{type 1/2, text}` |
| call | `{type: tool-call, toolCallId, toolName, args}` | `toolFormerData.{name, toolCallId, rawArgs}` |
| result | `{type: tool-result, toolCallId, result}` | `toolFormerData.result` |
| usage | none of a request | `tokenCount.{inputTokens, outputTokens}` |

A transcript (`~/.cursor/projects/<folder>/agent-transcripts/`) has lines `{role, message.content[]}` with blocks
`tool_use` and mostly no results. What Cursor puts into the prompt besides (rules, open files) is in none of them. A
chat exported as Markdown holds no results and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly, own_names
from harness.formats.cursor_chats import EditorChat, VercelMessage
from harness.formats.dialects.anthropic_messages import add_message
from harness.formats.json_text import Unreadable, parse
from harness.formats.lines import line_records
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.sqlite_rows import database, text
from harness.transcript import Transcript

STORE = (rb"CREATE TABLE [`\"']?blobs\b", rb"CREATE TABLE [`\"']?meta\b")
EDITOR = rb"CREATE TABLE [`\"']?cursorDiskKV\b"
UNKNOWN = ("what Cursor put into the prompt besides",)
MOST = 200_000  # messages of one chat


class Cursor:
    name = "cursor"
    read_on = "public fixtures of transcripts; databases made up"

    def sniff(self, head: Head) -> bool:
        if head.kind == "sqlite":
            return all(re.search(table, head.start) for table in STORE) or re.search(EDITOR, head.start) is not None
        return head.kind in ("jsonl", "object") and bool(head.records) and all(map(_is_line, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        head = source.head()
        if head.kind != "sqlite":
            yield from _lines(source, self.name)
        elif re.search(EDITOR, head.start):
            yield from _editor(source, self.name)
        else:
            yield from _store(source, self.name)


def _is_line(record: dict[str, Any]) -> bool:
    if record.get("type") == "turn_ended" and "role" not in record:
        return True
    message = record.get("message")
    inside = isinstance(message, dict) and isinstance(message.get("content"), list) and "role" not in message
    return record.get("role") in ("user", "assistant", "system") and inside


def _lines(source: Source, name: str) -> Iterator[Transcript]:
    assembly = Assembly(source.name)
    for record in line_records(source, assembly.problems.append):
        if "message" in record:
            add_message(assembly, _named_alike(record.record("message"), record.string("role")))
    if not assembly.messages:
        raise HoldsNothing("a transcript without messages")
    yield assembly.transcript(source.name, name, unknown=(*UNKNOWN, "results of tools, where none stand in it"))


def _named_alike(message: Record, role: str) -> Record:
    """A message with its role, and blocks under the names that older versions and Anthropic's API have for them."""
    names = {"tool_call": "tool_use", "tool-call": "tool_use", "tool-result": "tool_result"}
    blocks = [
        {**block, "type": names.get(block["type"], block["type"])}
        if isinstance(block, dict) and isinstance(block.get("type"), str)
        else block
        for block in message.array("content")
    ]
    return Record({**message.value, "role": role, "content": blocks}, message.place, message.report)


def _store(source: Source, name: str) -> Iterator[Transcript]:
    assembly = Assembly(source.name)
    with database(source) as connection:
        blobs = {text(row["id"]): row["data"] for row in connection.execute("SELECT id, data FROM blobs")}
        meta = next(filter(None, (_meta(row["value"]) for row in connection.execute("SELECT value FROM meta"))), {})
    root = blobs.get(str(meta.get("latestRootBlobId", "")))
    order = _listed(root, blobs) if isinstance(root, bytes) else []
    model = meta.get("lastUsedModel")
    for number, own in enumerate(order or blobs, 1):
        value = _json(blobs[own])
        if value is not None:
            message = Record(value, f"{source.name}: message {number}", assembly.problems.append)
            VercelMessage(message).add(assembly)
    if not order and assembly.messages:
        source.problem("", "the order of its messages is not there: they stand as they were written", lost=0)
    if not assembly.messages:
        raise HoldsNothing("a chat without messages")
    yield assembly.transcript(source.name, name, model=model if isinstance(model, str) else None, unknown=UNKNOWN)


def _meta(value: Any) -> dict[str, Any]:
    """The JSON of a chat: as hex digits, or as it is."""
    raw = value if isinstance(value, bytes) else b""
    if re.fullmatch(rb"(?:[0-9a-fA-F]{2})+", raw):
        raw = bytes.fromhex(raw.decode("ascii"))
    return _json(raw) or {}


def _json(data: Any) -> dict[str, Any] | None:
    if not isinstance(data, bytes) or data[:1] != b"{":
        return None
    try:
        value = parse(data)
    except Unreadable:
        return None
    return value if isinstance(value, dict) else None


def _listed(root: bytes, blobs: dict[str, Any]) -> list[str]:
    """The messages that a root names: its fields of number 1 and 32 bytes, in the wire format of protocol buffers."""
    found: list[str] = []
    at = 0
    while at < len(root) and len(found) < MOST:
        tag, at = _varint(root, at)
        kind = tag & 7
        if kind == 2:
            length, at = _varint(root, at)
            if tag >> 3 == 1 and length == 32 and root[at : at + 32].hex() in blobs:
                found.append(root[at : at + 32].hex())
            at += length
        elif kind == 0:
            _, at = _varint(root, at)
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        else:
            break
    return [own for own in found if _json(blobs[own]) is not None]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
    return value, at


def _editor(source: Source, name: str) -> Iterator[Transcript]:
    names = own_names(source.name)
    nothing = True
    with database(source) as connection:
        heads = "SELECT key, value FROM cursorDiskKV WHERE key LIKE 'composerData:%' ORDER BY key"
        for number, row in enumerate(connection.execute(heads).fetchall(), 1):
            own = text(row["key"]).partition(":")[2]
            value = _json(row["value"])
            if value is None:
                continue
            where = (f"bubbleId:{own}:", f"bubbleId:{own};")
            query = "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?"
            bubbles = {text(r["key"]).rpartition(":")[2]: _json(r["value"]) for r in connection.execute(query, where)}
            chat = EditorChat(f"{source.name}: chat {number}", value, bubbles)
            if chat.assembly.messages:
                nothing = False
                yield chat.assembly.transcript(names(own, number), name, model=chat.model, unknown=UNKNOWN)
    if nothing:
        raise HoldsNothing("no chat with messages")
