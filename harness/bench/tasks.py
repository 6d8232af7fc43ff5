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
import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args

from harness.bench.comparing import READINGS
from harness.bench.paths import leaves, places
from harness.bench.task import ExpectedCall, Span, Task, Turn, Unspoken
from harness.errors import HarnessError
from harness.preview.json_value import JsonValue, MalformedJson, parse_value

__all__ = ["ExpectedCall", "Span", "Task", "Turn", "Unspoken", "read_tasks"]

_TASK = ("id", "family", "tools", "turns", "synonyms")
_TURN = (
    *("input", "calls", "alternatives", "ordered", "kind", "comparison", "context", "today"),
    *("policy", "value", "hidden"),
)
_CALL = ("name", "arguments", "accept", "optional", "spans", "unspoken")
_TOOL = ("name", "description", "parameters")
_NAMES: dict[type, str] = {str: "a text", list: "a list", dict: "an object", bool: "true or false", int: "a number"}


def read_tasks(path: str | Path) -> Iterator[Task]:
    """The tasks of a file, in its order. Raises `HarnessError` for what is no task file, or is not as it must be."""
    path = Path(path)
    count = 0
    for task in _own_tasks(_records(path)):
        count += 1
        yield task
    if not count:
        raise HarnessError(f"{path}: no tasks in it; docs/engine-tasks.md describes the format")


def _own_tasks(records: Iterable[tuple[_Place, Any]]) -> Iterator[Task]:
    known: dict[str, Mapping[str, Any]] = {}
    seen: set[str] = set()
    for place, record in records:
        if not isinstance(record, dict):
            raise place.wrong("must be an object", record)
        if record.keys() == {"tools"}:
            for at, item in enumerate(place.get(record, "tools", list)):
                tool = _tool(place / f"tools[{at}]", item)
                known[tool["name"]] = tool
            continue
        task = _task(place, record, known)
        if task.id in seen:
            raise place.error(f"a second task has the id {task.id!r}; give each its own")
        seen.add(task.id)
        yield task


class _Place:
    """Where something stands, for messages: a file, a line, and a path in it."""

    def __init__(self, line: str, inner: str = "") -> None:
        self.line = line
        self.inner = inner

    def __truediv__(self, inner: str) -> _Place:
        return _Place(self.line, f"{self.inner}.{inner}" if self.inner else inner)

    def error(self, message: str) -> HarnessError:
        return HarnessError(f"{self.line}: {self.inner}: {message}" if self.inner else f"{self.line}: {message}")

    def wrong(self, wanted: str, found: object) -> HarnessError:
        shown = json.dumps(found, ensure_ascii=False)
        return self.error(f"{wanted}, not {shown if len(shown) <= 60 else shown[:57] + '...'}")

    def check(self, record: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        """The record, if it is an object with none but these keys."""
        if not isinstance(record, dict):
            raise self.wrong("must be an object", record)
        for key in record:
            if key not in keys:
                raise self.error(f"no key is called {key!r}{_near(key, keys)}; there are: {', '.join(keys)}")
        return record

    def get(self, record: dict[str, Any], key: str, kind: type, default: Any = ...) -> Any:
        """The value of a key, checked against the type; without a default the key must be there."""
        if key not in record:
            if default is ...:
                raise self.error(f"{key!r} is missing")
            return default
        value = record[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise (self / key).wrong(f"must be {_NAMES[kind]}", value)
        return value


def _records(path: Path) -> Iterator[tuple[_Place, Any]]:
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror}); give the path of a task file") from error
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            place = _Place(f"{path}:{number}")
            try:
                value = parse_value(line)
                json.loads(line, object_pairs_hook=_no_doubles)
            except (MalformedJson, _Doubled) as error:
                raise place.error(f"not one JSON value a line: {error}") from error
            yield place, value


class _Doubled(ValueError):
    pass


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Doubled(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is given twice")
    return record


def _task(place: _Place, record: Any, known: Mapping[str, Mapping[str, Any]]) -> Task:
    place.check(record, _TASK)
    tools: dict[str, Mapping[str, Any]] = {}
    for at, item in enumerate(place.get(record, "tools", list)):
        here = place / f"tools[{at}]"
        if isinstance(item, str) and item not in known:
            raise here.error(f"no tool {item!r} in the lines before{_near(item, known)}")
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


def _tool(place: _Place, record: Any) -> Mapping[str, Any]:
    if isinstance(record, dict) and isinstance(record.get("function"), dict):  # the form of chat-completions servers
        place, record = place / "function", record["function"]
    place.check(record, _TOOL)
    if not place.get(record, "name", str):
        raise (place / "name").error("a tool needs a name")
    place.get(record, "description", str, "")
    place.get(record, "parameters", dict)
    return {"description": "", **record}


def _turn(place: _Place, record: Any, tools: Mapping[str, Mapping[str, Any]]) -> Turn:
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


def _day(place: _Place, record: dict[str, Any]) -> date | None:
    if (text := place.get(record, "today", str, None)) is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise (place / "today").wrong("must be a day such as 2026-05-03", text) from error


def _comparison(place: _Place, record: dict[str, Any]) -> Literal["folded", "bfcl"]:
    match place.get(record, "comparison", str, "folded"):
        case "folded":
            return "folded"
        case "bfcl":
            return "bfcl"
        case other:
            raise (place / "comparison").wrong(f"must be one of {', '.join(READINGS)}", other)


def _calls(
    place: _Place, records: Any, tools: Mapping[str, Mapping[str, Any]], length: int
) -> tuple[ExpectedCall, ...]:
    if not isinstance(records, list):
        raise place.wrong("must be a list of calls", records)
    return tuple(
        _call(_Place(place.line, f"{place.inner}[{at}]"), call, tools, length) for at, call in enumerate(records)
    )


def _call(place: _Place, record: Any, tools: Mapping[str, Mapping[str, Any]], length: int) -> ExpectedCall:
    place.check(record, _CALL)
    name = place.get(record, "name", str)
    if name not in tools:
        raise (place / "name").error(f"the task declares no tool {name!r}{_near(name, tools)}")
    arguments = place.get(record, "arguments", dict)
    stated = tools[name]["parameters"].get("properties", {})
    for key in arguments:
        if key not in stated:
            raise (place / "arguments").error(f"{name} has no argument {key!r}{_near(key, stated)}")
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
                raise (place / key).error(f"no value at {path!r}{_near(str(path), allowed)}")
    return ExpectedCall(
        name,
        arguments,
        accept={path: tuple((place / "accept").get(accept, path, list)) for path in accept},
        optional=frozenset(optional),
        spans={path: _span(place / f"spans.{path}", span, length) for path, span in spans.items()},
        unspoken={path: _reason(place / f"unspoken.{path}", reason) for path, reason in unspoken.items()},
    )


def _span(place: _Place, value: JsonValue, length: int) -> Span:
    match value:
        case [int(start), int(end)] if 0 <= start < end <= length:
            return start, end
    raise place.wrong(f"must be [start, end] within the {length} characters of the input", value)


def _reason(place: _Place, value: JsonValue) -> Unspoken:
    for reason in get_args(Unspoken):
        if value == reason:
            return reason  # type: ignore[no-any-return]
    raise place.wrong(f"must be one of {', '.join(get_args(Unspoken))}", value)


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
