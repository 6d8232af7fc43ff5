"""Gemini CLI session files: one JSON object (`session-*.json`), or JSONL since 2026 (`session-*.jsonl`).

Source: google-gemini/gemini-cli@5411f11 `packages/core/src/services/chatRecordingTypes.ts` and
`chatRecordingService.ts`. In JSONL a message is written anew, under its id, whenever it grows; `$rewindTo` takes back
the message that it names and all after it; `$set.messages` is the history as the client rewrote it (masked results, a
summary). Calls stand with their results in one record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.gemini_history import History
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

TURN_TYPES = ("user", "gemini")


class GeminiCli:
    name = "gemini-cli"

    def sniff(self, head: Head) -> bool:
        if head.kind == "object":
            return {"sessionId", "projectHash", "messages"} <= head.keys
        return head.kind == "jsonl" and any(map(_is_line, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        history = History(source.name)
        for place, value in _records(source):
            if not isinstance(value, dict):
                source.problem(place, f"{kind_of(value)} where an object belongs")
                continue
            try:
                full = f"{source.name}: {place}" if place else source.name
                history.take(Record(value, full, history.assembly.problems.append))
            except Unreadable as error:
                source.problem(place, str(error))
        if not history.entries:
            raise HoldsNothing("a session without messages")
        yield history.transcript(self.name, _parent(history.meta, source))


def _records(source: Source) -> Iterator[tuple[str, Any]]:
    if source.head().kind == "jsonl":
        for number, value in source.lines():
            yield f"line {number}", value
    else:
        yield "", source.document()


def _is_line(record: dict[str, Any]) -> bool:
    if "sessionId" in record and "projectHash" in record:
        return True
    if isinstance(record.get("$rewindTo"), str) or isinstance(record.get("$set"), dict):
        return True
    return record.get("type") in TURN_TYPES and {"id", "timestamp", "content"} <= record.keys()


def _parent(meta: dict[str, Any], source: Source) -> str | None:
    """The session of a sub-agent. Its file lies in a folder with the session's id, beside the session's own file, whose
    name ends with the first 8 letters of that id."""
    if meta.get("kind") != "subagent":
        return None
    parts = source.name.split("/")
    session = parts[-2] if len(parts) > 1 else ""
    if not session or source.opener is not None:
        return session or None
    for path in sorted(source.path.parent.parent.glob("session-*.json*")):
        if path.stem.endswith(session[:8]):
            return "/".join([*parts[:-2], path.name])
    return session
