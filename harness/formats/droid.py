"""Droid (Factory): sessions under `~/.factory/sessions/`, and the lines of `droid exec --output-format stream-json`.

Source: published fixtures and parsers (jazzyalex/agent-sessions@651e854, versions 0.57 to 0.81); no specification.

| what | session | stream |
| --- | --- | --- |
| head | `{type: session_start, id, title, cwd, version}` | `{type: system, session_id, model, cwd}` |
| message | `{type: message, id, parentId, timestamp, message{role, content[]}}` | `{type: message, role, text, id}` |
| call | block `{type: tool_use, id, name, input}` | `{type: tool_call, id/toolCallId, toolName, parameters}` |
| result | block `{type: tool_result, tool_use_id, content, is_error}` | `{type: tool_result, id, value, isError}` |
| end | - | `{type: completion, finalText, usage}` (usage of all requests together) |

Session id and tool call id are written in two ways by version. The usage of a session is a total in
`<id>.settings.json` beside it, which says nothing of single requests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.anthropic_messages import add_message
from harness.formats.json_text import compact
from harness.formats.lines import line_records
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Message, ToolCall, Transcript

UNKNOWN = ("usage of single requests",)


class Droid:
    name = "droid"
    read_on = "public fixtures; no session of a user"

    def sniff(self, head: Head) -> bool:
        if head.kind not in ("jsonl", "object"):
            return False
        return any(map(_opens_session, head.records)) or any(map(_is_streamed, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        run = _Run(source.name)
        for record in line_records(source, run.assembly.problems.append):
            run.take(record)
        run.flush()
        if not run.assembly.messages:
            raise HoldsNothing("a session without messages")
        notes = tuple(
            f"{count} lines of type {kind}, not shown to the model" for kind, count in sorted(run.others.items())
        )
        yield run.assembly.transcript(
            source.name, self.name, cluster=run.folder, model=run.model, unknown=UNKNOWN, notes=notes
        )


class _Run:
    def __init__(self, place: str) -> None:
        self.assembly = Assembly(place)
        self.folder = ""
        self.model: str | None = None
        self.others: Counter[str] = Counter()
        self.texts: list[str] = []
        self.calls: list[tuple[ToolCall, float | None]] = []
        self.time: float | None = None

    def take(self, record: Record) -> None:
        kind = record.string("type")
        if kind in ("session_start", "system"):
            self.folder = self.folder or record.string("cwd")
            self.model = self.model or record.text("model")
        elif kind == "message" and isinstance(record.raw("message"), dict):
            self._stored(record)
        elif kind == "message":
            self._streamed(record)
        elif kind == "tool_call":
            name = record.string("toolName") or record.string("toolId")
            call = ToolCall(name, compact(record.raw("parameters")), _call_id(record))
            self.calls.append((call, record.time("timestamp")))
        elif kind == "tool_result":
            self._result(record)
        elif kind == "completion":
            said = self.assembly.messages[-1] if self.assembly.messages and not self.texts else None
            if record.string("finalText") and (said is None or said.text != record.string("finalText")):
                self._say(record.string("finalText"), record)
            self.flush()
        else:
            self.others[kind] += 1

    def _stored(self, record: Record) -> None:
        before = len(self.assembly.messages)
        add_message(self.assembly, record.record("message"))
        for at in range(before, len(self.assembly.messages)):
            added = replace(self.assembly.messages[at], time=record.time("timestamp"))
            if added.role == "assistant":
                added = replace(added, message_id=record.text("id"))
            self.assembly.messages[at] = added

    def _streamed(self, record: Record) -> None:
        role = record.string("role")
        if role == "assistant":
            if self.calls:
                self.flush()
            self._say(record.string("text"), record)
        elif role in ("user", "system"):
            self.flush()
            self.assembly.add(Message("user", record.string("text"), time=record.time("timestamp")))
        else:
            record.problem(f"unknown role {role!r:.60}")

    def _say(self, text: str, record: Record) -> None:
        if text not in self.texts:
            self.texts.append(text)
        self.time = record.time("timestamp")

    def _result(self, record: Record) -> None:
        self.flush()
        value = record.raw("value")
        text = value if isinstance(value, str) else "" if value is None else compact(value)
        self.assembly.answer(
            text,
            call_id=_call_id(record),
            is_json=not isinstance(value, str) and value is not None,
            is_error=record.boolean("isError"),
            time=record.time("timestamp"),
        )

    def flush(self) -> None:
        """Write the answer that was read: its text and calls, up to the first result."""
        if self.texts or self.calls:
            time = self.calls[-1][1] if self.calls else self.time
            calls = tuple(call for call, _ in self.calls)
            self.assembly.add(Message("assistant", "\n".join(self.texts), calls, model=self.model, time=time))
            self.texts, self.calls = [], []


def _call_id(record: Record) -> str | None:
    return record.text("toolCallId") or record.text("id")


def _opens_session(record: dict[str, Any]) -> bool:
    return record.get("type") == "session_start" and {"id", "cwd"} <= record.keys()


def _is_streamed(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not record.keys() & {"sessionId", "session_id"}:
        return False
    return (kind == "tool_call" and "toolName" in record) or (kind == "completion" and "finalText" in record)
