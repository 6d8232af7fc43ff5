"""A small run of a policy, request by request, with a token for every four bytes and none for framing."""

from __future__ import annotations

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
    transcript = Transcript("a-run", "test", (Message("tool", result=result(value, tool, **more)),))
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
