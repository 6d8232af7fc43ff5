"""Anthropic messages: a request as a JSON object (`messages`, with `system`, `tools`), a bare list of messages, or
one a JSONL line.

A line or object may hold the `response` to it. Lines that go on with one another (each holds its whole prompt) are
put together into one conversation; others stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.api_requests import Api
from harness.formats.conversations import Conversations
from harness.formats.dialects.anthropic_messages import is_anthropic
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.transcript import Transcript


class AnthropicMessages:
    name = "anthropic-messages"

    def sniff(self, head: Head) -> bool:
        if not head.records:
            return False
        if head.kind == "array" and "role" in head.records[0]:
            return is_anthropic({"messages": list(head.records)})
        return head.kind in ("object", "array", "jsonl") and any(map(is_anthropic, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        api, conversations = Api(), Conversations(source.name)
        found = False
        for place, value in _requests(source):
            if isinstance(value, list):
                value = {"messages": value}
            if isinstance(value, dict) and isinstance(value.get("messages"), list):
                request = Record(value, f"{source.name}: {place}" if place else source.name, _ignore)
                logged = api.logged(request, request.record("response"))
                if logged is not None:
                    conversations.add(logged)
                    found = True
            else:
                source.problem(place, "no request: an object with a list of messages belongs here")
        if found:
            yield from conversations.transcripts(source.name, self.name)


def _requests(source: Source) -> Iterator[tuple[str, Any]]:
    if source.head().kind == "jsonl":
        for number, value in source.lines():
            yield f"line {number}", value
        return
    document = source.document()
    if isinstance(document, dict):
        yield "", document
    elif isinstance(document, list) and document and isinstance(document[0], dict) and "role" in document[0]:
        yield "", {"messages": document}
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield f"[{number}]", value
    else:
        raise Unreadable(f"{kind_of(document)} where messages belong")


def _ignore(_: object) -> None:
    """Whatever is wrong here is reported where the messages are read."""
