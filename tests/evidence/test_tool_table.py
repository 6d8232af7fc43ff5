from __future__ import annotations

import tomllib
from importlib.resources import files

from harness.evidence.tool_table import Tool, offered, shows_parts, tool, tool_table
from tests.evidence.planted import calls, transcript


def test_unknown_means_no() -> None:
    assert tool("no such tool") == Tool()
    assert not tool("Bash").read_only
    assert not tool("Bash").can_be_narrowed


def test_what_is_said_of_known_tools() -> None:
    assert tool("Read").can_be_narrowed
    assert "offset" in tool("Read").narrows
    assert tool("get_user_details").returns_json
    assert not tool("get_user_details").can_be_narrowed
    assert tool("think").spanless
    assert not tool("WebFetch").can_be_narrowed


def test_of_a_name_that_several_agents_use_only_what_all_say_holds() -> None:
    one = Tool(read_only=True, narrows=frozenset({"offset"}), returns_json=True)
    other = Tool(read_only=True, narrows=frozenset({"limit"}))
    assert one.both(other) == Tool(read_only=True, narrows=frozenset({"offset", "limit"}))
    assert not one.both(Tool(read_only=True)).can_be_narrowed


def test_every_row_has_its_source_and_known_fields() -> None:
    rows = tomllib.loads((files("harness.evidence") / "tool_table.toml").read_text(encoding="utf-8"))["tool"]
    fields = {"agent", "source", "names", "returns_json", "read_only", "narrows", "shows_parts", "spanless"}
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
    assert not shows_parts(run)
    assert shows_parts(transcript(calls("x", name="tool_result_fetch")))
