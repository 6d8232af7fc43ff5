"""OpenTelemetry traces of agents: the requests to models among their spans, put together into conversations.

Wrappers are read in `otel_spans`, dialects in `otel_dialects`. Most spans of a trace are noise (HTTP, queues); only
their number is kept. Several instrumentations may record one request in nested spans: the innermost is taken. Spans
without message contents (the default of many instrumentations) hold nothing to replay.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.containers.otel_requests import is_boundary, is_request, logged
from harness.formats.containers.otel_spans import Span, holds_spans, spans_of
from harness.formats.containers.otel_usage import usages_of
from harness.formats.conversations import Conversations, Logged, key_of
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
        requests = _innermost(spans)
        if not requests:
            raise HoldsNothing(
                f"{len(spans)} spans, and no request to a model with its messages among them: record with message "
                "contents turned on"
            )
        conversations = Conversations(source.name)
        latest: tuple[Span, Logged] | None = None
        requests.sort(key=lambda s: (s.start, s.end, s.id))
        for span, usage in zip(requests, usages_of(requests), strict=True):
            request = logged(span, source.name, usage)
            if not request.prompt or (latest is not None and _is_copy(span, request, *latest)):
                continue
            conversations.add(request)
            latest = (span, request)
        notes = (f"{len(spans) - len(requests)} other spans left out",) if len(spans) > len(requests) else ()
        yield from conversations.transcripts(source.name, self.name, notes=notes)


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


def _innermost(spans: list[Span]) -> list[Span]:
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


def _is_copy(span: Span, request: Logged, earlier: Span, before: Logged) -> bool:
    """Whether a second instrumentation recorded the same request side by side with the first."""
    overlaps = span.start < earlier.end and earlier.start < span.end
    return overlaps and [key_of(m) for m in request.prompt] == [key_of(m) for m in before.prompt]
