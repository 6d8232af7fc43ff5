"""Qwen Code sessions: JSONL under `~/.qwen/projects/<folder>/chats/`, or `~/.qwen/tmp/<hash>/chats/`.

Source: QwenLM/qwen-code `packages/core/src/services/chatRecordingService.ts` (0.5 to 0.21), Apache-2.0.

| what | where |
| --- | --- |
| line | `{uuid, parentUuid, sessionId, timestamp, type, subtype?, cwd, version, gitBranch, model?, message?}` |
| role, text | `type: user/assistant/tool_result/system`; `message.{role, parts[].text}`, `thought: true` is reasoning |
| call | `message.parts[].functionCall.{id, name, args}` |
| result | `message.parts[].functionResponse.{id, name, response}`; `toolCallResult` is the interface's copy |
| usage | `usageMetadata` of the assistant's line, as Gemini's API names it |
| compaction | `{type: system, subtype: chat_compression, systemPayload.compressedHistory[]}` |

Lines of one `uuid` are pieces of one message. A line that hangs on an earlier one goes on from there: what lay between
is in no later prompt. Telemetry, slash commands and snapshots (`type: system`) stand in no prompt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.cuts import Cuts
from harness.formats.dialects.gemini_contents import add_content, usage_of
from harness.formats.lines import line_records
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

TYPES = ("user", "assistant", "tool_result", "system")


class QwenCode:
    name = "qwen-code"
    read_on = "public fixtures (jazzyalex/agent-sessions); no session of a user"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("jsonl", "object") and any(map(_is_line, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        session = _Session(source.name)
        for record in line_records(source, session.assembly.problems.append):
            session.take(record)
        if not session.assembly.messages:
            raise HoldsNothing("a session without messages")
        yield session.assembly.transcript(
            source.name, self.name, cluster=session.folder, cuts=session.cuts.of(len(session.assembly.messages))
        )


class _Session:
    """made: the messages of each line. latest: the line that the next one hangs on, if nobody went back."""

    def __init__(self, place: str) -> None:
        self.assembly = Assembly(place)
        self.cuts = Cuts(self.assembly)
        self.folder = ""
        self.made: dict[str, list[int]] = {}
        self.parent: dict[str, str] = {}
        self.base: dict[str, list[int]] = {}
        self.latest = ""

    def take(self, record: Record) -> None:
        self.folder = self.folder or record.string("cwd")
        own, parent, kind = record.string("uuid"), record.string("parentUuid"), record.string("type")
        if kind not in TYPES:
            record.problem(f"unknown type of line {kind!r:.60}")
            return
        if own in self.made and kind != "system":
            self._add(record, own)
            return
        if self.latest and parent in self.made and parent != self.latest:
            self.cuts.add(len(self.assembly.messages), self._chain(parent), "rewound")
        self.parent[own] = parent
        self.made.setdefault(own, [])
        self.latest = own
        if kind == "system":
            if record.string("subtype") == "chat_compression":
                self._compact(record, own)
            return
        self._add(record, own)

    def _add(self, record: Record, own: str) -> None:
        before = len(self.assembly.messages)
        message = record.record("message")
        if record.string("type") == "assistant" and before and self.made.get(own) == [before - 1]:
            self._join(message, before - 1)
            before -= 1
            self.made[own].pop()
        else:
            add_content(self.assembly, message)
        usage = usage_of(record.record("usageMetadata"))
        for at in range(before, len(self.assembly.messages)):
            self.made[own].append(at)
            added = replace(self.assembly.messages[at], time=record.time("timestamp"))
            if added.role == "assistant":
                model = record.string("model") or added.model
                added = replace(added, message_id=own or None, model=model, usage=usage or added.usage)
            self.assembly.messages[at] = added

    def _join(self, message: Record, at: int) -> None:
        """A further piece of an answer."""
        piece = Assembly(self.assembly.place)
        add_content(piece, message)
        more, held = piece.messages[0], self.assembly.messages.pop(at)
        self.assembly.add(
            replace(
                held,
                text=held.text + more.text,
                calls=held.calls + more.calls,
                reasoning=held.reasoning + more.reasoning,
            )
        )

    def _compact(self, record: Record, own: str) -> None:
        """The history as the client wrote it anew: a summary, and what it kept."""
        at = len(self.assembly.messages)
        for content in record.record("systemPayload").records("compressedHistory"):
            add_content(self.assembly, content)
        for index in range(at, len(self.assembly.messages)):
            self.assembly.messages[index] = replace(self.assembly.messages[index], copied=True)
        self.cuts.add(at, (), "compacted")
        self.base[own] = list(range(at, len(self.assembly.messages)))

    def _chain(self, line: str) -> list[int]:
        """The messages that the prompt holds after a line."""
        found: list[list[int]] = []
        seen: set[str] = set()
        while line in self.made and line not in seen:
            seen.add(line)
            if line in self.base:
                found.append(self.base[line])
                break
            found.append(self.made[line])
            line = self.parent.get(line, "")
        return [at for indices in reversed(found) for at in indices]


def _is_line(record: dict[str, Any]) -> bool:
    if record.get("type") not in TYPES or not {"uuid", "parentUuid", "sessionId"} <= record.keys():
        return False
    message = record.get("message")
    return (isinstance(message, dict) and isinstance(message.get("parts"), list)) or "systemPayload" in record
