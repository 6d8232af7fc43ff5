"""Messages of LangChain: serialized constructors, plain dictionaries with `type`, and those with `data`.

Source: langchain-core `langchain_core/load/dump.py`, `messages/utils.py`. Three shapes of one message:
`{lc: 1, type: "constructor", id: [..., "AIMessage"], kwargs}`, `{type: "ai", content, ...}`, `{type: "ai", data}`.

| field | what |
| --- | --- |
| `type` (or the class in `id`) | human, ai, system, tool |
| `content` | text, or parts; those that repeat a call are left out |
| `tool_calls[].{id,name,args}`, `invalid_tool_calls` | calls; older: `additional_kwargs.tool_calls` |
| `tool_call_id`, `name`, `status` | of a result |
| `usage_metadata`, `response_metadata.{model_name,token_usage}` | of an answer |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.dialects.openai_chat import arguments_text, calls_of, content_of
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import either, usage_of
from harness.transcript import Message, ToolCall, Usage

KINDS = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "tool",
    "HumanMessageChunk": "user",
    "SystemMessageChunk": "system",
    "ToolMessageChunk": "tool",
}
CALL_BLOCKS = ("tool_use", "function_call", "tool_call", "tool_call_chunk", "server_tool_use", "server_tool_call")
TYPES = ("human", "ai", "system", "tool", "function", "AIMessageChunk")


class LangChain:
    """LangChain messages: serialized constructors, dictionaries with `type`, and those with `data`."""

    name = "langchain"

    def fit(self, message: dict[str, Any]) -> Fit:
        return Fit.OWN if is_langchain(message) else Fit.NO

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            add_message(assembly, message)


def is_langchain(message: Any) -> bool:
    """Whether a value is one of these messages (and not one of OpenAI's, which have `role`)."""
    if not isinstance(message, dict) or "role" in message:
        return False
    if message.get("lc") == 1 and isinstance(message.get("kwargs"), dict):
        name = message.get("id")
        return isinstance(name, list) and bool(name) and isinstance(name[-1], str) and name[-1] in KINDS
    kind = message.get("type")
    return isinstance(kind, str) and kind in TYPES and ("content" in message or isinstance(message.get("data"), dict))


def add_message(assembly: Assembly, record: Record) -> None:
    """Read one message. A type that is not known is a problem and costs the message."""
    kind, fields = _opened(record)
    role = KINDS.get(kind)
    if role == "assistant":
        _add_answer(assembly, fields)
    elif role == "tool":
        _add_result(assembly, fields)
    elif role in ("user", "system"):
        text, images = content_of(fields)
        assembly.add(Message("system" if role == "system" else "user", text, images=images))
    else:
        record.problem(f"unknown type of message {kind!r:.60}")


def _opened(record: Record) -> tuple[str, Record]:
    if record.raw("lc") == 1:
        name = record.array("id")
        return str(name[-1]) if name else "", record.record("kwargs")
    kind = record.string("type")
    return kind, record.record("data") if isinstance(record.raw("data"), dict) else record


def _add_answer(assembly: Assembly, fields: Record) -> None:
    content = fields.raw("content")
    blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    calling = [b for b in blocks if b.get("type") in CALL_BLOCKS]
    said = [b for b in content if b not in calling] if calling else content
    text, images = content_of(Record({"content": said}, fields.place, fields.report))
    thoughts = [t for b in blocks if isinstance(t := b.get("thinking", b.get("reasoning")), str)]
    metadata = fields.record("response_metadata")
    assembly.add(
        Message(
            "assistant",
            text,
            calls=_calls(fields) or tuple(map(_call_in_block, calling)),
            reasoning="".join(thoughts) or fields.record("additional_kwargs").string("reasoning_content"),
            images=images,
            message_id=fields.text("id"),
            model=metadata.text("model_name") or metadata.text("model"),
            usage=_usage(fields.record("usage_metadata")) or usage_of(metadata.record("token_usage")),
        )
    )


def _call_in_block(block: dict[str, Any]) -> ToolCall:
    arguments = next((block[key] for key in ("input", "args", "arguments") if block.get(key) is not None), None)
    call_id, name = block.get("id"), block.get("name")
    return ToolCall(
        name if isinstance(name, str) else "", arguments_text(arguments), call_id if isinstance(call_id, str) else None
    )


def _calls(fields: Record) -> tuple[ToolCall, ...]:
    found = [
        ToolCall(call.string("name"), arguments_text(call.raw("args")), call.text("id"))
        for key in ("tool_calls", "invalid_tool_calls")
        for call in fields.records(key)
    ]
    return tuple(found) or calls_of(fields.record("additional_kwargs"))


def _add_result(assembly: Assembly, fields: Record) -> None:
    content = fields.raw("content")
    text, images = (
        (content_of(fields)) if content is None or isinstance(content, (str, list)) else (compact(content), 0)
    )
    status = fields.raw("status")
    assembly.answer(
        text,
        call_id=fields.text("tool_call_id"),
        name=fields.string("name"),
        is_json=isinstance(content, (dict, int, float)),
        is_error=status == "error" if isinstance(status, str) else None,
        images=images,
    )


def _usage(record: Record) -> Usage | None:
    """`usage_metadata`: `input_tokens` should hold the whole prompt; not all integrations keep to it."""
    details = record.record("input_token_details")
    read, written = details.integer("cache_read"), details.integer("cache_creation")
    output, total = record.integer("output_tokens"), record.integer("total_tokens")
    return either(record.integer("input_tokens"), read, written, output, total)
