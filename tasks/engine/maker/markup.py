"""Turns as a person writes them, and the records that they become.

    turn("single", "Turn the {kitchen:room} light {on:on}", call("set_light", room="kitchen", on=True))

`{shown:path}` marks where the value of an argument stands; `{shown:1.path}` where that of the second call does. A value
that stands nowhere is the default of its schema, or its path is in `implied`. A default that is said without need is
as right as one that is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from harness.bench.paths import leaves

Record = dict[str, Any]
_MARK = re.compile(r"\{([^{}]+):([\w.,\[\]]+)\}")


@dataclass(frozen=True)
class Written:
    """A call as it is written. implied: paths of values that the words imply without saying them."""

    name: str
    arguments: dict[str, Any]
    implied: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    accept: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """A turn as it is written, before it has tools."""

    kind: str
    text: str
    calls: tuple[Written, ...]
    alternatives: tuple[tuple[Written, ...], ...] = ()
    ordered: bool = False
    context: tuple[Record, ...] = ()
    today: date | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


def call(name: str, /, **arguments: Any) -> Written:
    return Written(name, arguments)


def loose(
    base: Written,
    implied: Iterable[str] = (),
    optional: Iterable[str] = (),
    accept: Mapping[str, Sequence[Any]] | None = None,
) -> Written:
    """A call with what else would be right."""
    return Written(base.name, base.arguments, tuple(implied), tuple(optional), accept or {})


def turn(
    kind: str,
    text: str,
    *calls: Written,
    alternatives: Sequence[Sequence[Written]] = (),
    ordered: bool = False,
    context: Sequence[Record] = (),
    today: date | None = None,
) -> Line:
    return Line(kind, text, calls, tuple(tuple(other) for other in alternatives), ordered, tuple(context), today)


def on_day(day: date, kind: str, text: str, *calls: Written, **more: Any) -> Line:
    """A turn that is said on a day which the engine is told."""
    says = {"role": "system", "content": f"Today is {day:%A}, {day.day} {day:%B} {day.year}."}
    return turn(kind, text, *calls, context=[says], today=day, **more)


def unmarked(text: str) -> str:
    """The text as the engine gets it."""
    return _MARK.sub(r"\1", text)


def record(line: Line, tools: Mapping[str, Record]) -> Record:
    """A turn of the file format (docs/engine-tasks.md), its marks turned into spans."""
    before = "".join(f"{message['content']}\n\n" for message in line.context if message["content"])
    text, spans = _unmarked(line.text, len(before))
    context, marked = _context(line.context)
    spans |= marked
    made: Record = {"input": text, "kind": line.kind, **line.more}
    made["calls"] = [_call(one, at, spans, tools) for at, one in enumerate(line.calls)]
    if unused := {path for at, path in spans if at >= len(line.calls)}:
        raise ValueError(f"{text}: marks {unused} belong to no call")
    if line.alternatives:
        made["alternatives"] = [[_call(one, -1, {}, tools) for one in other] for other in line.alternatives]
    if line.ordered:
        made["ordered"] = True
    if context:
        made["context"] = context
    if line.today:
        made["today"] = line.today.isoformat()
    return made


def _unmarked(text: str, offset: int) -> tuple[str, dict[tuple[int, str], list[int]]]:
    """The text without marks, and per call and path where its value stands."""
    plain, at, spans = "", 0, {}
    for mark in _MARK.finditer(text):
        plain += text[at : mark.start()]
        for target in mark[2].split(","):
            number, _, path = target.partition(".") if target[0].isdigit() else ("0", "", target)
            spans[int(number), path] = [offset + len(plain), offset + len(plain) + len(mark[1])]
        plain += mark[1]
        at = mark.end()
    return plain + text[at:], spans


def _context(messages: Sequence[Record]) -> tuple[list[Record], dict[tuple[int, str], list[int]]]:
    """The messages, and the spans of values that stand in them.

    `marks` of a message: per path a text that stands there once, and the part of it that says the value.
    """
    spans: dict[tuple[int, str], list[int]] = {}
    plain, offset = [], 0
    for message in messages:
        content = message["content"]
        for path, (around, said) in message.get("marks", {}).items():
            number, _, inner = path.partition(".") if path[0].isdigit() else ("0", "", path)
            start = offset + content.index(around) + around.index(said)
            spans[int(number), inner] = [start, start + len(said)]
        plain.append({key: value for key, value in message.items() if key != "marks"})
        offset += len(content) + 2 if content else 0
    return plain, spans


def _call(written: Written, at: int, spans: Mapping[tuple[int, str], list[int]], tools: Mapping[str, Record]) -> Record:
    made: Record = {"name": written.name, "arguments": written.arguments}
    stated = tools[written.name]["parameters"]["properties"]
    defaults = {
        name: [schema["default"]]
        for name, schema in stated.items()
        if "default" in schema and name not in written.arguments
    }
    if accept := {path: list(values) for path, values in written.accept.items()} | defaults:
        made["accept"] = accept
    if written.optional:
        made["optional"] = list(written.optional)
    if at < 0:
        return made
    found = {path: spans[at, path] for path, _ in leaves(written.arguments) if (at, path) in spans}
    unspoken = {}
    for path, value in leaves(written.arguments):
        if path in found:
            continue
        if path in written.implied:
            unspoken[path] = "implied"
        elif stated[path].get("default", ...) == value:
            unspoken[path] = "default"
        else:
            raise ValueError(f"{written.name}.{path} = {value!r} stands nowhere: mark it, or name it in `implied`")
    if unknown := {path for number, path in spans if number == at} - set(found):
        raise ValueError(f"{written.name} has no {unknown}")
    if found:
        made["spans"] = found
    if unspoken:
        made["unspoken"] = unspoken
    return made
