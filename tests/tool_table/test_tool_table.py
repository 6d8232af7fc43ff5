from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from harness.tool_table import (
    UNKNOWN,
    WHOLE_LINES,
    Tool,
    offered,
    tool,
    tool_table,
    toolset,
    with_json_results,
)
from harness.transcript import ToolCall
from tests.evidence.planted import calls, result, transcript


def test_unknown_means_no() -> None:
    unknown = tool("no such tool")
    assert unknown == UNKNOWN == Tool(known=False)
    assert not unknown.can_be_narrowed(ToolCall("no such tool", "{}"))
    assert not tool("Bash").read_only
    assert tool("Bash").reads_files
    assert not tool("Bash").can_be_narrowed(ToolCall("Bash", "{}"))


def test_what_is_said_of_known_tools() -> None:
    assert tool("Read").can_be_narrowed(ToolCall("Read", "{}"))
    assert "offset" in tool("Read").narrows
    assert tool("get_user_details").returns_json
    assert not tool("get_user_details").can_be_narrowed(ToolCall("get_user_details", "{}"))
    assert tool("think").spanless
    assert not tool("WebFetch").can_be_narrowed(ToolCall("WebFetch", "{}"))


def test_of_a_single_call_whether_it_can_be_narrowed() -> None:
    editor = tool("str_replace_editor", "openhands-v0")
    assert editor.can_be_narrowed(ToolCall("str_replace_editor", '{"command": "view", "path": "a.py"}'))
    assert not editor.can_be_narrowed(ToolCall("str_replace_editor", '{"command": "str_replace", "path": "a.py"}'))
    assert not editor.changes_nothing(ToolCall("str_replace_editor", "not json"))


def test_of_a_name_that_several_agents_use_only_what_all_say_holds() -> None:
    one = Tool(read_only=True, narrows=frozenset({"offset"}), returns_json=True)
    other = Tool(read_only=True, narrows=frozenset({"limit"}), line_limit=2000)
    assert one.both(other) == Tool(read_only=True, narrows=frozenset({"offset", "limit"}), line_limit=2000)
    assert not one.both(Tool(read_only=True)).can_be_narrowed(ToolCall("x", "{}"))


def test_the_agent_s_own_row_holds_where_the_recording_tells_the_agent() -> None:
    assert tool("read_file", "codex").line_limit == 500
    assert tool("read_file", "gemini-cli").line_limit == 2000
    assert tool("read_file").line_limit == 500


def test_every_row_has_its_source_and_known_fields() -> None:
    rows = tomllib.loads((files("harness.tool_table") / "table.toml").read_text(encoding="utf-8"))["tool"]
    fields = {"agent", "source", "names", "formats", "returns_json", "read_only", "reads_files", "line_limit"}
    fields |= {"narrows", "when", "shows_parts", "spanless"}
    assert len(rows) > 20
    for row in rows:
        assert row["source"]
        assert row["names"]
        assert row.keys() <= fields
    assert len(tool_table()) == len({name for row in rows for name in row["names"]})


def test_definitions_in_every_shape() -> None:
    run = transcript(
        calls("x", name="called"),
        tools=(
            '{"name":"plain"}',
            '{"type":"function","function":{"name":"nested"}}',
            "not json",
            "[]",
            '{"function":3}',
        ),
    )
    assert offered(run) == ["plain", "nested"]


def test_the_tools_of_an_agent_are_those_it_was_offered_and_those_it_called() -> None:
    called = toolset(transcript(calls("x", name="Read")))
    assert (dict(called.readers), called.unknown, called.line_limit) == ({"Read": 2000}, False, 2000)
    shell = toolset(transcript(calls("x", name="Read"), tools=('{"name":"Bash"}',)))
    assert shell.line_limit == WHOLE_LINES
    assert toolset(transcript(calls("x", name="no such tool"))).unknown
    none = toolset(transcript(calls("x", name="get_user_details")))
    assert (none.line_limit, none.unknown, none.shows_parts) == (0, False, False)
    assert toolset(transcript(calls("x", name="tool_result_fetch"))).shows_parts


@pytest.mark.parametrize(
    ("name", "content", "is_json"),
    [
        ("get_user_details", '{"id": 1}', True),
        ("get_user_details", "Error: user not found", False),
        ("Read", '{"id": 1}', False),
        ("no such tool", '{"id": 1}', False),
    ],
)
def test_the_table_decides_what_is_json(name: str, content: str, is_json: bool) -> None:
    (found,) = (m.result for m in with_json_results(transcript(result(content, name=name))).messages)
    assert found is not None
    assert found.is_json == is_json
    assert found.content == content
