"""What holds for every registered policy."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.policies import FAMILIES
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy, names
from harness.policies.units import utf8_length
from harness.transcript import Message, ToolCall, ToolResult, Transcript
from tests.policies.driving import conversation, drive

WHOLE_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
STRANGE = (
    "",
    "\0",
    "\ud800",
    "\udc00\ud83d",
    "\ud83d\ude00" * 9_000,
    "e\u0301" * 20_000,
    "\u2028\r\x0c\x85" * 9_000,
    "\n" * 70_000,
    "日本語" * 30_000,
    "x" * 300_000,
    "<|endoftext|>" * 9_000,
    "{elided} {0} {{}} %s $r1 " * 9_000,
    "[" * 9_000,
    json.dumps([{"id": n, "text": "é" * 50} for n in range(2_000)]),
    json.dumps({f"key{n}": n for n in range(5_000)}),
)


def a_run(values: tuple[str, ...]) -> Transcript:
    """The values as results of several tools, JSON and not, paired with their calls or not."""
    messages = [Message("user", "task")]
    for number, value in enumerate(values):
        tool = ("Bash", "Read", "mcp__a__b", "web_fetch", "")[number % 5]
        call = ToolCall(tool, '{"command": "ls | grep x"}', f"id-{number}")
        messages.append(Message("assistant", calls=(call,)))
        at = (len(messages) - 1, 0) if number % 7 else None
        code = number % 3 - 1 if number % 4 else None
        messages.append(
            Message("tool", result=ToolResult(value, tool, f"id-{number}", at, bool(number % 2), exit_code=code))
        )
        if number % 6 == 5:
            messages += [Message("assistant", "done"), Message("user", "next")]
    messages.append(Message("assistant", "done"))
    return Transcript("strange", "test", tuple(messages))


WITH_PROGRAM = {"command": "command:run=cat,mode=plain", "python": "python:call=textwrap:dedent"}
# A proxy needs a session that was recorded whole: tests/replay/test_wire.py.
SPECS = [WITH_PROGRAM.get(name, name) for name in names() if name != "wire"]


@pytest.mark.parametrize("name", names())
def test_min_bytes_of_infinity_is_identity(name: str) -> None:
    transcript = a_run(STRANGE)
    assert drive(f"{name}:min_bytes=inf", transcript) == drive("identity", transcript)


@pytest.mark.parametrize("name", SPECS)
def test_a_rendering_is_the_same_every_time_and_counts_within_the_value(name: str) -> None:
    transcript = a_run(STRANGE)
    first, second = drive(name, transcript), drive(make_policy(name).label, transcript)
    assert first == second
    for views in first:
        for index, view in views.items():
            result = transcript.messages[index].result
            assert result is not None
            assert 0 <= view.elided_bytes <= utf8_length(result.value)


POLICIES = [make_policy(name) for name in SPECS if name != WITH_PROGRAM["command"]]


@settings(max_examples=30, deadline=None)
@given(values=st.tuples(WHOLE_TEXT, WHOLE_TEXT, WHOLE_TEXT))
def test_no_text_breaks_a_policy(values: tuple[str, str, str]) -> None:
    transcript = a_run(values)
    for policy in POLICIES:
        views = drive(policy, transcript)
        assert len(views) == len(transcript.requests())
        assert all(isinstance(view, Rendering) for shown in views for view in shown.values())


@pytest.mark.parametrize("name", ["identity", "swe_agent", "codex", "claude_code", "opencode", "deepagents", "hermes"])
def test_small_results_stand_as_they_are(name: str) -> None:
    for views in drive(name, conversation("a small result", "日本語", "")):
        assert [view.elided_bytes for view in views.values()] == [0] * len(views)
        assert [view.text for view in views.values()] == ["a small result", "日本語", ""][: len(views)]


def test_every_family_is_documented_and_knows_its_page() -> None:
    for name in FAMILIES:
        policy = make_policy(name)
        assert (type(policy.family).__doc__ or "").strip()
        assert policy.page_bytes is None or policy.page_bytes > 0
        assert policy.stage in ("admission", "history")
