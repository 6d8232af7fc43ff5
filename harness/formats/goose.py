"""Goose sessions: its SQLite database (`sessions.db`), an export in JSON, or the JSONL files of earlier versions.

Source: block/goose@0513296 `crates/goose/src/conversation/message.rs` and `session/session_manager.rs`. No recording
was at hand: read from the source alone. A part of a result that is for the user only (`audience`) was not sent; after a
compaction what it replaced is marked as not visible to the agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import own_names
from harness.formats.goose_session import GooseSession
from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.sqlite_rows import database, text
from harness.transcript import Transcript

TABLES = (rb"CREATE TABLE [`\"']?sessions\b", rb"CREATE TABLE [`\"']?messages\b", rb"\bcontent_json\b")
CONTENT = frozenset(
    {"toolRequest", "toolResponse", "frontendToolRequest", "toolConfirmationRequest", "systemNotification"}
)


class Goose:
    name = "goose"
    read_on = "its source alone"

    def sniff(self, head: Head) -> bool:
        if head.kind == "sqlite":
            return all(re.search(table, head.start) for table in TABLES)
        if head.kind == "object":
            return {"working_dir", "conversation"} <= head.keys
        return head.kind == "jsonl" and any(_is_header(r) or _is_message(r) for r in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        kind = source.head().kind
        names = own_names(source.name)
        found = _tables(source) if kind == "sqlite" else _lines(source) if kind == "jsonl" else _document(source)
        nothing = True
        for number, (own, session) in enumerate(found, 1):
            if session.assembly.messages:
                nothing = False
                yield session.transcript(self.name, names(own, number) if kind == "sqlite" else source.name)
        if nothing:
            raise HoldsNothing("no session with messages")


def _is_header(record: dict[str, Any]) -> bool:
    return "working_dir" in record and "role" not in record and "conversation" not in record


def _is_message(record: dict[str, Any]) -> bool:
    content = record.get("content")
    blocks = content if isinstance(content, list) else []
    return "created" in record and any(isinstance(b, dict) and _kind(b) in CONTENT for b in blocks)


def _kind(block: dict[str, Any]) -> str:
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""


def _document(source: Source) -> Iterator[tuple[str | None, GooseSession]]:
    document = source.document()
    if not isinstance(document, dict):
        raise Unreadable(f"{kind_of(document)} where a session belongs")
    session = GooseSession(source.name)
    root = Record(document, source.name, session.assembly.problems.append)
    session.folder = root.string("working_dir")
    conversation = root.raw("conversation")
    holder = root.record("conversation") if isinstance(conversation, dict) else root
    for message in holder.records("messages" if isinstance(conversation, dict) else "conversation"):
        session.message(message)
    yield None, session


def _lines(source: Source) -> Iterator[tuple[str | None, GooseSession]]:
    session = GooseSession(source.name)
    for number, value in source.lines():
        if not isinstance(value, dict):
            source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
            continue
        record = Record(value, f"{source.name}: line {number}", session.assembly.problems.append)
        try:
            if _is_header(value):
                session.folder = record.string("working_dir")
            else:
                session.message(record)
        except Unreadable as error:
            source.problem(f"line {number}", str(error))
    yield None, session


def _tables(source: Source) -> Iterator[tuple[str | None, GooseSession]]:
    with database(source) as connection:
        for number, row in enumerate(connection.execute("SELECT * FROM sessions ORDER BY id").fetchall(), 1):
            session = GooseSession(source.name)
            session.folder = text(row.get("working_dir"))
            own = text(row.get("id"))
            query = "SELECT * FROM messages WHERE session_id = ? ORDER BY id"
            for at, found in enumerate(connection.execute(query, (own,)), 1):
                place = f"{source.name}: session {number}: message {at}"
                try:
                    value = {
                        "id": text(found.get("message_id")),
                        "role": text(found.get("role")),
                        "created": found.get("created_timestamp"),
                        "content": parse(text(found.get("content_json"))),
                        "metadata": parse(text(found.get("metadata_json")) or "null"),
                    }
                    session.message(Record(value, place, session.assembly.problems.append))
                except Unreadable as error:
                    source.problem(place.removeprefix(f"{source.name}: "), str(error))
            yield own or None, session
