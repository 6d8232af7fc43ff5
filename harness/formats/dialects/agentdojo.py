"""Messages of AgentDojo runs: like OpenAI's, with the call whole beside its result and text in `content` of its parts.

Source: the runs in Liu-Ruotian/agentdojo-luna-trajectories@c5b64f3 `runs/`; the library itself was not to be had.

| field | what |
| --- | --- |
| `role` | system, user, assistant, tool |
| `content` | text (older runs), or parts `{type: text, content}`; `thinking`, `redacted_thinking` |
| `tool_calls[].{id,function,args}` | calls: the name is a string, arguments are an object |
| `tool_call`, `tool_call_id` | of a result: the call again, and its id |
| `error` | of a result: what the tool failed with; the model is shown this where it is there |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.dialects.openai_chat import arguments_text, role_of
from harness.formats.record import Record
from harness.transcript import Message, ToolCall

THOUGHTS = ("thinking", "redacted_thinking")


class AgentDojo:
    """AgentDojo messages: calls as `function` and `args`, text parts with `content`."""

    name = "agentdojo"

    def fit(self, message: dict[str, Any]) -> Fit:
        content, calls = message.get("content"), message.get("tool_calls")
        if role_of(message) is None or not isinstance(calls, (list, type(None))):
            return Fit.NO
        if not all(isinstance(c, dict) and isinstance(c.get("function"), str) and "args" in c for c in calls or ()):
            return Fit.NO
        if isinstance(content, list):
            return Fit.OWN if content and all(map(_is_part, content)) else Fit.NO
        if not isinstance(content, (str, type(None))):
            return Fit.NO
        return Fit.OWN if calls or isinstance(message.get("tool_call"), dict) else Fit.PLAIN

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            _add_message(assembly, message)


def _is_part(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("content"), str) and part.get("type") in ("text", *THOUGHTS)


def _add_message(assembly: Assembly, record: Record) -> None:
    content = record.said("content")
    parts = list(record.records("content")) if isinstance(content, list) else []
    text = content if isinstance(content, str) else "".join(
        part.string("content") for part in parts if part.raw("type") == "text"
    )  # fmt: skip
    role = role_of(record.value)
    if role == "assistant":
        thoughts = [part.string("content") for part in parts if part.raw("type") == "thinking"]
        calls = [
            ToolCall(call.string("function"), arguments_text(call.raw("args")), call.text("id"))
            for call in record.records("tool_calls")
        ]
        encrypted = sum(part.raw("type") == "redacted_thinking" for part in parts)
        assembly.add(
            Message("assistant", text, calls=tuple(calls), reasoning="".join(thoughts), encrypted=encrypted)
        )  # fmt: skip
    elif role == "tool":
        error = record.string("error")
        assembly.answer(
            error or text,
            call_id=record.text("tool_call_id"),
            name=record.record("tool_call").string("function"),
            is_error=bool(error),
        )
    elif role is not None:
        assembly.add(Message(role, text))
    else:
        record.problem(f"unknown role {record.raw('role')!r:.60}")
