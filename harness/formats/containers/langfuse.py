"""Langfuse traces: `{trace, observations}`, a trace with its `observations`, or observations one a JSONL line.

Source: langfuse/langfuse@6275144, export of a trace. Every GENERATION holds its whole prompt (as JSON text) and its
answer; they are put together into conversations. Spans of chains and tools repeat what the prompts hold and are left
out. Tool definitions stand behind the messages with role `tool`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.formats import any_messages
from harness.formats.any_messages import opened, tool_of
from harness.formats.assembly import Assembly
from harness.formats.conversations import Conversations, Logged, own_problems
from harness.formats.json_text import Unreadable, compact
from harness.formats.record import Record, kind_of, records, seconds_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import contained
from harness.transcript import Message, Transcript, Usage

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
        conversations = Conversations(source.name)
        observations = list(records(found, f"{source.name}: observations", source.problems.append))
        generations = [o for o in observations if o.raw("type") == "GENERATION"]
        for generation in sorted(generations, key=lambda o: seconds_of(o.raw("startTime")) or 0.0):
            logged = _logged(source.name, generation)
            if logged.prompt:
                conversations.add(logged)
        if not conversations.threads:
            raise HoldsNothing(f"{len(generations)} generations without messages: their input was not recorded")
        yield from conversations.transcripts(source.name, self.name)


def _logged(place: str, generation: Record) -> Logged:
    prompt, answer = Assembly(place), Assembly(place)
    generation = Record(generation.value, generation.place, prompt.problems.append)
    tools = _add_input(prompt, generation)
    _add_output(answer, generation)
    usage, started = _usage(generation), generation.time("startTime")
    answer.messages = [
        replace(
            message,
            model=generation.text("model"),
            message_id=generation.text("id"),
            time=generation.time("endTime"),
            started=started,
            usage=usage or message.usage,
        )
        for message in answer.messages
    ]
    return Logged(prompt.messages, answer.messages, tools, own_problems(prompt))


def _add_input(prompt: Assembly, generation: Record) -> tuple[str, ...] | None:
    value = opened(generation.raw("input"))
    tools: list[str] = []
    if isinstance(value, dict):
        listed = value.get("tools")
        tools += [compact(tool) for tool in listed] if isinstance(listed, list) else []
        value = value.get("messages", [value] if "role" in value else [])
    if isinstance(value, str) and value:
        prompt.add(Message("user", value))
    for message in records(value if isinstance(value, list) else [], generation.at("input"), generation.report):
        definition = tool_of(message.value)
        if definition is None:
            any_messages.add(prompt, message)
        else:
            tools.append(definition)
    return tuple(tools) or None


def _add_output(answer: Assembly, generation: Record) -> None:
    value = opened(generation.raw("output"))
    if isinstance(value, dict) and isinstance(value.get("choices"), list) and value["choices"]:
        first = value["choices"][0]
        value = first.get("message") if isinstance(first, dict) else None
    if isinstance(value, list):
        value = next((v for v in value if isinstance(v, dict)), None)
    if isinstance(value, dict) and isinstance(value.get("completion"), str):
        value = value["completion"]
    if isinstance(value, str):
        answer.add(Message("assistant", value))
    elif isinstance(value, dict):
        any_messages.add(answer, Record(value, generation.at("output"), generation.report), role="assistant")


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
