"""Read tasks for engines: the project's own files (docs/engine-tasks.md), and those of the Berkeley Function Calling
Leaderboard. Which of the two a file is, is told from its content.

    for task in read_tasks("tasks/engine/home.jsonl"):
        for turn in task.turns:
            turn.text, turn.expected

A task file is written by hand and decides what counts as right, so nothing in it is passed over: the first thing that
is not as the format has it is a `HarnessError` that names the line, the place in it, and the nearest name that exists.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args

from harness.bench.bfcl import bfcl_tasks, is_bfcl
from harness.bench.comparing import READINGS
from harness.bench.paths import leaves, places
from harness.bench.places import Place, records
from harness.bench.task import ExpectedCall, Task, Turn, Unspoken
from harness.errors import HarnessError, did_you_mean
from harness.grounding.span import Span
from harness.json.value import JsonValue

__all__ = ["ExpectedCall", "Span", "Task", "Turn", "Unspoken", "read_tasks"]

_TASK = ("id", "family", "tools", "turns", "synonyms")
_TURN = (
    *("input", "calls", "alternatives", "ordered", "kind", "comparison", "context", "today"),
    *("policy", "value", "hidden"),
)
_CALL = ("name", "arguments", "accept", "optional", "spans", "unspoken")
_TOOL = ("name", "description", "parameters")


def read_tasks(path: str | Path) -> Iterator[Task]:
    """The tasks of a file, or of all `.jsonl` files of a folder by their names.

    Raises `HarnessError` for what is no task file, or is not as it must be.
    """
    for _, task in read_places(path):
        yield task


def read_places(path: str | Path) -> Iterator[tuple[str, Task]]:
    """Like `read_tasks`, each task with where it stands: `home.jsonl:3`."""
    path = Path(path)
    seen: dict[str, Place] = {}
    for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
        for place, task in _tasks(file):
            if task.id in seen:
                raise place.error(f"a second task has the id {task.id!r} ({seen[task.id].line}); give each its own")
            seen[task.id] = place
            yield place.line, task
    if not seen:
        raise HarnessError(f"{path}: no tasks in it; docs/engine-tasks.md describes the format")


def _tasks(path: Path) -> Iterator[tuple[Place, Task]]:
    lines = records(path)
    first = next(lines, None)
    if first is None:
        return iter(())
    read = bfcl_tasks if is_bfcl(first[1]) else _own_tasks
    return read(path, chain([first], lines))


def _own_tasks(path: Path, lines: Iterable[tuple[Place, Any]]) -> Iterator[tuple[Place, Task]]:
    known: dict[str, Mapping[str, Any]] = {}
    for place, record in lines:
        if not isinstance(record, dict):
            raise place.wrong("must be an object", record)
        if record.keys() == {"tools"}:
            for at, item in enumerate(place.get(record, "tools", list)):
                tool = _tool(place / f"tools[{at}]", item)
                known[tool["name"]] = tool
            continue
        yield place, _task(place, record, known)


def _task(place: Place, record: Any, known: Mapping[str, Mapping[str, Any]]) -> Task:
    place.check(record, _TASK)
    tools: dict[str, Mapping[str, Any]] = {}
    for at, item in enumerate(place.get(record, "tools", list)):
        here = place / f"tools[{at}]"
        if isinstance(item, str) and item not in known:
            raise here.error(f"no tool {item!r} in the lines before{did_you_mean(item, known)}")
        tool = known[item] if isinstance(item, str) else _tool(here, item)
        if tool["name"] in tools:
            raise here.error(f"the tool {tool['name']!r} is declared twice")
        tools[tool["name"]] = tool
    turns = place.get(record, "turns", list)
    if not turns:
        raise (place / "turns").error("a task needs a turn")
    synonyms = place.get(record, "synonyms", dict, {})
    for value in synonyms:
        for at, word in enumerate((place / "synonyms").get(synonyms, value, list)):
            if not isinstance(word, str) or not word.strip():
                raise (place / f"synonyms.{value}[{at}]").wrong("must be a text", word)
    return Task(
        id=place.get(record, "id", str),
        family=place.get(record, "family", str),
        tools=tuple(tools.values()),
        turns=tuple(_turn(place / f"turns[{at}]", turn, tools) for at, turn in enumerate(turns)),
        synonyms={value: tuple(words) for value, words in synonyms.items()},
    )


def _tool(place: Place, record: Any) -> Mapping[str, Any]:
    if isinstance(record, dict) and isinstance(record.get("function"), dict):  # the form of chat-completions servers
        place, record = place / "function", record["function"]
    place.check(record, _TOOL)
    if not place.get(record, "name", str):
        raise (place / "name").error("a tool needs a name")
    place.get(record, "description", str, "")
    (place / "parameters").get(place.get(record, "parameters", dict), "properties", dict, {})
    # In this order: small models read the text of the declaration, and the order of its keys is part of it.
    return {key: record.get(key, "") for key in _TOOL}


def _turn(place: Place, record: Any, tools: Mapping[str, Mapping[str, Any]]) -> Turn:
    place.check(record, _TURN)
    context = place.get(record, "context", list, [])
    for at, message in enumerate(context):
        here = place / f"context[{at}]"
        if not isinstance(message, dict):
            raise here.wrong("must be an object", message)
        here.get(message, "role", str)
        here.get(message, "content", str)
    turn = Turn(
        input=place.get(record, "input", str),
        ordered=place.get(record, "ordered", bool, False),
        kind=place.get(record, "kind", str, "single"),
        comparison=_comparison(place, record),
        context=tuple(context),
        today=_day(place, record),
        policy=place.get(record, "policy", str, None),
        value=place.get(record, "value", str, None),
        hidden=place.get(record, "hidden", bool, None),
    )
    length = len(turn.text)
    other = [
        _calls(place / f"alternatives[{at}]", calls, tools, length)
        for at, calls in enumerate(place.get(record, "alternatives", list, []))
    ]
    expected = _calls(place / "calls", place.get(record, "calls", list), tools, length)
    return dataclasses.replace(turn, expected=expected, alternatives=tuple(other))


def _day(place: Place, record: dict[str, Any]) -> date | None:
    if (text := place.get(record, "today", str, None)) is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise (place / "today").wrong("must be a day such as 2026-05-03", text) from error


def _comparison(place: Place, record: dict[str, Any]) -> Literal["folded", "bfcl"]:
    match place.get(record, "comparison", str, "folded"):
        case "folded":
            return "folded"
        case "bfcl":
            return "bfcl"
        case other:
            raise (place / "comparison").wrong(f"must be one of {', '.join(READINGS)}", other)


def _calls(place: Place, records: Any, tools: Mapping[str, Mapping[str, Any]], length: int) -> tuple[ExpectedCall, ...]:
    if not isinstance(records, list):
        raise place.wrong("must be a list of calls", records)
    return tuple(
        _call(Place(place.line, f"{place.inner}[{at}]"), call, tools, length) for at, call in enumerate(records)
    )


def _call(place: Place, record: Any, tools: Mapping[str, Mapping[str, Any]], length: int) -> ExpectedCall:
    place.check(record, _CALL)
    name = place.get(record, "name", str)
    if name not in tools:
        raise (place / "name").error(f"the task declares no tool {name!r}{did_you_mean(name, tools)}")
    arguments = place.get(record, "arguments", dict)
    stated = tools[name]["parameters"].get("properties", {})
    for key in arguments:
        if key not in stated:
            raise (place / "arguments").error(f"{name} has no argument {key!r}{did_you_mean(key, stated)}")
    paths = set(places(arguments))
    values = {path for path, _ in leaves(arguments)}
    accept = place.get(record, "accept", dict, {})
    optional = place.get(record, "optional", list, [])
    spans = place.get(record, "spans", dict, {})
    unspoken = place.get(record, "unspoken", dict, {})
    for key, given, allowed in (
        ("accept", accept, paths | set(stated)),
        ("optional", optional, paths | set(stated)),
        ("spans", spans, values),
        ("unspoken", unspoken, values),
    ):
        for path in given:
            if path not in allowed:
                raise (place / key).error(f"no value at {path!r}{did_you_mean(str(path), allowed)}")
    return ExpectedCall(
        name,
        arguments,
        accept={path: tuple((place / "accept").get(accept, path, list)) for path in accept},
        optional=frozenset(optional),
        spans={path: _span(place / f"spans.{path}", span, length) for path, span in spans.items()},
        unspoken={path: _reason(place / f"unspoken.{path}", reason) for path, reason in unspoken.items()},
    )


def _span(place: Place, value: JsonValue, length: int) -> Span:
    match value:
        case [int(start), int(end)] if 0 <= start < end <= length:
            return start, end
    raise place.wrong(f"must be [start, end] within the {length} characters of the input", value)


def _reason(place: Place, value: JsonValue) -> Unspoken:
    for reason in get_args(Unspoken):
        if value == reason:
            return reason  # type: ignore[no-any-return]
    raise place.wrong(f"must be one of {', '.join(get_args(Unspoken))}", value)
