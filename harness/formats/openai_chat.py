"""OpenAI chat messages: one conversation as a JSON object or a bare list of messages, or one conversation a
JSONL line.

Source: openai/openai-python@e43b422 `types/chat/chat_completion_message_param.py`. A conversation is
`{"messages": [...]}`; beside it are read `tools` or `functions`, `model`, `id`, `usage` and `response` (of
the last request), and `metadata.task`, the cluster. A message may carry `usage`, `model` and `timestamp`, as
many dumps add them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly, own_names
from harness.formats.containers.openhands_logs import is_log
from harness.formats.dialects.anthropic_messages import is_anthropic
from harness.formats.dialects.openai_chat import add_message, is_chat, tool_definitions
from harness.formats.json_text import Unreadable
from harness.formats.mini_swe_agent import is_mini
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.formats.usage import usage_of
from harness.transcript import Transcript


class OpenAIChat:
    name = "openai-chat"

    def sniff(self, head: Head) -> bool:
        if not head.records:
            return False
        if head.kind == "array" and "role" in head.records[0]:
            return _is_conversation({"messages": list(head.records)})
        return head.kind in ("object", "array", "jsonl") and all(_is_conversation(r) for r in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        names = own_names(source.name)
        if source.head().kind == "jsonl":
            for number, value in source.lines():
                yield from self._conversation(source, f"line {number}", value, names(_own_name(value), number))
            return
        document = source.document()
        if isinstance(document, list) and document and not _is_message(document[0]):
            for number, value in enumerate(document, 1):
                yield from self._conversation(source, f"[{number - 1}]", value, names(_own_name(value), number))
        elif isinstance(document, (dict, list)):
            yield from self._conversation(source, "", document, source.name)
        else:
            raise Unreadable(f"{kind_of(document)} where a conversation belongs")

    def _conversation(self, source: Source, place: str, value: Any, name: str) -> Iterator[Transcript]:
        if isinstance(value, list):
            value = {"messages": value}
        if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
            source.problem(place, "no conversation: an object with a list of messages belongs here")
            return
        assembly = Assembly(source.name)
        record = Record(value, f"{source.name}: {place}" if place else source.name, assembly.problems.append)
        for message in record.records("messages"):
            add_message(assembly, message)
        usage = usage_of(record.record("usage"))
        if "response" in record:
            response = record.record("response")
            for choice in list(response.records("choices"))[:1]:
                add_message(assembly, choice.record("message"), role="assistant")
            usage = usage_of(response.record("usage")) or usage
        if usage is not None:
            assembly.amend_last_request(usage=usage)
        yield assembly.transcript(
            name,
            self.name,
            cluster=record.record("metadata").string("task"),
            model=record.text("model"),
            tools=tool_definitions(record),
        )


def _is_conversation(record: dict[str, Any]) -> bool:
    messages = record.get("messages")
    if not isinstance(messages, list) or not is_chat(messages):
        return False
    return not (is_anthropic(record) or is_log(record) or is_mini(record))


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and "role" in value


def _own_name(value: Any) -> str | None:
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None
