"""Cline: session files (one JSON object with messages, their times, models and metrics), and the editor extension's
tasks (`cline_task`).

Source: a recording of the Cline SDK, cline/cline@21cb8d2. Beside text, calls and results there are `file` blocks, whose
text stands in the prompt, and results that are lists of `{query, result, success}`. What is recorded is what the tools
gave back; when the client sends it, it cuts results over 8,000 characters again
(`session/services/message-builder.ts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.cline_task import add_task_message, is_task
from harness.formats.cline_usage import add_usage
from harness.formats.dialects.anthropic_messages import add_message
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of, records
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.thinking import LEFT_OUT, resends_thinking
from harness.formats.usage import contained
from harness.transcript import Transcript, Usage

SECOND_CUT = 8_000  # characters
CUT_AGAIN = "what was sent of results over 8,000 characters"


class Cline:
    name = "cline"

    def sniff(self, head: Head) -> bool:
        if head.kind == "array":
            return is_task(list(head.records))
        if head.kind != "object" or not {"sessionId", "messages"} <= head.keys or "projectHash" in head.keys:
            return False
        messages = head.records[0]["messages"]
        return isinstance(messages, list) and (not messages or any(map(_is_message, messages[:20])))

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        assembly = Assembly(source.name)
        silent: tuple[str, ...] = ()
        if isinstance(document, list):
            for message in records(document, source.name, assembly.problems.append):
                add_task_message(assembly, message)
            silent = add_usage(assembly, source)
            document = {}
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where a session belongs")
        root = Record(document, source.name, assembly.problems.append)
        if root.string("system_prompt"):
            add_message(
                assembly, Record({"role": "system", "content": root.string("system_prompt")}, source.name, root.report)
            )
        for message in root.records("messages"):
            _add(assembly, message)
        if not any(m.role != "system" for m in assembly.messages):
            raise HoldsNothing("a session without messages")
        model = next((m.model for m in assembly.messages if m.model), None)
        resends = resends_thinking(model)
        thought = any(m.reasoning for m in assembly.messages)
        long = any(m.result is not None and len(m.result.content) > SECOND_CUT for m in assembly.messages)
        unknown = silent + ((CUT_AGAIN,) if long else ()) + ((LEFT_OUT,) if thought and not resends else ())
        yield assembly.transcript(
            source.name,
            self.name,
            cluster=root.string("cwd") or root.string("workspaceRoot"),
            model=model,
            resends_reasoning=resends,
            unknown=unknown,
        )


def _is_message(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") in ("user", "assistant") and "ts" in message


def _add(assembly: Assembly, message: Record) -> None:
    """One message with its blocks, its time, and an answer's model and metrics."""
    before = len(assembly.messages)
    content = message.raw("content")
    blocks = [_plain(block) for block in content] if isinstance(content, list) else content
    add_message(assembly, Record({**message.value, "content": blocks}, message.place, message.report))
    time = message.time("ts")
    model = message.record("modelInfo").string("id") or None
    usage = _usage(message.record("metrics"))
    for at in range(before, len(assembly.messages)):
        found = assembly.messages[at]
        if found.role == "assistant":
            found = replace(found, model=model, usage=usage)
        assembly.messages[at] = replace(found, time=time)


def _plain(block: Any) -> Any:
    """A `file` block as the text that stands in the prompt."""
    if not isinstance(block, dict) or block.get("type") != "file" or not isinstance(block.get("content"), str):
        return block
    path = block.get("path")
    return {"type": "text", "text": f"{path}\n{block['content']}" if isinstance(path, str) else block["content"]}


def _usage(metrics: Record) -> Usage | None:
    """`inputTokens` is the whole prompt."""
    given, made = metrics.integer("inputTokens"), metrics.integer("outputTokens")
    return contained(given, metrics.integer("cacheReadTokens"), metrics.integer("cacheWriteTokens"), made)
