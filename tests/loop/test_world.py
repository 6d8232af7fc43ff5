"""Tools that really run, the handles and files that a policy keeps, and references to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.loop.task import Step
from harness.loop.tools import (
    EDIT_FILE,
    GREP,
    LIST_FILES,
    READ_DOCUMENT,
    READ_FILE,
    READ_HANDLE,
    SEARCH_DOCUMENT,
    SQL_EXECUTE,
    SQL_QUERY,
    WRITE_FILE,
    call_tool,
)
from harness.loop.uptake import Uptake
from harness.loop.world import World, spilled_path
from harness.policies.rendering import Rendering
from harness.transcript import ToolResult

TOOLS = (EDIT_FILE, GREP, LIST_FILES, READ_DOCUMENT, READ_FILE, READ_HANDLE, SEARCH_DOCUMENT)
TOOLS += (SQL_EXECUTE, SQL_QUERY, WRITE_FILE)


@pytest.fixture
def world(tmp_path: Path) -> World:
    (tmp_path / "a.txt").write_text("one\ntwo\nthree two\n", encoding="utf-8")
    (tmp_path / "doc.md").write_text("# d\n\n## k-1: x\n\nfirst part\n\n## k-2: y\n\nsecond part\n", encoding="utf-8")
    return World(tmp_path, page_bytes=10)


def call(world: World, name: str, **arguments: object) -> str:
    return call_tool(TOOLS, world, name, arguments).text


def test_files(world: World) -> None:
    assert call(world, "read_file", path="a.txt", offset=2, limit=1) == "     2\ttwo\n"
    assert call(world, "grep", pattern="two", path="a.txt") == "2:two\n3:three two\n"
    assert call(world, "grep", pattern="two") == "a.txt:2:two\na.txt:3:three two\n"
    assert call(world, "grep", pattern="two", path="a.txt", count=True) == "2 lines match\n"
    assert call(world, "grep", pattern="two", path="a.txt", offset=2, limit=5) == "3:three two\n"
    assert call(world, "list_files") == "a.txt\ndoc.md\n"
    call(world, "write_file", path="b.json", content=[{"a": 1}])
    assert (world.root / "b.json").read_text(encoding="utf-8") == '[{"a":1}]'


def test_documents(world: World) -> None:
    assert call(world, "read_document", path="doc.md", section="k-2") == "## k-2: y\n\nsecond part\n"
    assert call(world, "search_document", path="doc.md", text="first") == "first part"


def test_queries_cannot_write(world: World) -> None:
    call(world, "sql_execute", sql="CREATE TABLE t (a INTEGER)")
    assert json.loads(call(world, "sql_execute", sql="INSERT INTO t VALUES (7)")) == {"rows_changed": 1}
    assert "readonly" in call(world, "sql_query", sql="DELETE FROM t")
    assert call(world, "sql_query", sql="SELECT a FROM t") == '[{"a": 7}]'


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("nothing", {}, "no tool called nothing"),
        ("grep", {}, "needs pattern"),
        ("grep", {"pattern": 3}, "must be of type string"),
        ("grep", {"pattern": "("}, "bad pattern"),
        ("grep", {"pattern": "x", "path": "../"}, "no such file"),
        ("read_file", {"path": "/etc/hostname"}, "does not exist"),
        ("read_file", {"path": "a.txt", "offset": 0}, "start at 1"),
        ("read_file", {"path": "a.txt", "offset": True}, "must be of type integer"),
        ("read_document", {"path": "doc.md", "section": "k-9"}, "no section"),
        ("read_document", {"path": "../doc.md"}, "no such document"),
        ("read_handle", {"handle": "r1"}, "no handle r1"),
        ("sql_query", {"sql": "SELECT"}, "error"),
    ],
)
def test_a_wrong_call_is_an_error_to_read(world: World, name: str, arguments: dict[str, object], says: str) -> None:
    output = call_tool(TOOLS, world, name, arguments)
    assert output.is_error
    assert says in output.text


def test_arguments_that_are_no_object(world: World) -> None:
    assert call_tool(TOOLS, world, "grep", "x").is_error


def kept(world: World) -> World:
    rows = ToolResult('[{"a": "0123456789"}, {"a": "é"}]', "sql_query", is_json=True)
    world.keep(Rendering("r1 = ...", 9, "handle-read", "r1"), 3, rows, "recorded")
    return world


def test_a_handle_is_read_by_slices(world: World) -> None:
    kept(world)
    assert call(world, "read_handle", handle="r1") == '[bytes 0 to 10 of r1, 21 after them]\n[{"a":"012'
    assert call(world, "read_handle", handle="$r1", offset=24) == '[bytes 24 to 31 of r1, 0 after them]\n:"é"}]'
    assert "3456789" in call(world, "read_handle", handle="r1", around="567")
    assert call(world, "read_handle", handle="r1.0.a") == "[bytes 0 to 10 of r1, 0 after them]\n0123456789"
    assert "nothing at r1.7" in call(world, "read_handle", handle="r1.7")
    assert "does not stand" in call(world, "read_handle", handle="r1", around="none")


def test_uptake_tells_used_wrong_and_invented(world: World) -> None:
    uptake = Uptake()
    given = {"content": "$r1.1.a", "more": ["$r1.9", "$r4", "$5", "cost: $r1"]}
    found = uptake.resolve(kept(world), Step("write_file", given))
    assert found == {"content": "é", "more": ["$r1.9", "$r4", "$5", "cost: $r1"]}
    uptake.resolve(world, Step("read_handle", {"handle": "r1"}))
    uptake.resolve(world, Step("read_handle", {"handle": "r2"}))
    assert (uptake.used, uptake.wrong, uptake.invented) == (2, 1, 2)
    given = {"a": "r1", "b": "${r1}", "c": '"$r1.0"', "d": "r9", "e": "see r1", "f": "r1 and r1"}
    assert uptake.resolve(world, Step("write_file", given)) == given
    assert (uptake.used, uptake.wrong, uptake.invented) == (2, 4, 2)


def test_a_handle_is_needed_where_it_brings_what_the_task_needs() -> None:
    passed_on, read = (Rendering("", 9, reach, "r1") for reach in ("handle-arg", "handle-read"))
    found = {}
    for need in ("preview", "row", "whole"):
        uptake = Uptake()
        for view in (passed_on, read, Rendering("", 0, "handle-arg", "r2"), Rendering("", 9, "file")):
            uptake.offer(view, need)
        found[need] = uptake.offered, uptake.needed
    assert found == {"preview": (3, 0), "row": (3, 1), "whole": (3, 2)}


def test_a_spilled_file_is_read_whole_and_searched(world: World) -> None:
    text = "[9 bytes, written to tool-results/call-3.txt. The beginning:]\na"
    assert spilled_path(text) == "tool-results/call-3.txt"
    world.keep(Rendering(text, 5, "file"), 3, ToolResult("a\nb two\nc\n", "grep"), "recorded")
    assert call(world, "read_file", path="tool-results/call-3.txt", offset=2) == "b two\nc\n"
    assert call(world, "grep", pattern="two", path="tool-results/call-3.txt") == "2:b two\n"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("the result was saved in the filesystem at this path: /large_tool_results/c1\n", "/large_tool_results/c1"),
        ("[Showing lines 1-2 of 9. Full output: /tmp/pi-bash-7.log]", "/tmp/pi-bash-7.log"),
        ("nothing was cut", None),
    ],
)  # fmt: skip
def test_paths_are_found_in_the_words_of_several_agents(text: str, path: str | None) -> None:
    assert spilled_path(text) == path
