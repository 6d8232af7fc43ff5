"""What every policy promises; and a small run of one, request by request, with a token for every four bytes and none
for framing."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from harness import Policy
from harness.policies.rendering import Prompt, Rendering
from harness.policies.spec import make_policy
from harness.policies.units import utf8_length
from harness.transcript import Cut, Message, ToolCall, ToolResult, Transcript


def result(value: str, tool: str = "bash", index: int = 0, **more: object) -> ToolResult:
    return ToolResult(value, tool, call_id=f"call-{index}", **more)  # type: ignore[arg-type]


def conversation(*values: str | None, tool: str = "bash", cuts: Sequence[Cut] = ()) -> Transcript:
    """A task, then a call and its result for each value, then an answer; `None` is the user's next task."""
    messages = [Message("system", "be brief"), Message("user", "the task")]
    for value in values:
        if value is None:
            messages += [Message("assistant", "done"), Message("user", "the next task")]
            continue
        call = ToolCall(tool, '{"command": "ls"}', f"call-{len(messages)}")
        messages.append(Message("assistant", calls=(call,)))
        answer = ToolResult(value, tool, call_id=call.call_id, call=(len(messages) - 1, 0))
        messages.append(Message("tool", result=answer))
    messages.append(Message("assistant", "done"))
    return Transcript("a-run", "test", tuple(messages), cuts=tuple(cuts))


def render(spec: str, value: str, tool: str = "bash", **more: object) -> Rendering:
    """One result under an admission policy."""
    transcript = Transcript("a-run", "test", (Message("tool", result=result(value, tool, **more)),))  # type: ignore[arg-type]
    answer = transcript.messages[0].result
    assert answer is not None
    return make_policy(spec).start(transcript).admit(0, answer, None)


def tokens(text: str) -> int:
    return -(-utf8_length(text) // 4)


def drive(spec: str | Policy, transcript: Transcript) -> list[dict[int, Rendering]]:
    """Per request the views of the results in its prompt, by message index."""
    policy = make_policy(spec) if isinstance(spec, str) else spec
    run = policy.start(transcript)
    messages = transcript.messages
    views: dict[int, Rendering] = {}
    counts = np.array([tokens(m.text) + sum(tokens(c.arguments) for c in m.calls) for m in messages], np.int64)
    for index, message in enumerate(messages):
        if (answer := message.result) is not None:
            call = messages[answer.call[0]].calls[answer.call[1]] if answer.call else None
            views[index] = run.admit(index, answer, call)
            counts[index] = tokens(views[index].text)
    seen = []
    for number, (_, shown) in enumerate(transcript.prompts()):
        changes = run.rewrite(Prompt(number, shown, counts, views, int(counts[shown].sum())))
        for index, view in changes.items():
            views[index] = view
            counts[index] = tokens(view.text)
        seen.append({index: views[index] for index in shown if messages[index].result is not None})
    return seen


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
"""Values that a policy meets: none of them may break it."""


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


def check_policy(spec: str) -> None:
    """On values of every kind: a view for every result of every request, the same every time, no more left out than
    there was."""
    policy = make_policy(spec)
    assert policy.stage in ("admission", "history"), f"{spec}: its stage is {policy.stage!r}"
    assert policy.page_bytes is None or policy.page_bytes > 0, f"{spec}: a recovery brings {policy.page_bytes} bytes"
    transcript = a_run(STRANGE)
    first, second = drive(policy, transcript), drive(make_policy(spec), transcript)
    assert first == second, f"{spec}: the same results are rendered in two ways"
    assert len(first) == len(transcript.requests())
    for views in first:
        for index, view in views.items():
            result = transcript.messages[index].result
            assert result is not None
            _check_view(spec, result.value, view)


def _check_view(spec: str, value: str, view: Rendering) -> None:
    whole = utf8_length(value)
    assert isinstance(view, Rendering), f"{spec}: {view!r} is no Rendering"
    assert 0 <= view.elided_bytes <= whole, f"{spec}: {view.elided_bytes} bytes left out of {whole}"
