"""Google Antigravity's transcript of a conversation: JSONL, a step a line.

Source: published fixtures and parsers (jazzyalex/agent-sessions@651e854, June 2026); no specification.

| what | where |
| --- | --- |
| step | `{step_index, source: USER_EXPLICIT/MODEL/SYSTEM, type, status, created_at, content, truncated_fields[]}` |
| user | `type: USER_INPUT`, in `<USER_REQUEST>` |
| answer | `type: PLANNER_RESPONSE`: `content`, `thinking`, `tool_calls[].{name, args}` |
| result | any other step of the model (`LIST_DIRECTORY`, `VIEW_FILE`, `RUN_COMMAND`, ...): `content` |
| compaction | `type: CHECKPOINT` |

A step names no call: results answer the calls before them in order. `truncated_fields` says what was cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.cuts import Cuts
from harness.formats.json_text import compact
from harness.formats.lines import line_records
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Message, ToolCall, Transcript

TRUNCATED = "Antigravity: cut, says its record"
NOISE = ("CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE")


class Antigravity:
    name = "antigravity"
    read_on = "public fixtures; no conversation of a user"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("jsonl", "object") and any(map(_is_step, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        assembly = Assembly(source.name)
        cuts = Cuts(assembly)
        for step in line_records(source, assembly.problems.append):
            if step.raw("type") == "CHECKPOINT":
                cuts.add(len(assembly.messages), (), "compacted")
                assembly.add(Message("user", step.string("content"), time=step.time("created_at")))
            elif step.raw("type") not in NOISE:
                _add(assembly, step)
        if not assembly.messages:
            raise HoldsNothing("a conversation without steps")
        yield assembly.transcript(source.name, self.name, cuts=cuts.of(len(assembly.messages)))


def _is_step(record: dict[str, Any]) -> bool:
    return {"step_index", "source", "type", "status"} <= record.keys()


def _add(assembly: Assembly, step: Record) -> None:
    kind, time, text = step.string("type"), step.time("created_at"), step.string("content")
    if step.string("source").startswith("USER"):
        assembly.add(Message("user", text, time=time))
    elif kind == "PLANNER_RESPONSE":
        calls = tuple(ToolCall(c.string("name"), compact(c.raw("args"))) for c in step.records("tool_calls"))
        assembly.add(Message("assistant", text, calls, reasoning=step.string("thinking"), time=time))
    elif step.string("source") == "SYSTEM":
        if text:
            assembly.add(Message("system", text, time=time))
    else:
        cut = TRUNCATED if "content" in step.array("truncated_fields") else None
        assembly.answer(text, is_error=step.string("status") == "ERROR", clipped=cut, time=time)
