"""The tools that an engine is offered: as recorded, else what the recorded calls tell of them.

A definition that is derived has the name, the arguments that were seen, their types where they were always the same,
and as required those that no call left out. It has no description, no default and no choice of values: an engine knows
less of such a tool than the recorded agent did.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from harness.json.value import JsonValue, MalformedJson, parse_value
from harness.loop.tools import READ_HANDLE
from harness.transcript import ToolCall, Transcript

Origin = Literal["recorded", "derived", "both", "none"]
"""both: recorded, but some tools that were called are not among them and were derived."""

Tool = Mapping[str, Any]
WHOLE = "input"
"""The argument that stands for arguments which are no JSON object."""


@dataclass(frozen=True)
class Toolbox:
    """tools: name, description, parameters. origin: where they come from."""

    tools: tuple[Tool, ...]
    origin: Origin


def toolbox(transcript: Transcript) -> Toolbox:
    """The tools of a transcript; those that a policy adds are not among them."""
    recorded = {tool["name"]: tool for text in transcript.tools or () for tool in _definitions(text)}
    derived = {tool["name"]: tool for tool in _derived(transcript) if tool["name"] not in recorded}
    origin: Origin = "both" if derived else "recorded"
    if not recorded:
        origin = "derived" if derived else "none"
    return Toolbox((*recorded.values(), *derived.values()), origin)


def added_tools(reach: set[str]) -> tuple[Tool, ...]:
    """What a policy's renderings tell the model to call, by how what they leave out can be reached."""
    return (READ_HANDLE.declaration(),) if "handle-read" in reach else ()


def arguments_of(call: ToolCall) -> dict[str, JsonValue]:
    """The arguments by name. A text that is no JSON object is one argument."""
    try:
        found = parse_value(call.arguments) if call.arguments.strip() else {}
    except MalformedJson:
        found = call.arguments
    return found if isinstance(found, dict) else {WHOLE: found}


def _definitions(text: str) -> Iterator[Tool]:
    """OpenAI's, Anthropic's and Google's forms as one. What names no tool is passed over."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    if not isinstance(found, dict):
        return
    for key in ("function_declarations", "functionDeclarations"):
        if isinstance(listed := found.get(key), list):
            for one in listed:
                yield from _definitions(orjson.dumps(one).decode("utf-8"))
            return
    inner = found["function"] if isinstance(found.get("function"), dict) else found
    name, described = inner.get("name"), inner.get("description")
    if not isinstance(name, str) or not name:
        return
    schemas = (inner.get(key) for key in ("parameters", "input_schema", "inputSchema", "parametersJsonSchema"))
    yield {
        "name": name,
        "description": described if isinstance(described, str) else "",
        "parameters": next((s for s in schemas if isinstance(s, dict)), {"type": "object", "properties": {}}),
    }


def _derived(transcript: Transcript) -> Iterator[Tool]:
    calls: dict[str, list[dict[str, JsonValue]]] = defaultdict(list)
    for message in transcript.messages:
        for call in message.calls:
            calls[call.name].append(arguments_of(call))
    for name, given in sorted(calls.items()):
        if not name or not name.isprintable():
            continue
        names = dict.fromkeys(key for arguments in given for key in arguments)
        properties = {key: _schema([arguments[key] for arguments in given if key in arguments]) for key in names}
        required = [key for key in names if all(key in arguments for arguments in given)]
        parameters = {"type": "object", "properties": properties, "required": required}
        yield {"name": name, "description": "", "parameters": parameters}


_TYPES: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
}


def _schema(values: list[JsonValue]) -> dict[str, Any]:
    kinds = {_TYPES[type(value)] for value in values if value is not None}
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    return {"type": kinds.pop()} if len(kinds) == 1 else {}
