"""Messages of the Vercel AI SDK: what its functions take (`ModelMessage`) and what its chats keep (`UIMessage`).

Source: vercel/ai@ed857f5 `packages/provider-utils/src/types/{content-part,tool-model-message}.ts`,
`packages/ai/src/ui/ui-messages.ts`; of version 4 `packages/ui-utils/src/types.ts`.

| field | what |
| --- | --- |
| `role` | system, user, assistant, tool |
| `content` | text, or parts `text`, `reasoning`, `image`, `file`, `tool-call`, `tool-result` |
| `content[].{type: tool-call, toolCallId, toolName, input}` | a call (version 4: `args`) |
| `content[].{type: tool-result, toolCallId, output.{type,value}}` | a result (version 4: `result`, `isError`) |
| `parts[].{type: tool-NAME or dynamic-tool, input, output, errorText}` | of a chat: call and result in one |
| `parts[].{type: tool-invocation, toolInvocation}`, `toolInvocations[]` | likewise, in version 4 |
| `parts[].type: step-start` | of a chat: here the next request begins |
| `parts[].type: source-*, data-*` | of a chat: not sent to the model |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.record import Record
from harness.transcript import Message, ToolCall

ROLES = ("system", "user", "assistant", "tool")
MEDIA = ("image", "file", "reasoning-file")
QUIET = ("tool-approval-request", "tool-approval-response", "step-start", "source", "custom")
CALLS = ("tool-call", "tool-result", "tool-error")


class VercelAI:
    """Vercel AI SDK messages: `tool-call` and `tool-result` parts, and the chats that its UI keeps."""

    name = "vercel-ai"

    def fit(self, message: dict[str, Any]) -> Fit:
        content, parts = message.get("content"), message.get("parts")
        if message.get("role") not in ROLES or message.get("tool_calls") or "kind" in message:
            return Fit.NO
        if isinstance(parts, list):
            return Fit.OWN if all(map(_is_part, parts)) else Fit.NO
        if isinstance(message.get("toolInvocations"), list):
            return Fit.OWN
        if isinstance(content, str):
            return Fit.PLAIN
        if not isinstance(content, list) or not all(map(_is_part, content)):
            return Fit.NO
        return Fit.OWN if any(part["type"] in CALLS for part in content) else Fit.PLAIN

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            _add_message(assembly, message)


def _is_part(part: Any) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in ("text", "reasoning"):
        return isinstance(part.get("text", part.get("reasoning")), str)
    return isinstance(kind, str) and (kind in MEDIA or kind in QUIET or kind == "dynamic-tool" or _is_prefixed(kind))


def _is_prefixed(kind: str) -> bool:
    return kind.startswith(("tool-", "source-", "data-"))


def _add_message(assembly: Assembly, record: Record) -> None:
    of_chat = isinstance(record.raw("parts"), list)
    content = record.said("content")
    parts = list(record.records("parts" if of_chat else "content")) if of_chat or isinstance(content, list) else []
    if not parts and isinstance(content, str):
        parts = [Record({"type": "text", "text": content}, record.at("content"), record.report)]
    if not of_chat:
        parts += record.records("toolInvocations")
    steps: list[list[Record]] = [[]]
    for part in parts:
        if part.raw("type") == "step-start" and steps[-1]:
            steps.append([])
        elif part.raw("type") not in QUIET:
            steps[-1].append(part)
    for step in steps:
        _add_step(assembly, record, step)


def _add_step(assembly: Assembly, record: Record, parts: list[Record]) -> None:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    images = 0
    for part in parts:
        kind = part.string("type")
        inner = part.record("toolInvocation") if kind == "tool-invocation" else part
        if kind == "text":
            texts.append(part.string("text"))
        elif kind == "reasoning":
            thoughts.append(part.string("text") or part.string("reasoning"))
        elif kind in MEDIA:
            images += 1
        elif kind == "tool-call":
            calls.append(_call(part, part.string("toolName")))
        elif kind in ("tool-result", "tool-error"):
            results.append(part)
        elif kind in ("tool-invocation", "dynamic-tool") or "toolCallId" in inner:
            calls.append(_call(inner, inner.string("toolName") or kind.removeprefix("tool-")))
            if any(inner.raw(key) is not None for key in ("output", "result", "errorText")):
                results.append(inner)
        elif not kind.startswith(("source-", "data-")):
            part.problem(f"a part of the unknown kind {kind!r:.40} ({', '.join(map(str, part.value))[:80]}): not read")
    role = record.string("role")
    if role == "assistant":
        said = Message("assistant", "".join(texts), calls=tuple(calls), reasoning="".join(thoughts), images=images)
        assembly.add(said)
    elif texts or images or not results:
        assembly.add(Message("system" if role == "system" else "user", "".join(texts), images=images))
    for result in results:
        _add_result(assembly, result)


def _call(part: Record, name: str) -> ToolCall:
    given = part.raw("input") if part.raw("input") is not None else part.raw("args")
    return ToolCall(name, arguments_text(given), part.text("toolCallId"))


def _add_result(assembly: Assembly, part: Record) -> None:
    """A result. In a message for a model its `output` says its type; in a chat it is the bare value."""
    value = next(
        (part.raw(key) for key in ("output", "result", "errorText", "error") if part.raw(key) is not None), None
    )
    failed = part.boolean("isError") or part.raw("errorText") is not None or part.raw("type") == "tool-error"
    typed = value if isinstance(value, dict) and part.raw("type") == "tool-result" else {}
    if isinstance(typed.get("type"), str) and "value" in typed:
        failed, value = failed or typed["type"].startswith("error"), typed["value"]
    images, texts = 0, None
    if typed.get("type") == "content" and isinstance(value, list):
        shown = [item for item in value if isinstance(item, dict)]
        texts = [item["text"] for item in shown if isinstance(item.get("text"), str)]
        images = len(shown) - len(texts)
    assembly.answer(
        arguments_text(value) if texts is None else "".join(texts),
        call_id=part.text("toolCallId"),
        name=part.string("toolName"),
        is_json=texts is None and value is not None and not isinstance(value, str),
        is_error=failed or None,
        images=images,
    )
