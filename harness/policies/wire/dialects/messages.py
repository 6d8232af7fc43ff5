"""Messages (Anthropic): the system prompt apart, results as blocks of a user's message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.policies.wire.said import Call, Item, Said, compact, parsed, schema_of, text_of


class Messages:
    path = "/v1/messages"

    def body(self, said: Said) -> dict[str, Any]:
        found: dict[str, Any] = {"model": said.model, "max_tokens": 8192, "messages": []}
        leading = 0
        while leading < len(said.items) and said.items[leading].role == "system":
            leading += 1
        if leading:
            found["system"] = [{"type": "text", "text": item.text} for item in said.items[:leading]]
        for item in said.items[leading:]:
            role = "assistant" if item.role == "assistant" else "user"
            blocks = list(_blocks(item))
            last = found["messages"][-1] if found["messages"] else None
            if item.role == "tool" and last is not None and last["content"][-1]["type"] == "tool_result":
                last["content"] += blocks
            else:
                found["messages"].append({"role": role, "content": blocks})
        if said.tools:
            found["tools"] = [_tool(tool) for tool in said.tools.values()]
        return found | {"stream": said.streams}

    def read(self, body: Mapping[str, Any]) -> Said:
        items = list(_system(body.get("system")))
        for message in body["messages"]:
            items += _items(message)
        tools = {str(tool.get("name") or tool.get("type")): compact(tool) for tool in body.get("tools") or ()}
        return Said(str(body.get("model", "")), tuple(items), tools, bool(body.get("stream")))

    def answer(self, item: Item, model: str) -> dict[str, Any]:
        return {
            "id": "msg_recorded",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": list(_blocks(item)),
            "stop_reason": "tool_use" if item.calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    def stream(self, item: Item, model: str) -> list[tuple[str, dict[str, Any] | str]]:
        whole = self.answer(item, model)
        events: list[dict[str, Any]] = [{"type": "message_start", "message": whole | {"content": []}}]
        for n, block in enumerate(whole["content"]):
            if block["type"] == "text":
                start, delta = block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                start = block | {"input": {}}
                delta = {"type": "input_json_delta", "partial_json": compact(block["input"])}
            events += [
                {"type": "content_block_start", "index": n, "content_block": start},
                {"type": "content_block_delta", "index": n, "delta": delta},
                {"type": "content_block_stop", "index": n},
            ]
        stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        events += [{"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
        return [(str(event["type"]), event) for event in events]


def _blocks(item: Item) -> Iterator[dict[str, Any]]:
    if item.role == "tool":
        yield {"type": "tool_result", "tool_use_id": item.call_id, "content": item.text}
        return
    if item.text or not item.calls:
        yield {"type": "text", "text": item.text}
    for call in item.calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": parsed(call.arguments)}


def _system(system: object) -> Iterator[Item]:
    if isinstance(system, str):
        yield Item("system", system)
    elif isinstance(system, list):
        for part in system:
            yield Item("system", text_of([part]))


def _items(message: Mapping[str, Any]) -> Iterator[Item]:
    """A result is an item; what else stands in the message is one more."""
    role: Any = str(message["role"])
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())
    texts: list[str] = []
    calls: list[Call] = []
    for block in blocks:
        kind = block.get("type")
        if kind == "tool_result":
            yield Item("tool", text_of(block.get("content")), (), str(block.get("tool_use_id", "")))
        elif kind == "tool_use":
            calls.append(Call(str(block.get("id", "")), str(block.get("name", "")), compact(block.get("input"))))
        else:
            texts.append(str(block.get("text", "")))
    if texts or calls or not blocks:
        yield Item(role, "\n".join(texts), tuple(calls))


def _tool(tool: str) -> dict[str, Any]:
    name, description, schema = schema_of(tool)
    return {"name": name, "description": description, "input_schema": schema}
