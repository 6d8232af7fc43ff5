"""LangChain and LangGraph: lists of messages, `{"messages": [...]}` (also under `values` or `outputs`), or one a JSONL
line.

Each list is a conversation. What LangChain keeps of a request (usage, model) stands in its answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.langchain import add_message, is_langchain
from harness.formats.json_text import Unreadable
from harness.formats.record import kind_of, records
from harness.formats.source import Head, Source
from harness.transcript import Transcript

HOLDERS = ("values", "outputs", "output", "state", "inputs")


class LangChain:
    name = "langchain"

    def sniff(self, head: Head) -> bool:
        if head.kind == "array":
            return any(map(is_langchain, head.records)) or any(messages_in(r) for r in head.records)
        return head.kind in ("object", "jsonl") and any(messages_in(record) for record in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        names = own_names(source.name)
        conversations = list(_conversations(source))
        for number, (place, messages) in enumerate(conversations, 1):
            if messages is None:
                source.problem(place, "no list of LangChain messages")
                continue
            assembly = Assembly(source.name)
            at = f"{source.name}: {place}" if place else f"{source.name}: messages"
            for message in records(messages, at, assembly.problems.append):
                add_message(assembly, message)
            name = source.name if len(conversations) == 1 else names(None, number)
            yield assembly.transcript(name, self.name)


def messages_in(record: dict[str, Any]) -> list[Any] | None:
    """The messages of an object: its own, or those of the state that it holds."""
    for holder in (record, *(record.get(key) for key in HOLDERS)):
        found = holder.get("messages") if isinstance(holder, dict) else None
        if isinstance(found, list) and any(map(is_langchain, found[:50])):
            return found
    return None


def _conversations(source: Source) -> Iterator[tuple[str, list[Any] | None]]:
    if source.head().kind == "jsonl":
        for number, value in source.lines():
            found = messages_in(value) if isinstance(value, dict) else value if isinstance(value, list) else None
            yield f"line {number}", found
        return
    document = source.document()
    if isinstance(document, dict):
        yield "", messages_in(document)
    elif isinstance(document, list) and any(isinstance(v, dict) and messages_in(v) for v in document[:20]):
        for number, value in enumerate(document):
            yield f"[{number}]", messages_in(value) if isinstance(value, dict) else None
    elif isinstance(document, list):
        yield "", document
    else:
        raise Unreadable(f"{kind_of(document)} where messages belong")
