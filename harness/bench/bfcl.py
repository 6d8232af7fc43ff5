"""Files of the Berkeley Function Calling Leaderboard, version 4: `BFCL_v4_<category>.json`, its answers beside it.

The questions are JSON lines {id, question, function}; the answers lie in `possible_answer/` under the same name, as
{id, ground_truth: [{function: {argument: [accepted values]}}]}. An empty text among the accepted values means that the
argument may be left out, unless the function requires it. The irrelevance categories have no answers: no call is right.

Only turns that one answer of calls decides are read. docs/bfcl.md says which categories those are, and where our
verdicts differ from the leaderboard's own checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.bench.places import Place, records
from harness.bench.task import ExpectedCall, Task, Turn
from harness.errors import HarnessError
from harness.json.value import JsonValue

TYPES: dict[str, str | None] = {
    "integer": "integer", "long": "integer", "short": "integer", "byte": "integer", "Bigint": "integer",
    "float": "number", "double": "number", "number": "number",
    "string": "string", "String": "string", "char": "string",
    "boolean": "boolean", "Boolean": "boolean", "bool": "boolean",
    "array": "array", "list": "array", "tuple": "array", "Array": "array", "ArrayList": "array", "Queue": "array",
    "Stack": "array",
    "dict": "object", "object": "object", "HashMap": "object", "Hashtable": "object",
    "any": None, "Any": None, "": None,
}  # fmt: skip
"""The leaderboard's types, Java's and JavaScript's among them, as JSON Schema has them; None is any type."""


def is_bfcl(record: Any) -> bool:
    """Whether a record is one of the leaderboard's, by its keys."""
    return isinstance(record, dict) and "id" in record and ("question" in record or "ground_truth" in record)


def bfcl_tasks(path: Path, lines: Iterable[tuple[Place, Any]]) -> Iterator[tuple[Place, Task]]:
    """A task for each question of a category."""
    answers: dict[str, list[dict[str, Any]]] | None = None
    for place, record in lines:
        if "ground_truth" in record:
            raise place.error("these are the answers; give the file of questions, one folder up")
        if "function" not in record:
            raise place.error(
                "a category that runs its tools (or has several turns), which is not read; see docs/bfcl.md"
            )
        name = place.get(record, "id", str)
        category = name.rpartition("_")[0] or name
        if "irrelevance" in category:
            calls: list[dict[str, Any]] = []
        elif "relevance" in category:
            raise place.error("a category that only asks for some call, whichever; it is not read, see docs/bfcl.md")
        else:
            answers = _answers(path) if answers is None else answers
            if name not in answers:
                raise place.error(f"possible_answer/{path.name} has no answer to it")
            calls = answers[name]
        functions = place.get(record, "function", list)
        tools = tuple(_tool(place / f"function[{at}]", function) for at, function in enumerate(functions))
        yield place, Task(name, category, tools, (_turn(place, record, category, calls, functions),))


def _answers(path: Path) -> dict[str, list[dict[str, Any]]]:
    beside = path.parent / "possible_answer" / path.name
    if not beside.exists():
        raise HarnessError(f"{beside}: no such file; the answers must lie there, or nothing says which calls are right")
    return {place.get(record, "id", str): place.get(record, "ground_truth", list) for place, record in records(beside)}


def _tool(place: Place, function: Any) -> Mapping[str, Any]:
    if not isinstance(function, dict):
        raise place.wrong("must be an object", function)
    return {
        "name": place.get(function, "name", str),
        "description": place.get(function, "description", str, ""),
        "parameters": json_schema(place / "parameters", place.get(function, "parameters", dict)),
    }


def json_schema(place: Place, schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of the leaderboard's dialect as JSON Schema."""
    made = {key: value for key, value in schema.items() if key not in ("type", "optional")}
    kind = schema.get("type")
    if isinstance(kind, str):
        if kind not in TYPES:
            raise (place / "type").error(f"unknown type {kind!r}; known are {', '.join(filter(None, TYPES))}")
        if TYPES[kind]:
            made = {"type": TYPES[kind], **made}
    if isinstance(properties := schema.get("properties"), dict):
        made["properties"] = {
            name: json_schema(place / f"properties.{name}", below) for name, below in properties.items()
        }
    if isinstance(schema.get("items"), dict):
        made["items"] = json_schema(place / "items", schema["items"])
    return made


def _turn(
    place: Place,
    record: dict[str, Any],
    category: str,
    answer: Sequence[Mapping[str, Any]],
    functions: Sequence[Mapping[str, Any]],
) -> Turn:
    turns = place.get(record, "question", list)
    if len(turns) != 1 or not turns[0]:
        raise (place / "question").error("a question of several turns, which is not read; see docs/bfcl.md")
    *before, last = turns[0]
    by_name = {function["name"]: function for function in functions}
    expected = []
    for at, call in enumerate(answer):
        for name, accepted in call.items():
            if name not in by_name:
                raise (place / f"ground_truth[{at}]").error(f"calls {name!r}, which the question does not declare")
            expected.append(_call(name, accepted, by_name[name]["parameters"]))
    return Turn(
        input=str(last["content"]),
        expected=tuple(expected),
        kind=category,
        comparison="bfcl",
        context=tuple(before),
    )


def _call(name: str, accepted: Mapping[str, list[JsonValue]], parameters: Mapping[str, Any]) -> ExpectedCall:
    arguments: dict[str, JsonValue] = {}
    accept: dict[str, tuple[JsonValue, ...]] = {}
    optional = set()
    for argument, values in accepted.items():
        schema = (parameters.get("properties") or {}).get(argument) or {}
        given = [value for value in values if value != ""]
        if given:
            arguments[argument] = _first(given[0])
        if ("" in values or not values) and argument not in (parameters.get("required") or ()):
            optional.add(argument)
        accept[argument] = tuple(form for value in values for form in _forms(_first(value), schema))
        if given:
            for path, choices in _choices(given[0], argument):
                accept[path] = tuple(form for choice in choices for form in _forms(choice, _LOOSE))
                if "" in choices:
                    optional.add(path)
    return ExpectedCall(name, arguments, accept, frozenset(optional))


_LOOSE = {"type": "float"}
"""Inside objects the leaderboard compares numbers without their types."""


def _first(value: JsonValue) -> JsonValue:
    """An accepted value; of an object, each key of which lists what is accepted there, the first of everything."""
    if isinstance(value, dict):
        return {key: _given(choices)[0] for key, choices in value.items() if _given(choices) or not choices}
    return [_first(item) if isinstance(item, dict) else item for item in value] if isinstance(value, list) else value


def _given(choices: JsonValue) -> list[JsonValue]:
    return [choice for choice in choices if choice != ""] if isinstance(choices, list) else [choices]


def _choices(value: JsonValue, path: str) -> Iterator[tuple[str, list[JsonValue]]]:
    """What is accepted below an object or a list of objects, by path."""
    if isinstance(value, dict):
        for key, choices in value.items():
            yield f"{path}.{key}", choices if isinstance(choices, list) else [choices]
    elif isinstance(value, list):
        for at, item in enumerate(value):
            if isinstance(item, dict):
                yield from _choices(item, f"{path}[{at}]")


def _forms(value: JsonValue, schema: Mapping[str, Any]) -> list[JsonValue]:
    """A value in the types that the leaderboard takes for it: a whole number is a float where one is wanted.

    The empty text that says "may be left out" is a value only for an argument that is a text.
    """
    kind, inner = schema.get("type"), (schema.get("items") or {}).get("type")
    if value == "" and kind not in ("string", "String", "any", "Any"):
        return []
    if kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        return [float(value), int(value)] if float(value).is_integer() else [value]
    if inner == "float" and isinstance(value, list) and all(type(item) in (int, float) for item in value):
        return [value, [float(item) for item in value]]
    return [value]
