"""OpenCode's events: JSONL of `opencode run --format json`, or the events of its server (`/event`), one a line.

Source: sst/opencode `packages/opencode/src/cli/cmd/run.ts` and `src/session/message-v2.ts` (1.x), as its documents and
public tools describe them (August 2026).

| what | where |
| --- | --- |
| printed | `{type: step_start/text/reasoning/tool_use/step_finish/error, timestamp, sessionID, part}` |
| server | `{type: message.updated, properties.info}`, `{type: message.part.updated, properties.part}` |
| part | as in a session: `{id, messageID, sessionID, type: text/reasoning/tool/step-start/step-finish, ...}` |
| call, result | `part{type: tool, tool, callID, state{status, input, output, error, metadata}}` |
| usage | `part{type: step-finish}.tokens{input, output, reasoning, cache{read, write}}` |

A part is written anew whenever it grows: the last one counts. The printed events hold no prompt of the user.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.assembly import own_names
from harness.formats.lines import line_records
from harness.formats.opencode_session import Part, Session, Turn
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Problem, Transcript

PRINTED = frozenset({"step_start", "step_finish", "text", "reasoning", "tool_use"})
SERVED = frozenset({"message.updated", "message.part.updated"})


class OpenCodeEvents:
    name = "opencode-events"
    read_on = "made-up events, after published samples"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("jsonl", "object") and any(_is_event(record) for record in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        sessions: dict[str, _Events] = {}
        problems: list[Problem] = []
        for event in line_records(source, problems.append):
            inner = event.record("properties") if "properties" in event else event
            part, info = inner.record("part"), inner.record("info")
            own = part.string("sessionID") or info.string("sessionID") or event.string("sessionID")
            if part.value or (info.value and "role" in info):
                sessions.setdefault(own, _Events()).take(part, info)
        names = own_names(source.name)
        if not sessions:
            raise HoldsNothing("events without a message")
        for number, (own, events) in enumerate(sessions.items(), 1):
            session = Session(source)
            session.assembly.problems += problems if number == 1 else []
            session.info = Record({"id": own}, source.name, session.problem)
            session.turns = events.turns()
            name = source.name if len(sessions) == 1 else names(own, number)
            yield session.transcript(self.name, name, None)


class _Events:
    """The messages and parts of one session, each as it was last written."""

    def __init__(self) -> None:
        self.messages: dict[str, Record] = {}
        self.parts: dict[str, dict[str, Record]] = {}

    def take(self, part: Record, info: Record) -> None:
        if info.value:
            self.messages[info.string("id")] = info
            self.parts.setdefault(info.string("id"), {})
        if part.value:
            own = self.parts.setdefault(part.string("messageID"), {})
            own[part.string("id") or f"part {len(own)}"] = part

    def turns(self) -> list[Turn]:
        found = []
        for own, parts in self.parts.items():
            told = self.messages.get(own)
            fields = told or Record({"role": "assistant"}, next((p.place for p in parts.values()), ""), _silent)
            found.append(Turn(own, fields, [Part(name, part) for name, part in parts.items()]))
        return found


def _silent(_: Problem) -> None:
    """A record made here has nothing to report."""


def _is_event(record: dict[str, object]) -> bool:
    kind, inner = record.get("type"), record.get("properties")
    if not isinstance(kind, str):
        return False
    if kind in SERVED:
        return isinstance(inner, dict) and bool(inner.keys() & {"info", "part"})
    part = record.get("part")
    return kind in PRINTED and isinstance(part, dict) and "sessionID" in record
