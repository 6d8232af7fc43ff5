"""Messages of an AutoGen run: a `TaskResult`, its messages as a list, or one a line.

Source: microsoft/autogen@027ecf0 `python/packages/autogen-agentchat/src/autogen_agentchat/messages.py`.

| what | where |
| --- | --- |
| container | `{messages[], stop_reason}`, `[...]`, or JSONL |
| text | `{type: TextMessage, source, content}`; from `user` it is the user's |
| call | `{type: ToolCallRequestEvent, content[].{id, name, arguments}}` |
| result | `{type: ToolCallExecutionEvent, content[].{call_id, name, content, is_error}}` |
| reasoning | `{type: ThoughtEvent, content}` |
| usage | `models_usage.{prompt_tokens, completion_tokens}` |

`ToolCallSummaryMessage` repeats results and is what the team's other agents read. Several agents stand in one list:
each message of an agent is a request of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import Unreadable
from harness.formats.lines import line_records
from harness.formats.record import Record, kind_of, records
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall, Transcript

KINDS = frozenset(
    {"TextMessage", "ToolCallRequestEvent", "ToolCallExecutionEvent", "ToolCallSummaryMessage", "ThoughtEvent"}
)


class AutoGen:
    name = "autogen"
    read_on = "its source, and made-up messages"

    def sniff(self, head: Head) -> bool:
        if head.kind == "object" and isinstance(head.records[0].get("messages"), list):
            return any(isinstance(m, dict) and _is_message(m) for m in head.records[0]["messages"][:5])
        return head.kind in ("array", "jsonl", "object") and any(map(_is_message, head.records[:5]))

    def read(self, source: Source) -> Iterator[Transcript]:
        assembly = Assembly(source.name)
        thoughts: list[str] = []
        for message in _messages(source, assembly):
            _add(assembly, message, thoughts)
        if not any(m.role == "assistant" for m in assembly.messages):
            raise HoldsNothing("messages without an answer of a model")
        yield assembly.transcript(source.name, self.name, unknown=("which agent was shown which message",))


def _is_message(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    return isinstance(kind, str) and kind in KINDS and "source" in record and "content" in record


def _messages(source: Source, assembly: Assembly) -> Iterator[Record]:
    report = assembly.problems.append
    if source.head().kind == "jsonl":
        yield from line_records(source, report)
        return
    document = source.document()
    listed = document.get("messages", [document]) if isinstance(document, dict) else document
    if not isinstance(listed, list):
        raise Unreadable(f"{kind_of(listed)} where messages belong")
    yield from records(listed, source.name, report)


def _add(assembly: Assembly, message: Record, thoughts: list[str]) -> None:
    kind, time = message.string("type"), message.time("created_at")
    counts = message.record("models_usage")
    usage = contained(counts.integer("prompt_tokens"), None, None, counts.integer("completion_tokens"))
    if kind == "ThoughtEvent":
        thoughts.append(message.string("content"))
    elif kind == "ToolCallRequestEvent":
        calls = [
            ToolCall(call.string("name"), arguments_text(call.raw("arguments")), call.text("id"))
            for call in message.records("content")
        ]
        assembly.add(Message("assistant", "", tuple(calls), reasoning="\n".join(thoughts), time=time, usage=usage))
        thoughts.clear()
    elif kind == "ToolCallExecutionEvent":
        for result in message.records("content"):
            assembly.answer(
                result.string("content"),
                call_id=result.text("call_id"),
                name=result.string("name"),
                is_error=result.boolean("is_error"),
                time=time,
            )
    elif kind != "ToolCallSummaryMessage":
        content = message.raw("content")
        text = content if isinstance(content, str) else arguments_text(content)
        if message.string("source") == "user":
            assembly.add(Message("user", text, time=time))
        else:
            assembly.add(Message("assistant", text, reasoning="\n".join(thoughts), time=time, usage=usage))
            thoughts.clear()
