"""Chat completions (OpenAI), which most servers and agents speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.policies.wire.said import Call, Item, Said, compact, schema_of, text_of

ROLES = {"developer": "system", "function": "tool"}


class Chat:
    path = "/v1/chat/completions"

    def body(self, said: Said) -> dict[str, Any]:
        found: dict[str, Any] = {"model": said.model, "messages": [_message(item) for item in said.items]}
        if said.tools:
            found["tools"] = [_tool(tool) for tool in said.tools.values()]
        return found | {"stream": said.streams}

    def read(self, body: Mapping[str, Any]) -> Said:
        messages = body["messages"]
        tools = {
            str((tool.get("function") or {}).get("name") or tool.get("type")): compact(tool)
            for tool in body.get("tools") or ()
        }
        return Said(
            str(body.get("model", "")), tuple(_item(message) for message in messages), tools, bool(body.get("stream"))
        )

    def answer(self, item: Item, model: str) -> dict[str, Any]:
        message: dict[str, Any] = _message(item)
        reason = "tool_calls" if item.calls else "stop"
        return {
            "id": "chatcmpl-recorded",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }

    def stream(self, item: Item, model: str) -> list[tuple[str, dict[str, Any] | str]]:
        whole = _message(item)
        if item.calls:
            whole["tool_calls"] = [call | {"index": n} for n, call in enumerate(whole["tool_calls"])]
        deltas: list[tuple[dict[str, Any], str | None]] = [
            (whole, None),
            ({}, "tool_calls" if item.calls else "stop"),
        ]
        head = {"id": "chatcmpl-recorded", "object": "chat.completion.chunk", "created": 0, "model": model}
        chunks = [
            head | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} for delta, reason in deltas
        ]
        return [*(("", chunk) for chunk in chunks), ("", "[DONE]")]


def _message(item: Item) -> dict[str, Any]:
    if item.role == "tool":
        return {"role": "tool", "tool_call_id": item.call_id, "content": item.text}
    found: dict[str, Any] = {"role": item.role, "content": item.text}
    if item.calls:
        found["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in item.calls
        ]
    return found


def _item(message: Mapping[str, Any]) -> Item:
    role = str(message["role"])
    calls = tuple(
        Call(str(call.get("id", "")), str(made.get("name", "")), str(made.get("arguments", "")))
        for call in message.get("tool_calls") or ()
        for made in [call.get("function") or {}]
    )
    known: Any = ROLES.get(role, role)
    return Item(known, text_of(message.get("content")), calls, str(message.get("tool_call_id") or ""))


def _tool(tool: str) -> dict[str, Any]:
    name, description, schema = schema_of(tool)
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}
