"""OpenAI Responses: a request (`input`) with its response (`output`, or in `response`), a bare list of items, or one
request a JSONL line.

Source: openai/openai-python@e43b422 `types/responses/`. A request that names a `previous_response_id` has the prompt
and the answer of that one before its own input, if the file holds it. An answer is one response; in a bare list, a
maximal run of items that the model made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.api_requests import Api
from harness.formats.conversations import Conversations
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.transcript import Transcript

CALLS = ("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "mcp_call")


class OpenAIResponses:
    name = "openai-responses"

    def sniff(self, head: Head) -> bool:
        if head.kind == "array":
            return any(_is_item(record) for record in head.records) or any(map(_is_request, head.records))
        return head.kind in ("object", "jsonl") and any(map(_is_request, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        api, conversations = Api(), Conversations(source.name)
        found = False
        for place, value in _requests(source):
            at = f"{source.name}: {place}" if place else source.name
            record = Record(value if isinstance(value, dict) else {}, at, _ignore)
            request = record.record("request") if isinstance(record.raw("request"), dict) else record
            response = record.record("response") if isinstance(record.raw("response"), dict) else record
            logged = api.logged(request, response)
            if logged is None:
                source.problem(place, "no request: an object with `input` or `output` belongs here")
            else:
                conversations.add(logged)
                found = True
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
    elif isinstance(document, list) and any(isinstance(v, dict) and _is_request(v) for v in document[:20]):
        for number, value in enumerate(document):
            yield f"[{number}]", value
    elif isinstance(document, list):
        yield "", {"input": document}
    else:
        raise Unreadable(f"{kind_of(document)} where a request or a list of items belongs")


def _is_item(record: dict[str, Any]) -> bool:
    return record.get("type") in CALLS and ("call_id" in record or "id" in record) and "payload" not in record


def _is_request(record: dict[str, Any]) -> bool:
    inner = record.get("request")
    request = inner if isinstance(inner, dict) else record
    answer = record.get("response")
    response = answer if isinstance(answer, dict) else record
    if response.get("object") == "response" and isinstance(response.get("output"), list):
        return True
    items = request.get("input")
    if not isinstance(items, list) or "steps" in record or "messages" in record:
        return False
    listed = [item for item in items[:50] if isinstance(item, dict)]
    return any(_is_item(item) for item in listed) or ("model" in request and any(map(_is_message, listed)))


def _is_message(item: dict[str, Any]) -> bool:
    return "role" in item and "content" in item


def _ignore(_: object) -> None:
    """Whatever is wrong here is reported where the items are read."""
