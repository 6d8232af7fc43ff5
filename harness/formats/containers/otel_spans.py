"""Spans of OpenTelemetry out of the wrappers in which they are exported: OTLP, Jaeger, Tempo, console, Phoenix.

Source: opentelemetry-proto `trace.proto` in its JSON form; Jaeger's query API; Tempo's trace API. Attributes are flat
here, with dotted names, however they were nested.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harness.formats.record import Record, Report, kind_of, records, seconds_of

DEEPEST = 12
VALUES = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")


@dataclass
class Span:
    """One span. start, end: seconds since the epoch. events: names and attributes."""

    name: str
    id: str
    parent: str
    trace: str
    place: str
    start: float = 0.0
    end: float = 0.0
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def holds_spans(record: dict[str, Any]) -> bool:
    """Whether an object is one of these wrappers, or a span by itself."""
    if any(isinstance(record.get(key), list) for key in ("resourceSpans", "batches", "resource_spans")):
        return True
    inner = record.get("trace")
    if isinstance(inner, dict) and inner is not record and any(k in inner for k in ("resourceSpans", "batches")):
        return True
    data = record.get("data")
    if isinstance(data, list) and data and isinstance(data[0], dict) and isinstance(data[0].get("spans"), list):
        return True
    if isinstance(record.get("spans"), list) and "traceID" in record:
        return True
    return _is_span(record)


def _is_span(record: dict[str, Any]) -> bool:
    context = record.get("context")
    named = isinstance(context, dict) and ("span_id" in context or "trace_id" in context)
    named = named or ("span_id" in record and "trace_id" in record) or ("spanId" in record and "traceId" in record)
    return named and ("attributes" in record or "span_attributes" in record)


def spans_of(value: Any, place: str, report: Report) -> Iterator[Span]:
    """The spans in a parsed file or line."""
    if isinstance(value, list):
        for record in records(value, place, report):
            yield from _in_record(record)
    elif isinstance(value, dict):
        yield from _in_record(Record(value, place, report))


def _in_record(record: Record) -> Iterator[Span]:
    inner = record.raw("trace")
    if isinstance(inner, dict) and ("resourceSpans" in inner or "batches" in inner):
        record = record.record("trace")
    if isinstance(record.raw("data"), list):
        for trace in record.records("data"):
            yield from map(_jaeger, trace.records("spans"))
    elif isinstance(record.raw("spans"), list) and "traceID" in record:
        yield from map(_jaeger, record.records("spans"))
    elif _is_span(record.value):
        yield _console(record)
    else:
        for key in ("resourceSpans", "resource_spans", "batches"):
            for resource in record.records(key) if isinstance(record.raw(key), list) else ():
                for inner_key in ("scopeSpans", "instrumentationLibrarySpans", "scope_spans", "ilSpans"):
                    for scope in resource.records(inner_key):
                        yield from map(_otlp, scope.records("spans"))


def _otlp(record: Record) -> Span:
    return Span(
        name=record.string("name"),
        id=record.string("spanId") or record.string("span_id"),
        parent=record.string("parentSpanId") or record.string("parent_span_id"),
        trace=record.string("traceId") or record.string("trace_id"),
        place=record.place,
        start=_seconds(record, "startTimeUnixNano", "start_time_unix_nano"),
        end=_seconds(record, "endTimeUnixNano", "end_time_unix_nano"),
        attributes=_attributes(record, "attributes"),
        events=[(event.string("name"), _attributes(event, "attributes")) for event in record.records("events")],
    )


def _jaeger(record: Record) -> Span:
    parents = [r for r in record.records("references") if r.raw("refType") in ("CHILD_OF", None)]
    start = _seconds(record, "startTime")
    duration = record.raw("duration")
    events = []
    for log in record.records("logs"):
        fields = _attributes(log, "fields")
        events.append((str(fields.get("event", fields.get("name", ""))), fields))
    return Span(
        name=record.string("operationName"),
        id=record.string("spanID"),
        parent=parents[0].string("spanID") if parents else "",
        trace=record.string("traceID"),
        place=record.place,
        start=start,
        end=start + duration / 1e6 if isinstance(duration, (int, float)) and 0 <= duration < 1e15 else start,
        attributes=_attributes(record, "tags"),
        events=events,
    )


def _console(record: Record) -> Span:
    context = record.record("context")
    key = "attributes" if "attributes" in record else "span_attributes"
    return Span(
        name=record.string("name") or record.string("span_name"),
        id=context.string("span_id") or record.string("span_id") or record.string("spanId"),
        parent=record.string("parent_id") or record.string("parent_span_id") or record.string("parentSpanId"),
        trace=context.string("trace_id") or record.string("trace_id") or record.string("traceId"),
        place=record.place,
        start=_seconds(record, "start_time", "startTime", "startTimeUnixNano"),
        end=_seconds(record, "end_time", "endTime", "endTimeUnixNano"),
        attributes=_attributes(record, key),
        events=[
            (event.string("name"), _attributes(event, "attributes"))
            for event in (record.records("events") if isinstance(record.raw("events"), list) else ())
        ],
    )


def _seconds(record: Record, *keys: str) -> float:
    for key in keys:
        seconds = seconds_of(record.raw(key))
        if seconds is not None:
            return seconds
    return 0.0


def _attributes(record: Record, key: str) -> dict[str, Any]:
    """A list of keys and values, or an object that may be nested, as one flat dictionary."""
    value = record.raw(key)
    found: dict[str, Any] = {}
    if isinstance(value, dict):
        _flatten(value, "", found, 0)
    elif isinstance(value, list):
        for item in record.records(key):
            name = item.string("key")
            if name and "value" in item:
                found[name] = _plain(item.raw("value"), 0)
    elif value is not None:
        record.wrong(key, value, f"attributes ({kind_of(value)})")
    return found


def _plain(value: Any, depth: int) -> Any:
    """The value in OTLP's `AnyValue`; a value that is none as it is."""
    if not isinstance(value, dict) or depth > DEEPEST:
        return value
    for key in VALUES:
        if key in value:
            return value[key]
    inner = value.get("arrayValue")
    if isinstance(inner, dict):
        values = inner.get("values")
        return [_plain(v, depth + 1) for v in values] if isinstance(values, list) else []
    inner = value.get("kvlistValue")
    if isinstance(inner, dict) and isinstance(inner.get("values"), list):
        pairs = [pair for pair in inner["values"] if isinstance(pair, dict)]
        return {str(pair.get("key")): _plain(pair.get("value"), depth + 1) for pair in pairs}
    return value


def _flatten(value: Any, prefix: str, found: dict[str, Any], depth: int) -> None:
    """Nested objects, and arrays of objects, under dotted names, as Phoenix's export has them nested."""
    if depth < DEEPEST and isinstance(value, dict) and value:
        for key, inner in value.items():
            _flatten(inner, f"{prefix}.{key}" if prefix else str(key), found, depth + 1)
    elif depth < DEEPEST and isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        for number, inner in enumerate(value):
            _flatten(inner, f"{prefix}.{number}", found, depth + 1)
    else:
        found[prefix] = value
