"""Items of OpenAI's Responses API: `message`, `function_call`, `reasoning`, their outputs, and tools run by
the server.

Source: openai/openai-python@e43b422 `types/responses/response_input_item_param.py`.

| field | what |
| --- | --- |
| `type: message` (or none), `role`, `content` | text, or parts `input_text`, `output_text`, `refusal`, images, files |
| `type: reasoning`, `summary[].text`, `encrypted_content` | reasoning |
| `type: function_call`, `call_id`, `name`, `arguments` | a call; also `custom_tool_call`, `local_shell_call` |
| `type: function_call_output`, `call_id`, `output` | its result: text or parts |
| `type: mcp_call`, `arguments`, `output`, `error` | a call of the server with its result |

A maximal run of items that the model made is one answer. A tool that the server
runs (`mcp_call` and the like) has its result inside the call's item, in the middle of an answer: the result
stands after that answer here, since the whole answer was one request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.dialects.openai_chat import arguments_text, content_of, role_of
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.transcript import Message, ToolCall

PARTS = ("input_text", "output_text", "refusal", "input_image", "input_file", "input_audio")
SILENT = ("item_reference", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "compaction")
OUTPUT_SUFFIX = "_output"
SERVER_RESULTS = ("output", "outputs", "results", "result", "error", "tools")


class OpenAIResponses:
    """OpenAI Responses items: `message`, `reasoning`, `function_call`, `function_call_output`, tools of the server."""

    name = "openai-responses"

    def fit(self, message: dict[str, Any]) -> Fit:
        kind = message.get("type")
        if kind is None or kind == "message":
            if role_of(message) is None or message.get("tool_calls") or isinstance(message.get("parts"), list):
                return Fit.NO
            content = message.get("content")
            if isinstance(content, str):
                return Fit.PLAIN
            parts = content if isinstance(content, list) else [None]
            kinds = [part.get("type") if isinstance(part, dict) else None for part in parts]
            return (Fit.OWN if kinds else Fit.PLAIN) if all(k in PARTS for k in kinds) else Fit.NO
        if not isinstance(kind, str):
            return Fit.NO
        if kind == "reasoning":
            return Fit.OWN if "summary" in message or "encrypted_content" in message else Fit.NO
        if kind.endswith(("_call", "_call_output")):
            return Fit.OWN if "call_id" in message or "id" in message else Fit.NO
        return Fit.PLAIN if kind in SILENT else Fit.NO

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        add_items(assembly, messages)


def is_output(kind: str) -> bool:
    """Whether an item is the result of a call that the client ran."""
    return kind.endswith(OUTPUT_SUFFIX)


def is_made_by_model(item: Record) -> bool:
    """Whether an item is part of an answer: text of the assistant, reasoning, or a call."""
    kind = item.string("type")
    if kind in ("", "message"):
        return item.string("role") == "assistant"
    return kind == "reasoning" or kind.endswith("_call")


def add_items(assembly: Assembly, items: Iterable[Record], answer: Message | None = None) -> None:
    """Read items in order. A maximal run of what the model made is one assistant message, completed by
    `answer`'s id, model, time and usage for the first such run where it is given."""
    run: list[Record] = []
    for item in items:
        if is_made_by_model(item):
            run.append(item)
            continue
        if run:
            add_answer(assembly, run, answer)
            run, answer = [], None
        _add_other(assembly, item)
    if run:
        add_answer(assembly, run, answer)


def add_answer(assembly: Assembly, items: list[Record], answer: Message | None = None) -> None:
    """One answer of the model, with the results that the server put into it."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    server: list[tuple[Record, ToolCall]] = []
    images = encrypted = 0
    for item in items:
        kind = item.string("type")
        if kind in ("", "message"):
            text, others = content_of(item)
            texts.append(text)
            images += others
        elif kind == "reasoning":
            thoughts += _thoughts(item)
            encrypted += item.raw("encrypted_content") is not None
        else:
            call = call_of(item, kind)
            calls.append(call)
            if any(item.raw(key) is not None for key in SERVER_RESULTS):
                server.append((item, call))
    base = answer or Message("assistant")
    assembly.add(
        replace(
            base,
            text="".join(texts),
            calls=tuple(calls),
            reasoning="\n".join(thoughts),
            images=images,
            encrypted=encrypted,
        )
    )
    for item, call in server:
        _add_server_result(assembly, item, call)


def call_of(item: Record, kind: str) -> ToolCall:
    """The call in an item of any kind: its name is recorded, or it is the kind's own (`web_search`)."""
    own_name = kind.removesuffix("_call")
    for key in ("arguments", "input", "action", "code", "queries", "operation"):
        if item.raw(key) is not None:
            arguments = arguments_text(item.raw(key))
            break
    else:
        arguments = ""
    return ToolCall(item.string("name") or own_name, arguments, item.text("call_id") or item.text("id"))


def add_output(assembly: Assembly, item: Record) -> None:
    """The result of a call that the client ran: text, a list of parts, or (recorded as an object) JSON."""
    value = item.raw("output")
    if value is None or isinstance(value, (str, list)):
        part = Record({"content": value}, f"{item.place}.output", item.report)
        text, images = content_of(part)
        assembly.answer(text, call_id=item.text("call_id"), images=images)
    elif isinstance(value, dict) and value.get("type") in ("computer_screenshot", "input_image"):
        assembly.answer("", call_id=item.text("call_id"), images=1)
    else:
        assembly.answer(compact(value), call_id=item.text("call_id"), is_json=True)


def _add_server_result(assembly: Assembly, item: Record, call: ToolCall) -> None:
    found: Any = next(item.raw(key) for key in SERVER_RESULTS if item.raw(key) is not None)
    failed = item.raw("error") is not None
    if item.string("type") == "image_generation_call":
        assembly.answer("", call_id=call.call_id, name=call.name, images=1)
        return
    assembly.answer(
        arguments_text(found),
        call_id=call.call_id,
        name=call.name,
        is_json=not isinstance(found, str),
        is_error=failed or None,
    )


def _add_other(assembly: Assembly, item: Record) -> None:
    kind = item.string("type")
    if is_output(kind):
        add_output(assembly, item)
        return
    role = role_of(item.value)
    if kind in ("", "message") and role in ("system", "user"):
        text, images = content_of(item)
        assembly.add(Message(role, text, images=images))
    elif kind not in SILENT:
        item.problem(f"unknown item of type {kind!r:.60}")


def _thoughts(item: Record) -> list[str]:
    parts = [*item.records("summary"), *item.records("content")]
    return [part.string("text") for part in parts]
