"""Logs of proxies and gateways between an agent and its models: one request with its response a line, or a list.

Source: docs.litellm.ai/docs/proxy/logging_spec (`StandardLoggingPayload`, read 2026-12; its repository was too large to
fetch); requests and responses under their own keys as other gateways write them.

| field | what |
| --- | --- |
| `messages`, `response` | of LiteLLM: the prompt and the response, as JSON or as JSON text |
| `standard_logging_object` | holds those, in what its callbacks get |
| `proxy_server_request.body` | the request as it came in, where `messages` was not kept |
| `id`, `model`, `startTime`, `endTime` | of the answer |
| `model_parameters.tools` | tool definitions |
| `request`, `request_body`, `requestBody` (`.body`); `response`, ... | of other gateways: the two bodies |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.containers.envelope import opened, prompt_key
from harness.formats.containers.exchange import Exchange, conversations_in
from harness.formats.containers.http_bodies import body_of, exchange
from harness.formats.record import Record, seconds_of
from harness.formats.source import Head, Source
from harness.transcript import Transcript

LITELLM = {"call_type", "litellm_call_id", "standard_logging_object", "litellm_params", "proxy_server_request"}
BODIES = (("request_body", "response_body"), ("requestBody", "responseBody"), ("request", "response"))


class ProxyLog:
    name = "proxy-log"
    read_on = "its published description, and made-up requests"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("object", "array", "jsonl") and any(map(is_logged, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        yield from conversations_in(
            source,
            self.name,
            sorted(_exchanges(source), key=lambda e: e.started or e.time or 0.0),
            "{} logged requests, none of them with messages: turn on the logging of messages",
            "logged requests without messages left out",
        )


def is_logged(record: dict[str, Any]) -> bool:
    if LITELLM & record.keys() and ("messages" in record or LITELLM - {"call_type"} & record.keys()):
        return True
    return _bodies(record) is not None


def _bodies(record: dict[str, Any]) -> tuple[Any, Any] | None:
    """The bodies of a request to a model and of its response, which a gateway wraps with addresses and headers."""
    for asked, answered in BODIES:
        request, response = _body(record.get(asked)), _body(record.get(answered))
        wrapped = asked != "request" or (isinstance(record.get(asked), dict) and "body" in record[asked])
        inner = body_of(request)
        if wrapped and inner is not None and prompt_key(inner) is not None:
            return inner, response
    return None


def _body(value: Any) -> Any:
    value = opened(value)
    return value.get("body", value) if isinstance(value, dict) else value


def _exchanges(source: Source) -> Iterator[Exchange]:
    for place, value in _records(source):
        if not isinstance(value, dict):
            source.problem(place, "no logged request: an object belongs here")
            continue
        inner = opened(value.get("standard_logging_object"))
        record = inner if isinstance(inner, dict) else value
        bodies = None if LITELLM & value.keys() else _bodies(value)
        if bodies is not None:
            times = [seconds_of(record.get(key)) for key in ("endTime", "timestamp")]
            yield exchange(*bodies, place, source.problems.append, next((t for t in times if t is not None), None))
        else:
            yield _litellm(Record(record, f"{source.name}: {place}", source.problems.append), place)


def _litellm(record: Record, place: str) -> Exchange:
    sent = opened(record.raw("proxy_server_request"))
    sent = sent.get("body", sent) if isinstance(sent, dict) else None
    request = record.value if prompt_key(record.value) is not None else sent
    parameters = opened(record.raw("model_parameters"))
    if isinstance(parameters, dict) and isinstance(request, dict) and "tools" not in request:
        request = {**request, "tools": parameters.get("tools")}
    response = opened(record.raw("response"))
    own = response.get("model") if isinstance(response, dict) else None
    return Exchange(
        request if isinstance(request, dict) else {},
        response,
        place,
        time=seconds_of(record.raw("endTime")),
        started=seconds_of(record.raw("startTime")),
        model=own if isinstance(own, str) else record.text("model"),
    )


def _records(source: Source) -> Iterator[tuple[str, Any]]:
    if source.head().kind == "jsonl":
        for number, value in source.lines():
            yield f"line {number}", value
        return
    document = source.document()
    for number, value in enumerate(document if isinstance(document, list) else [document]):
        yield f"[{number}]" if isinstance(document, list) else "", value
