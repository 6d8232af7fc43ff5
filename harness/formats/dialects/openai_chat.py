"""Messages in the shape of OpenAI's chat completions, which many formats and servers use.

Source: openai/openai-python@e43b422 `types/chat/chat_completion_message_param.py`.

| field | what |
| --- | --- |
| `role` | system, developer, user, assistant, tool, function |
| `content` | text, or parts: `text`, `refusal`, images, sound, files |
| `tool_calls[].{id,function.{name,arguments}}` | calls; `function_call` before them; `custom` with `input` |
| `tool_call_id`, `name` | of a result |
| `reasoning_content`, `reasoning` | the model's reasoning, as gateways send it |
| `usage`, `model`, `timestamp` | as many dumps add them |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import usage_of
from harness.transcript import Message, Role, ToolCall

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
MEDIA = (
    "image_url",
    "image",
    "image_file",
    "input_image",
    "input_audio",
    "audio",
    "file",
    "input_file",
    "video_url",
)
THOUGHTS = ("thinking", "reasoning", "redacted_thinking")
TEXTS = ("text", "input_text", "output_text", "refusal", "summary_text", "reasoning_text")
RECORDED_AS = "recorded_as"
"""`json` in a result that is a string, as this API wants it, but was recorded as JSON (`harness.export`)."""


class OpenAIChat:
    """OpenAI chat messages: `role`, `content`, `tool_calls`, and results of role `tool`."""

    name = "openai-chat"

    def fit(self, message: dict[str, Any]) -> Fit:
        role, calls = role_of(message), message.get("tool_calls")
        if role is None or isinstance(message.get("parts"), list):
            return Fit.NO
        if isinstance(message.get("tool_plan"), str) or isinstance(message.get("tool_call"), dict):
            return Fit.NO
        if not _is_content(message.get("content"), role) or not _are_calls(calls):
            return Fit.NO
        return Fit.OWN if calls or role == "tool" or isinstance(message.get("function_call"), dict) else Fit.PLAIN

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            add_message(assembly, message)


def role_of(message: dict[str, Any]) -> Role | None:
    """The transcript's role for a message's, `None` if it is not known."""
    role = message.get("role")
    return ROLES.get(role) if isinstance(role, str) else None


def _is_content(content: Any, role: Role) -> bool:
    if content is None or isinstance(content, str):
        return True
    if isinstance(content, list):
        typed = [p for p in content if isinstance(p, dict) and isinstance(p.get("type"), str)]
        return all(map(_is_part, typed)) and (
            role == "tool" or len(typed) == sum(not isinstance(p, str) for p in content)
        )
    return role == "tool"


def _are_calls(calls: Any) -> bool:
    if calls is None:
        return True
    return isinstance(calls, list) and all(isinstance(c, dict) and _function_of(c) is not None for c in calls)


def _function_of(call: dict[str, Any]) -> dict[str, Any] | None:
    """What is called: in most logs under `function` or `custom`, in some beside the id."""
    for found in (call.get("function"), call.get("custom")):
        if isinstance(found, dict):
            return found
    return call if isinstance(call.get("name"), str) and "arguments" in call else None


def add_message(assembly: Assembly, record: Record) -> None:
    """Read one message. A role that is not known is a problem and costs the message."""
    known = role_of(record.value)
    if known is None:
        record.problem(f"unknown role {record.raw('role')!r:.60}")
    elif known == "tool":
        add_result(assembly, record)
    elif known == "assistant":
        add_answer(assembly, record)
    else:
        text, images = content_of(record)
        time = record.time("timestamp")
        assembly.add(Message(known, text, images=images, time=time))


def add_answer(assembly: Assembly, record: Record) -> None:
    text, images = content_of(record)
    assembly.add(
        Message(
            "assistant",
            text or record.string("refusal"),
            calls=calls_of(record),
            reasoning=reasoning_of(record),
            images=images,
            message_id=record.text("id"),
            model=record.text("model"),
            time=record.time("timestamp"),
            usage=usage_of(record.record("usage")),
        )
    )


def add_result(assembly: Assembly, record: Record) -> None:
    content = record.raw("content")
    structured = isinstance(content, (dict, bool, int, float)) or (
        isinstance(content, list) and not all(_is_part(part) for part in content)
    )
    text, images = (compact(content), 0) if structured else content_of(record)
    assembly.answer(
        text,
        call_id=record.text("tool_call_id"),
        name=record.string("name"),
        is_json=structured or record.raw(RECORDED_AS) == "json",
        images=images,
        time=record.time("timestamp"),
    )


def content_of(record: Record) -> tuple[str, int]:
    """The text of `content`, its parts put together, and how many parts are no text (images, sound, files). A part of
    a kind that is not known is a problem."""
    content = record.raw("content")
    if content is None or isinstance(content, str):
        return content or "", 0
    if not isinstance(content, list):
        record.wrong("content", content, "a string or a list of parts")
        return compact(content), 0
    texts: list[str] = []
    others = 0
    for i, part in enumerate(content):
        found = part if isinstance(part, str) else _part_text(part)
        if found is not None:
            texts.append(found)
        elif isinstance(part, dict) and part.get("type") in (*MEDIA, None):
            others += 1
        elif isinstance(part, dict):
            unread(record, f"content[{i}]", part)
        else:
            record.wrong(f"content[{i}]", part, "a part")
    return "".join(texts), others


def unread(record: Record, key: str, part: dict[str, Any]) -> None:
    """A part of a kind that no one knows: what is in it stands in no figure, so it is said."""
    record.problem(f"{key} is of the unknown kind {part.get('type')!r:.40} ({', '.join(part)[:80]}): not read")


def _is_part(value: Any) -> bool:
    if isinstance(value, str):
        return True
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    return (
        kind in MEDIA
        or kind in THOUGHTS
        or (kind in TEXTS and isinstance(value.get("text", value.get("refusal")), str))
    )


def _part_text(part: Any) -> str | None:
    if not isinstance(part, dict):
        return None
    if part.get("type") in THOUGHTS:
        return ""
    found = part.get("text", part.get("refusal"))
    return found if isinstance(found, str) else None


def reasoning_of(record: Record) -> str:
    """The model's reasoning, in the fields and blocks in which providers and gateways send it."""
    said = record.raw("reasoning_content") or record.raw("reasoning")
    if isinstance(said, str):
        return said
    content = record.raw("content")
    blocks = content if isinstance(content, list) else []
    thoughts = (b.get("thinking") for b in blocks if isinstance(b, dict) and b.get("type") == "thinking")
    return "".join(t for t in thoughts if isinstance(t, str))


def calls_of(record: Record) -> tuple[ToolCall, ...]:
    """`tool_calls` (some tracers leave them in `additional_kwargs`) and the older `function_call`. Arguments that are
    no string are kept as compact JSON."""
    found = []
    inner = record.raw("additional_kwargs")
    if record.raw("tool_calls") is None and isinstance(inner, dict) and isinstance(inner.get("tool_calls"), list):
        record = record.record("additional_kwargs")
    for call in record.records("tool_calls"):
        function = Record(_function_of(call.value) or {}, call.at("function"), call.report)
        if not function.value:
            call.problem("a call without a function", lost=0)
        arguments = "input" if "input" in function else "arguments"
        found.append(ToolCall(function.string("name"), arguments_text(function.raw(arguments)), call.text("id")))
    if record.raw("function_call") is not None:
        function = record.record("function_call")
        found.append(ToolCall(function.string("name"), arguments_text(function.raw("arguments"))))
    return tuple(found)


def arguments_text(value: Any) -> str:
    """Arguments as the model wrote them; what was recorded parsed is compact JSON again."""
    if isinstance(value, str):
        return value
    return "" if value is None else compact(value)
