"""Messages in the shape of OpenAI's chat completions, which many formats hold: one such message into an
`Assembly`."""

from __future__ import annotations

from typing import Any

from harness.formats.assembly import Assembly
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
BLOCKS_OF_OTHERS = ("tool_use", "tool_result", "server_tool_use", "toolCall", "tool-call")
FIELDS_OF_OTHERS = {"parts", "ts", "modelInfo"}
LOOKED_AT = 50
RECORDED_AS = "recorded_as"
"""`json` in a result that is a string, as this API wants it, but was recorded as JSON (`harness.export`)."""


def is_chat(messages: list[Any]) -> bool:
    """Whether a list holds chat messages: known roles throughout its start, and no blocks that another API
    has."""
    looked_at = [m for m in messages[:LOOKED_AT] if isinstance(m, dict)]
    if not looked_at or not all(_has_known_role(m) for m in looked_at):
        return False
    if not any("content" in m for m in looked_at):
        return False
    blocks = [b for m in looked_at if isinstance(m.get("content"), list) for b in m["content"]]
    return not any(isinstance(b, dict) and b.get("type") in BLOCKS_OF_OTHERS for b in blocks)


def _has_known_role(message: dict[str, Any]) -> bool:
    role = message.get("role")
    return isinstance(role, str) and role in ROLES and not message.keys() & FIELDS_OF_OTHERS


def add_message(assembly: Assembly, record: Record, role: str | None = None) -> None:
    """Read one message. A role that is not known is a problem and costs the message."""
    said = role or record.raw("role")
    known = ROLES.get(said) if isinstance(said, str) else None
    if known is None:
        record.problem(f"unknown role {said!r:.60}")
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
    """The text of `content`, its parts put together, and how many parts are no text (images, sound,
    files)."""
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
        elif isinstance(part, dict):
            others += 1
        else:
            record.wrong(f"content[{i}]", part, "a part")
    return "".join(texts), others


def _is_part(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and isinstance(value.get("type"), str))


def _part_text(part: Any) -> str | None:
    if not isinstance(part, dict):
        return None
    if part.get("type") in ("thinking", "reasoning"):
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
    """`tool_calls` and the older `function_call`. Arguments that are no string are kept as compact JSON."""
    found = []
    for call in record.records("tool_calls"):
        function = call.record("function") if "function" in call else call.record("custom")
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


def tool_definitions(record: Record) -> tuple[str, ...] | None:
    """`tools` or the older `functions`, each as compact JSON; `None` where none were recorded."""
    for key in ("tools", "functions"):
        value = record.raw(key)
        if isinstance(value, list):
            return tuple(compact(tool) for tool in value)
        if value is not None:
            record.wrong(key, value, "an array")
    return None
