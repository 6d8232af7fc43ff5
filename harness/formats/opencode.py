"""OpenCode sessions: an export (`opencode export`), a dump of its tables, its SQLite database, or its `storage` folder.

Source: sst/opencode@0a3427d `packages/opencode/src/session/message-v2.ts`, and a dump of version 1.17. A session has
messages, a message has parts; a tool part holds the call and its result. In tables and dumps a record's fields are a
JSON string in `data`. Sub-agents are sessions with a parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.formats.assembly import own_names
from harness.formats.json_text import Unreadable, parse
from harness.formats.opencode_session import Part, Session, Turn
from harness.formats.record import Record, kind_of, records
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.sqlite_rows import database, text
from harness.transcript import Transcript

TABLES = (rb"CREATE TABLE [`\"']?session\b", rb"CREATE TABLE [`\"']?message\b", rb"CREATE TABLE [`\"']?part\b")
FOLDERS = {"session/", "message/", "part/"}


class OpenCode:
    name = "opencode"

    def sniff(self, head: Head) -> bool:
        if head.kind == "sqlite":
            return all(re.search(table, head.start) for table in TABLES)
        if head.kind == "directory":
            return set(head.members) >= FOLDERS
        if head.kind != "object":
            return False
        record = head.records[0]
        return _is_dump(record) or _is_export(record)

    def read(self, source: Source) -> Iterator[Transcript]:
        kind = source.head().kind
        if kind == "sqlite":
            found = _tables(source)
        elif kind == "directory":
            found = _folder(source)
        else:
            found = _document(source)
        names = own_names(source.name)
        nothing = True
        for number, session in enumerate(found, 1):
            if not session.turns:
                continue
            nothing = False
            own = session.info.string("id") or None
            transcript_id = source.name if kind in ("object", "jsonl") else names(own, number)
            yield session.transcript(self.name, transcript_id, _parent(session, source, kind))
        if nothing:
            raise HoldsNothing("no session with messages")


def _parent(session: Session, source: Source, kind: str) -> str | None:
    parent = session.info.string("parent_id") or session.info.string("parentID")
    if not parent:
        return None
    if kind not in ("object", "jsonl"):
        return f"{source.name}#{parent}"
    beside = source.name.rpartition("/")[0]
    return f"{beside}/{parent}.json" if beside else f"{parent}.json"


def _is_dump(record: dict[str, Any]) -> bool:
    return {"session", "messages", "parts"} <= record.keys() and isinstance(record["session"], dict)


def _is_export(record: dict[str, Any]) -> bool:
    messages = record.get("messages")
    if not isinstance(record.get("info"), dict) or not isinstance(messages, list):
        return False
    if not messages:
        return "projectID" in record["info"]
    first = messages[0]
    return isinstance(first, dict) and isinstance(first.get("info"), dict) and isinstance(first.get("parts"), list)


def _document(source: Source) -> Iterator[Session]:
    document = source.document()
    if not isinstance(document, dict):
        raise Unreadable(f"{kind_of(document)} where a session belongs")
    session = Session(source)
    root = Record(document, source.name, session.problem)
    if "session" in root:
        session.info = root.record("session")
        parts: dict[str, list[Part]] = {}
        for row in root.records("parts"):
            data = _data(row)
            if data is not None:
                parts.setdefault(row.string("message_id"), []).append(Part(row.string("id"), data))
        for row in root.records("messages"):
            data = _data(row)
            if data is not None:
                session.turns.append(Turn(row.string("id"), data, parts.get(row.string("id"), [])))
    else:
        session.info = root.record("info")
        for message in root.records("messages"):
            info = message.record("info")
            own = [Part(part.string("id"), part) for part in message.records("parts")]
            session.turns.append(Turn(info.string("id"), info, own))
    yield session


def _data(row: Record) -> Record | None:
    """The fields of a record: in `data`, as JSON text; a record without it is its own fields."""
    value = row.raw("data")
    if value is None:
        return row
    try:
        parsed = parse(value) if isinstance(value, (str, bytes)) else value
    except Unreadable as error:
        row.problem(f"data is {error}")
        return None
    if not isinstance(parsed, dict):
        row.problem(f"data is {kind_of(parsed)}, not an object")
        return None
    return Record(parsed, f"{row.place}.data", row.report)


def _tables(source: Source) -> Iterator[Session]:
    with database(source) as connection:
        rows = connection.execute("SELECT * FROM session ORDER BY time_created, id").fetchall()
        for number, row in enumerate(rows, 1):
            session = Session(source)
            fields = {key: text(value) if isinstance(value, bytes) else value for key, value in row.items()}
            session.info = Record(fields, f"{source.name}: session {number}", session.problem)
            name = text(row.get("id"))
            parts: dict[str, list[Part]] = {}
            order = "WHERE session_id = ? ORDER BY time_created, id"
            for at, part in enumerate(connection.execute(f"SELECT id, message_id, data FROM part {order}", (name,))):
                data = _data(Record({"data": part["data"]}, f"{session.info.place}: part {at + 1}", session.problem))
                if data is not None:
                    parts.setdefault(text(part["message_id"]), []).append(Part(text(part["id"]), data))
            for at, message in enumerate(connection.execute(f"SELECT id, data FROM message {order}", (name,))):
                place = f"{session.info.place}: message {at + 1}"
                data = _data(Record({"data": message["data"]}, place, session.problem))
                if data is not None:
                    message_id = text(message["id"])
                    session.turns.append(Turn(message_id, data, parts.get(message_id, [])))
            yield session


def _folder(source: Source) -> Iterator[Session]:
    root = source.path
    folders = {kind: {p.name: p for p in (root / kind).iterdir() if p.is_dir()} for kind in ("message", "part")}
    for file in sorted((root / "session").rglob("*.json")):
        session = Session(source)
        info = _file(file, source, session)
        if info is None or "messageID" in info:
            continue
        session.info = info
        for message in _listed(folders["message"], file.stem, info.string("id")):
            data = _file(message, source, session)
            if data is None:
                continue
            files = _listed(folders["part"], message.stem, data.string("id"))
            parts = [Part(part.stem, found) for part in files if (found := _file(part, source, session)) is not None]
            session.turns.append(Turn(message.stem, data, parts))
        yield session


def _listed(folders: dict[str, Path], *names: str) -> list[Path]:
    """The files in the first folder of those names. A name out of a recording is only looked up among what is there."""
    folder = next((folders[name] for name in names if name in folders), None)
    return [] if folder is None else sorted(folder.glob("*.json"))


def _file(path: Path, source: Source, session: Session) -> Record | None:
    place = f"{source.name}: {path.relative_to(source.path).as_posix()}"
    try:
        values = [parse(path.read_bytes())]
    except (Unreadable, OSError) as error:
        source.problem(path.relative_to(source.path).as_posix(), str(error))
        return None
    found = next(records(values, place, session.problem), None)
    return None if found is None else Record(found.value, place, session.problem)
