"""One field of a recording at another type, and what has to be said of what is no longer read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harness.formats.corpus import Intake, read_source
from harness.formats.reading import Reached, lines_of
from harness.testing.formats import source_of

Path = tuple[str | int, ...]
WORDS = "the harbour has seven cranes, said for the time number"
NUMBER = 71077
NAMES = ("role", "type", "name", "id", "status", "kind", "event", "model")


@dataclass
class Look:
    """What a reading says of a source. lines: those of its transcripts. numbered: whether NUMBER stands in one. told:
    what was said of what was not read: problems, skipped sources, unknown shapes, notes. ends: how its records ended,
    as the reading audit has it."""

    lines: set[str] = field(default_factory=set)
    numbered: bool = False
    told: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    transcripts: int = 0


def look(name: str, data: bytes) -> Look:
    found, intake, reached = Look(), Intake(), Reached()
    for transcript in read_source(source_of(name, data), intake):
        found.transcripts += 1
        reached.add(transcript)
        found.told.update(transcript.notes)
        found.told["unknown"] += len(transcript.unknown)
        found.told["problems"] += len(transcript.problems)
        for message in transcript.messages:
            texts = [message.text, message.reasoning, *(call.arguments for call in message.calls)]
            texts += [message.result.content] if message.result is not None else []
            found.numbered |= any(str(NUMBER) in text for text in texts)
            found.lines.update(line for text in texts for line in lines_of(text))
        found.lines.update(line for tool in transcript.tools or () for line in lines_of(tool))
    found.told.update(problems=len(intake.problems), skipped=len(intake.skipped))
    found.ends = reached.reading(source_of(name, data)).records
    return found


def vanished(before: Look, after: Look, what: str, values: bytes) -> set[str]:
    """The lines of which nothing is said, by the rule of `test_changes_of_type`, after the change called `what`, that
    made `values` of the recording."""
    lost = before.lines - after.lines
    if not lost or any(after.told[kind] > before.told[kind] for kind in after.told):
        return set()
    present = set(lines_of(documents(values)))
    is_absent = what.endswith(" as null") or after.ends != before.ends or after.numbered
    gone = set() if is_absent else lost - present
    return gone if after.transcripts else lost


def documents(data: bytes) -> list[Any]:
    """The JSON values of a sample, one or a line each; none if it is no JSON."""
    for parts in ([data], [line for line in data.splitlines() if line.strip()]):
        try:
            return [json.loads(part) for part in parts]
        except ValueError:
            continue
    return []


def written(values: list[Any]) -> bytes:
    return b"\n".join(json.dumps(value).encode() for value in values) + b"\n"


def with_words(values: list[Any], name: str) -> list[Any]:
    """The values with every text longer that reaches a transcript, so that each of them can be told from others; the
    values as they are where that would change what they are read as."""
    texts, arguments = _said(name, written(values))
    longer = json.loads(json.dumps(values))
    for number, (holder, key, _) in enumerate(list(places(longer))):
        value, words = holder[key], f"{WORDS} {number}"
        if isinstance(value, dict) and value in arguments:
            value["why"] = words
        elif isinstance(value, str) and value.strip() and key not in NAMES:
            inner = _object(value)
            if inner is not None and inner in arguments:
                holder[key] = json.dumps(inner | {"why": words})
            elif inner is None and value.strip() in texts:
                holder[key] = f"{value} {words}"
    return longer if look(name, written(longer)).transcripts else values


def _said(name: str, data: bytes) -> tuple[set[str], list[dict[str, Any]]]:
    """The texts of a recording, and the arguments of its calls."""
    messages = [m for t in read_source(source_of(name, data), Intake()) for m in t.messages]
    texts = {m.text.strip() for m in messages} | {m.reasoning.strip() for m in messages}
    texts |= {m.result.content.strip() for m in messages if m.result is not None}
    return texts, [a for m in messages for call in m.calls if (a := _object(call.arguments))]


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def places(value: Any, path: Path = ()) -> Iterator[tuple[Any, Any, Path]]:
    """Every field and element: its holder, its key, and where it stands."""
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key, (*path, key)
        if isinstance(child, (dict, list)):
            yield from places(child, (*path, key))


def other_types(value: Any) -> Iterator[tuple[str, Any]]:
    """The value as every other type; as null and as a number it is gone, else it is still there."""
    yield "null", None
    yield "number", NUMBER
    yield "array", [value]
    yield "object", {"x": value}
    if isinstance(value, list):
        yield "object of its elements", {str(n): element for n, element in enumerate(value)}
    if not isinstance(value, str):
        yield "string", json.dumps(value)


def changed(values: list[Any]) -> Iterator[tuple[str, bytes]]:
    """The recording with one field at another type, each named by its place, numbers of elements left out."""
    for holder, key, path in list(places(values)):
        before = holder[key]
        for kind, after in other_types(before) if before is not None else ():
            holder[key] = after
            yield f"{'.'.join('*' if isinstance(k, int) else k for k in path)} as {kind}", written(values)
        holder[key] = before
