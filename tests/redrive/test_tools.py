"""Tool definitions: recorded in anybody's form, else derived from the calls and marked so."""

from __future__ import annotations

import json

import pytest

from harness.policies.car_read import READ_TOOL
from harness.redrive.tools import added_tools, arguments_of, toolbox
from harness.transcript import Message, ToolCall, Transcript

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def transcript(*calls: ToolCall, tools: tuple[str, ...] | None = None) -> Transcript:
    return Transcript("t", "test", (Message("user", "go"), Message("assistant", calls=calls)), tools=tools)


@pytest.mark.parametrize(
    "recorded",
    [
        {"name": "read", "description": "Reads.", "parameters": SCHEMA},
        {"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": SCHEMA}},
        {"name": "read", "description": "Reads.", "input_schema": SCHEMA},
        {"functionDeclarations": [{"name": "read", "description": "Reads.", "parametersJsonSchema": SCHEMA}]},
    ],
)
def test_recorded_definitions_are_read_in_every_form(recorded: dict[str, object]) -> None:
    box = toolbox(transcript(ToolCall("read", '{"path": "a"}'), tools=(json.dumps(recorded),)))
    assert box.origin == "recorded"
    assert box.tools == ({"name": "read", "description": "Reads.", "parameters": SCHEMA},)


def test_without_definitions_the_calls_tell_names_and_arguments() -> None:
    box = toolbox(
        transcript(
            ToolCall("read", '{"path": "a", "limit": 3}'),
            ToolCall("read", '{"path": "b", "limit": 2.5, "raw": null}'),
            ToolCall("apply", "*** Begin Patch"),
        )
    )
    assert box.origin == "derived"
    apply, read = box.tools
    assert apply == {
        "name": "apply",
        "description": "",
        "parameters": {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]},
    }
    assert read["parameters"]["properties"] == {"path": {"type": "string"}, "limit": {"type": "number"}, "raw": {}}
    assert read["parameters"]["required"] == ["path", "limit"]


def test_a_tool_that_is_called_but_not_defined_is_derived_beside_the_others() -> None:
    named = json.dumps({"name": "read", "parameters": SCHEMA})
    box = toolbox(transcript(ToolCall("read", "{}"), ToolCall("pay", "{}"), tools=(named, "no JSON", "[]", "{}")))
    assert box.origin == "both"
    assert [tool["name"] for tool in box.tools] == ["read", "pay"]
    assert toolbox(transcript()).origin == "none"


def test_arguments_that_are_no_object_are_one_argument() -> None:
    assert arguments_of(ToolCall("x", '{"a": 1}')) == {"a": 1}
    assert arguments_of(ToolCall("x", "")) == {}
    assert arguments_of(ToolCall("x", "ls -l")) == {"input": "ls -l"}
    assert arguments_of(ToolCall("x", "[1]")) == {"input": [1]}


def test_only_a_policy_that_speaks_of_a_tool_adds_it() -> None:
    assert [tool["name"] for tool in added_tools({"handle-read", "none"})] == [READ_TOOL]
    assert added_tools({"handle-arg", "file"}) == ()
