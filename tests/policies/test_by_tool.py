"""Different policies for different tools, and budgets for a whole turn."""

from __future__ import annotations

import json

import pytest

from harness.policies.by_tool import last_command
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy
from harness.testing.policies import render
from harness.transcript import Message, ToolCall, ToolResult, Transcript

KINDS = (
    "by_tool:shell=head:bytes=1,failed=head:bytes=2,read=head:bytes=3,mcp=head:bytes=4,other=head:bytes=5,"
    'fine_codes=grep+"git diff"'
).replace('"git diff"', "test")


@pytest.mark.parametrize(
    ("tool", "more", "kept"),
    [
        ("bash", {}, 1),
        ("exec_command", {"exit_code": 0}, 1),
        ("bash", {"exit_code": 2}, 2),
        ("bash", {"exit_code": 1}, 2),
        ("bash", {"is_error": True}, 2),
        ("bash", {"is_error": True, "exit_code": 0}, 1),
        ("Read", {"is_error": True}, 3),
        ("mcp__a__b", {}, 4),
        ("anything", {}, 5),
        ("", {}, 5),
    ],
)
def test_the_policy_goes_by_the_tool_and_its_outcome(tool: str, more: dict[str, object], kept: int) -> None:
    assert render(KINDS, "0123456789", tool=tool, **more).elided_bytes == 10 - kept


def test_kinds_without_a_policy_fall_under_other_and_that_may_be_none() -> None:
    assert render("by_tool:other=head:bytes=4", "0123456789", exit_code=1).elided_bytes == 6
    assert render("by_tool:shell=head:bytes=4", "0123456789", exit_code=1).elided_bytes == 6
    assert render("by_tool:shell=head:bytes=4", "0123456789", tool="Read") == Rendering("0123456789")
    assert make_policy(KINDS).page_bytes == 5


@pytest.mark.parametrize(
    ("command", "last"),
    [
        ("grep -r x .", "grep -r x . "),
        ("cd /a && grep x b", "grep x b "),
        ("cat a | sort | /usr/bin/diff - b", "diff - b "),
        ("LANG=C A=1 rg x", "rg x "),
        ("ls; git diff", "git diff "),
        ("make\ntest -f x\n", "test -f x "),
        ("grep -E 'a|b;c' f 2>&1", "grep -E '' f 2>&1 "),
        ('cat x | grep "it\\"s | " &', "grep '' "),
        ("sleep 9 & find . &> log", "find . &> log "),
        ("", ""),
    ],
)
def test_the_last_command_of_a_line_gives_its_exit_code(command: str, last: str) -> None:
    assert last_command(ToolCall("bash", json.dumps({"command": command}))) == last
    assert last_command(ToolCall("bash", json.dumps({"cmd": command}))) == last
    assert last_command(ToolCall("bash", command)) == last


@pytest.mark.parametrize("arguments", ["", "[1]", "{}", '{"command": 3}', '{"command": {}}', "null", "\ud800"])
def test_a_call_without_a_command_has_none(arguments: str) -> None:
    assert last_command(ToolCall("bash", arguments)) in ("", "\ud800 ")


def test_a_command_may_be_a_list_of_words() -> None:
    call = ToolCall("shell", json.dumps({"command": ["bash", "-lc", "true && grep x y"]}))
    assert last_command(call) == "grep x y "


@pytest.mark.parametrize(
    ("command", "code", "kept"), [("grep x y", 1, 1), ("grep x y", 2, 2), ("ls | grep x", 1, 1), ("grepp x", 1, 2)]
)
def test_exit_code_one_of_some_commands_is_no_failure(command: str, code: int, kept: int) -> None:
    call = ToolCall("bash", json.dumps({"command": command}))
    answer = ToolResult("0123456789", "bash", exit_code=code)
    transcript = Transcript("t", "test", (Message("assistant", calls=(call,)), Message("tool", result=answer)))
    assert make_policy(KINDS).start(transcript).admit(1, answer, call).elided_bytes == 10 - kept


def turn(*sizes: int, tools: tuple[str, ...] = ()) -> list[Message]:
    names = tools or ("bash",) * len(sizes)
    return [Message("tool", result=ToolResult("x" * n, tool)) for n, tool in zip(sizes, names, strict=True)]


def elided(spec: str, messages: list[Message]) -> list[int]:
    transcript = Transcript("t", "test", tuple(messages))
    run = make_policy(spec).start(transcript)
    return [run.admit(i, m.result, None).elided_bytes for i, m in enumerate(messages) if m.result is not None]


def test_the_largest_results_of_a_turn_are_spilled_until_it_fits() -> None:
    spec = 'turn_budget:total=100,spill="spill:bytes=0,keep=0,before=12345"'
    assert elided(spec, turn(40, 30, 30)) == [0, 0, 0]
    assert elided(spec, turn(40, 30, 31)) == [40, 0, 0]
    assert elided(spec, turn(40, 60, 50)) == [0, 60, 0]  # 40 + 5 + 50
    assert elided(spec, turn(60, 60, 50)) == [60, 60, 0]
    assert elided(spec, turn(50, 50, 50)) == [50, 50, 0]  # the first of equals
    assert elided(spec, [*turn(90), Message("assistant"), *turn(90)]) == [0, 0]
    assert elided('turn_budget:total=inf,spill="spill:bytes=0"', turn(900, 900)) == [0, 0]


def test_what_is_cut_already_is_not_spilled_and_what_is_exempt_neither() -> None:
    spec = 'turn_budget:total=50,each=head:bytes=40,spill="spill:bytes=0,keep=0,before=1"'
    assert elided(spec, turn(90, 20)) == [50, 20]
    assert elided(f"{spec},min_bytes=30", turn(90, 20)) == [50, 0]
    assert elided(f"{spec},exempt=odd", turn(90, 20, 20, tools=("odd", "bash", "bash"))) == [0, 20, 20]


def test_hermes_budget_of_a_turn_is_for_all_its_tools() -> None:
    assert elided("hermes", turn(90_000, 90_000, 20_000)) == [0, 0, 0]
    spilled = elided("hermes", turn(90_000, 90_001, 20_000, tools=("bash", "read_file", "bash")))
    assert spilled == [0, 88_501, 0]
