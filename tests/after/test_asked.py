"""Whether a call comes back to what another asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.after.asked import Asked, asked, comes_back
from harness.after.commands import cuts_itself, read_command
from harness.transcript import ToolCall


def bash(command: str) -> Asked:
    return asked(ToolCall("bash", json.dumps({"command": command})))


def tool(name: str, **arguments: Any) -> Asked:
    return asked(ToolCall(name, json.dumps(arguments)))


@pytest.mark.parametrize(
    ("first", "later", "how"),
    [
        ("cat a.py", "cat a.py", "the same again"),
        ("cat a.py", "cat a.py | head -20", "narrower"),
        ("cd /r && cat a.py", "sed -n '1,20p' /r/a.py", "narrower"),
        ("pytest -x", "pytest -x 2>&1 | tail -3", "narrower"),
        ("pytest tests/a.py", "pytest tests/a.py::test_b", "narrower"),
        ("git log", "git log --oneline | head", "narrower"),
        ("grep -rn foo .", "grep -rn foo src/ | head", "narrower"),
        ("cat a.py b.py", "cat b.py", "narrower"),
        ("ls -R src/lib", "ls src/lib", "otherwise"),
        ("grep -rn foo src/x", "grep -n bar src/x", None),
        ("cat a.py", "python a.py", None),
        ("cat a.py", "sed -i s/a/b/ a.py", None),
        ("cat a.py", "echo x > a.py", None),
        ("cat a.py", "cat b.py", None),
        ("make", "ls", None),
        ("cat a.py", "cat <<'EOF' >> a.py\nx\nEOF", None),
        ("pytest tests/a.py", "cat tests/a.py", None),
        ("pytest tests/a.py", "pytest tests/a.py -k foo", "narrower"),
        ("pytest tests/a.py", "pytest tests/a.py -v", "otherwise"),
        ("ls -R", "ls src/lib", "narrower"),
        ("ls -R", "grep -rn foo src", None),
    ],
)
def test_commands(first: str, later: str, how: str | None) -> None:
    assert comes_back(bash(first), bash(later)) == how


def test_arguments_of_tools() -> None:
    read = tool("Read", file_path="/r/a.py")
    assert comes_back(read, tool("Read", file_path="/r/a.py", offset=100, limit=10)) == "narrower"
    assert comes_back(read, tool("Edit", file_path="/r/a.py", old_string="x", new_string="y")) is None
    assert comes_back(read, bash("grep -n foo a.py")) == "narrower"
    assert comes_back(tool("get", id=3), tool("get", id=3, fields="a")) == "narrower"
    assert comes_back(tool("get", id=3), tool("get", id=4)) is None
    assert comes_back(tool("write_stdin", session_id=3, chars=""), tool("write_stdin", session_id=4, chars="")) is None
    view = tool("str_replace_editor", command="view", path="/r/a")
    assert comes_back(view, tool("str_replace_editor", command="view", path="/r/a", view_range=[1, 9])) == "narrower"
    assert comes_back(view, tool("str_replace_editor", command="create", path="/r/a", file_text="x")) is None
    grep = tool("Grep", pattern="foo", path="src")
    assert comes_back(grep, tool("Grep", pattern="foo", path="src", head_limit=5)) == "narrower"
    assert comes_back(grep, tool("Grep", pattern="bar", path="src")) is None


def test_the_order_of_arguments_is_nothing() -> None:
    assert tool("get", a=1, b=2).key == tool("get", b=2, a=1).key
    assert tool("get", a=1).key != tool("put", a=1).key


def test_a_call_whose_arguments_are_no_json_is_only_equal_to_itself() -> None:
    patch = asked(ToolCall("apply_patch", "*** Begin Patch"))
    assert comes_back(patch, patch) == "the same again"
    assert comes_back(patch, bash("cat a.py")) is None


def test_a_command_that_stands_as_plain_text() -> None:
    first, later = (asked(ToolCall("bash", command)) for command in ("cat a.py", "cat a.py | head -20"))
    assert comes_back(first, later) == "narrower"


def test_output_that_the_agent_cuts_itself() -> None:
    assert cuts_itself("pytest 2>&1 | tail -3")
    assert not cuts_itself("echo '| tail -3'")
    assert tool("Read", file_path="/r/a.py", limit=10).limited
    assert not bash("cat a.py").limited


def test_a_script_between_quotes_is_no_pipe() -> None:
    found = read_command("grep 'a|b' x.py | head -3")
    assert found.stem == "grep 'a|b' x.py"
    assert found.limits == ("grep 'a|b' x.py", "head -3")
