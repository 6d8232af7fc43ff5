"""Langfuse traces: `{trace, observations}`, a trace with its `observations`, or observations one a JSONL line.

Source: langfuse/langfuse@6275144, export of a trace.

| field | what |
| --- | --- |
| `observations[]` (also under `trace`) | spans; those of `type` GENERATION are requests |
| `.input`, `.output` | prompt and answer, in whatever dialect, as JSON or as JSON text |
| `.usageDetails`, `.usage` | usage |
| `.id`, `.model`, `.startTime`, `.endTime` | of the answer |

Every GENERATION holds its whole prompt (as JSON text) and its
answer; they are put together into conversations. Spans of chains and tools repeat what the prompts hold and are left
out. Tool definitions stand behind the messages with role `tool`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.containers.envelope import opened, prompt_key, request_of
from harness.formats.containers.exchange import Exchange, conversations_in
from harness.formats.json_text import Unreadable, compact
from harness.formats.record import Record, kind_of, records, seconds_of
from harness.formats.source import Head, Source
from harness.formats.usage import contained
from harness.transcript import Transcript, Usage

READ = ("input_cached_tokens", "input_cache_read", "cache_read_input_tokens")
WRITTEN = ("input_cache_creation", "cache_creation_input_tokens")


class Langfuse:
    name = "langfuse"

    def sniff(self, head: Head) -> bool:
        if head.kind == "object":
            return any(_is_observation(o) for o in _observations(head.records[0])[:50])
        return head.kind in ("array", "jsonl") and any(
            _is_observation(r) or any(_is_observation(o) for o in _observations(r)[:50]) for r in head.records
        )

    def read(self, source: Source) -> Iterator[Transcript]:
        found: list[Any] = []
        for value in _documents(source):
            inner = _observations(value) if isinstance(value, dict) else []
            found += inner or [value]
        observations = list(records(found, f"{source.name}: observations", source.problems.append))
        generations = [o for o in observations if o.raw("type") == "GENERATION"]
        generations.sort(key=lambda o: seconds_of(o.raw("startTime")) or 0.0)
        nothing = "{} generations without messages: their input was not recorded"
        yield from conversations_in(source, self.name, (_exchange(g) for g in generations), nothing)


def _exchange(generation: Record) -> Exchange:
    place = generation.place.partition(": ")[2]
    request = request_of(generation.raw("input"), place)
    key = prompt_key(request)
    listed = opened(request[key]) if key is not None else None
    tools: list[str] = []
    if isinstance(listed, list):
        tools = [definition for message in listed if (definition := _tool_of(message)) is not None]
        request = {**request, str(key): [message for message in listed if _tool_of(message) is None]}
    return Exchange(
        request,
        generation.raw("output") if key is not None else None,
        place,
        time=generation.time("endTime"),
        started=generation.time("startTime"),
        answer_id=generation.text("id"),
        model=generation.text("model"),
        usage=_usage(generation),
        tools=tuple(tools) or None,
    )


def _tool_of(value: Any) -> str | None:
    """The definition in a message that is none: some tracers put the tools behind the messages, with role `tool`."""
    content = value.get("content") if isinstance(value, dict) and value.get("role") == "tool" else None
    content = opened(content)
    if isinstance(content, dict) and content.get("type") == "function" and isinstance(content.get("function"), dict):
        return compact(content)
    return None


def _usage(generation: Record) -> Usage | None:
    """`usageDetails`: the counts stand apart, those of the cache and of tools beside `input`, those of reasoning beside
    `output`, and sum to the total, where there is one. The older `usage` holds whole counts."""
    details = generation.record("usageDetails")
    if not details.value:
        usage = generation.record("usage")
        return contained(usage.integer("input"), None, None, usage.integer("output"))
    counts = {key: n for key in details.value if key != "total" and (n := details.integer(key)) is not None}
    made = {key: n for key, n in counts.items() if key.startswith(("output", "reasoning", "completion"))}
    given = {key: n for key, n in counts.items() if key not in made}
    read = next((given[key] for key in READ if key in given), None)
    written = next((given[key] for key in WRITTEN if key in given), None)
    whole, output, total = given.get("input"), made.get("output"), details.integer("total")
    if whole is not None and total != whole + (output or 0):
        whole, output = sum(given.values()), sum(made.values()) if made else None
    return contained(whole, read, written, output)


def _documents(source: Source) -> Iterator[Any]:
    if source.head().kind == "jsonl":
        for _, value in source.lines():
            yield value
        return
    document = source.document()
    if not isinstance(document, (dict, list)):
        raise Unreadable(f"{kind_of(document)} where a trace belongs")
    yield from document if isinstance(document, list) else [document]


def _observations(record: dict[str, Any]) -> list[Any]:
    inner = record.get("trace")
    for holder in (record, inner if isinstance(inner, dict) else {}):
        found = holder.get("observations")
        if isinstance(found, list):
            return found
    return []


def _is_observation(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("type"), str)
        and value["type"].isupper()
        and "startTime" in value
        and ("traceId" in value or "parentObservationId" in value)
    )
