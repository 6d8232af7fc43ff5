"""OpenTelemetry traces of agents: the requests to models among their spans, put together into conversations.

Wrappers are read in `otel_spans`, attributes in `otel_requests`. Most spans of a trace are noise (HTTP, queues); only
their number is kept. Several instrumentations may record one request in nested spans: the innermost is taken. Spans
without message contents (the default of many instrumentations) hold nothing to replay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from harness.formats.containers.exchange import Exchange, NoDialect, Reader, conversations_in
from harness.formats.containers.otel_requests import exchange_of, is_boundary, is_request
from harness.formats.containers.otel_spans import Span, holds_spans, spans_of
from harness.formats.containers.otel_usage import usages_of
from harness.formats.conversations import key_of
from harness.formats.json_text import Unreadable
from harness.formats.record import kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

HIGHEST = 1000


class OpenTelemetry:
    name = "opentelemetry"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("object", "array", "jsonl") and any(map(holds_spans, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        spans = list(_spans(source))
        requests = innermost(spans)
        if not requests:
            raise HoldsNothing(
                f"{len(spans)} spans, and no request to a model with its messages among them: record with message "
                "contents turned on"
            )
        yield from conversations_of(source, self.name, requests, len(spans) - len(requests))


def conversations_of(source: Source, format_name: str, requests: list[Span], others: int) -> Iterator[Transcript]:
    """The conversations in the requests among a trace's spans, of which there were `others` beside."""
    requests.sort(key=lambda s: (s.start, s.end, s.id))
    exchanges = [exchange_of(span, usage) for span, usage in zip(requests, usages_of(requests), strict=True)]
    kept = [
        e for i, e in enumerate(exchanges) if i == 0 or not _is_copy(requests[i], e, requests[i - 1], exchanges[i - 1])
    ]
    found = conversations_in(source, format_name, kept, "{} requests without messages: record with message contents on")
    notes = (f"{others} other spans left out",) if others else ()
    yield from (replace(transcript, notes=notes) for transcript in found)


def _spans(source: Source) -> Iterator[Span]:
    if source.head().kind == "jsonl":
        for number, value in source.lines():
            yield from spans_of(value, f"{source.name}: line {number}", source.problems.append)
        return
    document = source.document()
    if not isinstance(document, (dict, list)):
        raise Unreadable(f"{kind_of(document)} where spans belong")
    yield from spans_of(document, f"{source.name}: spans" if isinstance(document, list) else source.name,
                        source.problems.append)  # fmt: skip


def innermost(spans: list[Span]) -> list[Span]:
    """The requests that have no other request below them, but for those of a tool or of another agent."""
    by_id = {span.id: span for span in spans if span.id}
    requests = [span for span in spans if is_request(span)]
    covered: set[int] = set()
    for span in requests:
        above = by_id.get(span.parent)
        for _ in range(HIGHEST):
            if above is None or above is span or is_boundary(above):
                break
            covered.add(id(above))
            above = by_id.get(above.parent)
    return [span for span in requests if id(span) not in covered]


def _is_copy(span: Span, exchange: Exchange, earlier: Span, before: Exchange) -> bool:
    """Whether a second instrumentation recorded the same request side by side with the first."""
    overlaps = span.start < earlier.end and earlier.start < span.end
    return overlaps and _keys(exchange) == _keys(before) != []


def _keys(exchange: Exchange) -> list[object]:
    try:
        logged = Reader("").logged(exchange)
    except NoDialect:
        return []
    return [key_of(message) for message in logged.prompt] if logged else []
