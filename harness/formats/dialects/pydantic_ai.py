"""Messages of pydantic-ai: requests and responses, each of parts that say their `part_kind`.

Source: pydantic/pydantic-ai@4fda389 `pydantic_ai_slim/pydantic_ai/messages.py` (`ModelMessagesTypeAdapter`).

| field | what |
| --- | --- |
| `kind` | request, response |
| `parts[].{part_kind: system-prompt or user-prompt, content}` | text, or a list of texts and media |
| `parts[].{part_kind: tool-return, tool_name, content, tool_call_id, outcome}` | a result: text, or JSON |
| `parts[].{part_kind: retry-prompt, content, tool_name, tool_call_id}` | a tool's failure, or the user's words |
| `parts[].{part_kind: text or thinking, content}` | of an answer |
| `parts[].{part_kind: tool-call, tool_name, args, tool_call_id}` | a call; also `builtin-tool-call` and its return |
| `instructions` of a request | a system prompt that is sent anew with each request; told once here |
| `usage`, `model_name`, `timestamp`, `provider_response_id` of a response | of the answer |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import contained
from harness.transcript import Message, Role, ToolCall, Usage

MEDIA = ("image-url", "audio-url", "video-url", "document-url", "binary", "uploaded-file")
KINDS = (
    "system-prompt",
    "user-prompt",
    "tool-return",
    "retry-prompt",
    "text",
    "thinking",
    "tool-call",
    "builtin-tool-call",
    "builtin-tool-return",
    "file",
)


class PydanticAI:
    """pydantic-ai messages: `kind` request or response, `parts` with `part_kind`."""

    name = "pydantic-ai"

    def fit(self, message: dict[str, Any]) -> Fit:
        parts = message.get("parts")
        if message.get("kind") not in ("request", "response") or not isinstance(parts, list):
            return Fit.NO
        return Fit.OWN if all(isinstance(p, dict) and p.get("part_kind") in KINDS for p in parts) else Fit.NO

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        told = ""
        for message in messages:
            if message.raw("kind") == "response":
                _add_response(assembly, message)
                continue
            instructions = message.string("instructions")
            if instructions and instructions != told:
                assembly.add(Message("system", instructions))
                told = instructions
            _add_request(assembly, message)


def _add_request(assembly: Assembly, message: Record) -> None:
    for part in message.records("parts"):
        kind, time = part.string("part_kind"), part.time("timestamp")
        if kind in ("system-prompt", "user-prompt"):
            text, images = _content(part)
            role: Role = "system" if kind == "system-prompt" else "user"
            assembly.add(Message(role, text, images=images, time=time))
        elif kind == "tool-return" or (kind == "retry-prompt" and part.raw("tool_name") is not None):
            failed = kind == "retry-prompt" or part.raw("outcome") == "failed"
            _add_result(assembly, part, failed or None, time)
        elif kind == "retry-prompt":
            assembly.add(Message("user", arguments_text(part.raw("content")), time=time))
        else:
            part.problem(f"a part of the unknown kind {kind!r:.40} ({', '.join(map(str, part.value))[:80]}): not read")


def _add_result(assembly: Assembly, part: Record, failed: bool | None, time: float | None) -> None:
    content = part.raw("content")
    assembly.answer(
        arguments_text(content),
        call_id=part.text("tool_call_id"),
        name=part.string("tool_name"),
        is_json=content is not None and not isinstance(content, str),
        is_error=failed,
        time=time,
    )


def _add_response(assembly: Assembly, message: Record) -> None:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    images = encrypted = 0
    for part in message.records("parts"):
        kind = part.string("part_kind")
        if kind == "text":
            texts.append(part.string("content"))
        elif kind == "thinking":
            thoughts.append(part.string("content"))
            encrypted += not part.string("content")
        elif kind in ("tool-call", "builtin-tool-call"):
            arguments = arguments_text(part.raw("args"))
            calls.append(ToolCall(part.string("tool_name"), arguments, part.text("tool_call_id")))
        elif kind == "builtin-tool-return":
            results.append(part)
        elif kind == "file":
            images += 1
        else:
            part.problem(f"a part of the unknown kind {kind!r:.40} ({', '.join(map(str, part.value))[:80]}): not read")
    assembly.add(
        Message(
            "assistant",
            "".join(texts),
            calls=tuple(calls),
            reasoning="\n".join(t for t in thoughts if t),
            images=images,
            encrypted=encrypted,
            message_id=message.text("provider_response_id") or message.text("vendor_id"),
            model=message.text("model_name"),
            time=message.time("timestamp"),
            usage=_usage(message.record("usage")),
        )
    )
    for result in results:
        _add_result(assembly, result, None, None)


def _content(part: Record) -> tuple[str, int]:
    content = part.raw("content")
    if not isinstance(content, list):
        return arguments_text(content), 0
    texts: list[str] = []
    images = 0
    for item in content:
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict) and item.get("kind") in MEDIA:
            images += 1
        elif isinstance(item, dict) and isinstance(item.get("content"), str):
            texts.append(item["content"])
        elif not (isinstance(item, dict) and item.get("kind") == "cache-point"):
            texts.append(compact(item))
    return "\n".join(texts), images


def _usage(record: Record) -> Usage | None:
    """`input_tokens` is the whole prompt; before 0.8 it was called `request_tokens`."""
    new = "input_tokens" in record
    whole, output = (
        record.integer(key)
        for key in (("input_tokens", "output_tokens") if new else ("request_tokens", "response_tokens"))
    )
    return contained(whole, record.integer("cache_read_tokens"), record.integer("cache_write_tokens"), output)
