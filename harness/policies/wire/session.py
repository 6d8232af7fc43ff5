"""A recorded session as an agent would send it: request by request, in one dialect."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from harness.policies.wire.said import Call, Dialect, Item, Said
from harness.transcript import Message, Transcript

MODELS = {"chat": "gpt-4o", "responses": "gpt-5", "messages": "claude-sonnet-4-5"}
"""Of recordings that do not say which model answered."""


@dataclass(frozen=True)
class Request:
    """sent: the prompt. messages: the transcript's message behind each of its items. answer: what was recorded."""

    sent: Said
    messages: tuple[int, ...]
    answer: Item


def requests(transcript: Transcript, name: str, streams: bool) -> Iterator[Request]:
    """Every request of a recording. What no text stands for (images, encrypted reasoning) is not sent, and reasoning is
    not sent again."""
    items = _items(transcript)
    tools = _tools(transcript)
    for at, shown in transcript.prompts():
        model = transcript.messages[at].model or transcript.model or MODELS[name]
        sent = Said(model, tuple(items[i] for i in shown), tools, streams)
        yield Request(sent, tuple(shown), items[at])


def as_read(dialect: Dialect, request: Request) -> Said:
    """What is sent as the other end reads it, so that nothing but what was done on the way differs."""
    found = dialect.read(dialect.body(request.sent))
    if len(found.items) != len(request.messages):
        raise AssertionError(f"{len(request.messages)} messages sent are read as {len(found.items)}")
    return found


def _items(transcript: Transcript) -> list[Item]:
    ids = _ids(transcript)
    return [_item(i, message, ids) for i, message in enumerate(transcript.messages)]


def _item(index: int, message: Message, ids: dict[tuple[int, int], str]) -> Item:
    if message.result is None:
        calls = tuple(Call(ids[index, n], call.name, call.arguments) for n, call in enumerate(message.calls))
        return Item(message.role, message.text, calls)
    if message.result.call is None:  # a provider would refuse a result without a call
        return Item("user", message.result.content)
    return Item("tool", message.result.content, (), ids[message.result.call])


def _ids(transcript: Transcript) -> dict[tuple[int, int], str]:
    """The id of every call: as recorded, but once only, since results are matched by it."""
    seen: Counter[str] = Counter()
    found: dict[tuple[int, int], str] = {}
    for i, message in enumerate(transcript.messages):
        for n, call in enumerate(message.calls):
            name = call.call_id or f"call_{i}_{n}"
            seen[name] += 1
            found[i, n] = name if seen[name] == 1 else f"{name}_{i}_{n}"
    return found


def _tools(transcript: Transcript) -> dict[str, str]:
    """As recorded; else a bare definition of each tool that is called, since no agent sends calls without any."""
    if transcript.tools:
        return {str(n): tool for n, tool in enumerate(transcript.tools)}
    names = dict.fromkeys(call.name for message in transcript.messages for call in message.calls)
    return {name: f'{{"name":{_quoted(name)}}}' for name in names}


def _quoted(text: str) -> str:
    return json.dumps(text)
