"""Phoenix: the SQLite database in which Arize Phoenix keeps its spans.

Source: Arize-ai/phoenix@9478f95 `src/phoenix/db/models.py` (tables `spans`, `traces`).

| column of `spans` | what |
| --- | --- |
| `span_id`, `parent_id`, `trace_rowid` | which span, below which, of which trace |
| `name`, `span_kind` | LLM, TOOL, AGENT, CHAIN, ... |
| `start_time`, `end_time` | as text |
| `attributes`, `events` | JSON; attributes are OpenInference's, nested |

What the spans say is read as in a trace (`harness.formats.containers.otel`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.containers.otel import conversations_of, innermost
from harness.formats.containers.otel_spans import Span, spans_of
from harness.formats.json_text import Unreadable, parse
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.sqlite_rows import database, text
from harness.transcript import Transcript

COLUMNS = b"parent_id"
KIND = "openinference.span.kind"


class Phoenix:
    name = "phoenix"
    read_on = "its source, and made-up requests"

    def sniff(self, head: Head) -> bool:
        return head.kind == "sqlite" and all(
            word in head.start for word in (b"CREATE TABLE spans", b"span_kind", b"trace_rowid")
        )

    def read(self, source: Source) -> Iterator[Transcript]:
        spans = list(_spans(source))
        requests = innermost(spans)
        if not requests:
            raise HoldsNothing(f"{len(spans)} spans, and no request to a model with its messages among them")
        yield from conversations_of(source, self.name, requests, len(spans) - len(requests))


def _spans(source: Source) -> Iterator[Span]:
    with database(source) as connection:
        rows = connection.execute(
            "SELECT span_id, parent_id, trace_rowid, name, span_kind, start_time, end_time, attributes FROM spans"
        ).fetchall()
    for row in rows:
        place = f"span {text(row['span_id'])}"
        try:
            attributes = parse(text(row["attributes"]) or "{}")
        except Unreadable as error:
            source.problem(place, str(error))
            continue
        yield from spans_of(_as_exported(row, attributes), f"{source.name}: {place}", source.problems.append)


def _as_exported(row: dict[str, Any], attributes: Any) -> dict[str, Any]:
    """A row as Phoenix exports it."""
    kept = dict(attributes) if isinstance(attributes, dict) else {}
    return {
        "name": text(row["name"]),
        "context": {"span_id": text(row["span_id"]), "trace_id": str(row["trace_rowid"])},
        "parent_id": text(row["parent_id"]),
        "start_time": text(row["start_time"]),
        "end_time": text(row["end_time"]),
        "attributes": {**kept, KIND: text(row["span_kind"])},
    }
