"""Responses (OpenAI): every call and every result is an item of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from harness.policies.wire.said import Call, Item, Said, compact, schema_of, text_of

NUMBERED = re.compile(r"item_(\d+)_\d+")


class Responses:
    path = "/v1/responses"

    def body(self, said: Said) -> dict[str, Any]:
        found: dict[str, Any] = {
            "model": said.model,
            "input": [part for n, item in enumerate(said.items) for part in _named(n, item)],
        }
        if said.tools:
            found["tools"] = [_tool(tool) for tool in said.tools.values()]
        return found | {"stream": said.streams, "store": False}

    def read(self, body: Mapping[str, Any]) -> Said:
        items = [Item("system", str(body["instructions"]))] if body.get("instructions") else []
        given = body["input"]
        parts = [{"role": "user", "content": given}] if isinstance(given, str) else given
        open_answer = False  # calls belong to the answer before them
        answer = ""
        for part in parts:
            kind = part.get("type")
            numbered = NUMBERED.fullmatch(str(part.get("id", "")))
            if numbered and numbered[1] != answer:
                open_answer, answer = False, numbered[1]
            if kind in ("function_call", "custom_tool_call"):
                call = Call(str(part.get("call_id")), str(part.get("name")), str(part.get("arguments", "")))
                if open_answer:
                    items[-1] = Item("assistant", items[-1].text, (*items[-1].calls, call))
                else:
                    items.append(Item("assistant", "", (call,)))
                open_answer = True
                continue
            if kind in ("function_call_output", "custom_tool_call_output"):
                items.append(Item("tool", text_of(part.get("output")), (), str(part.get("call_id"))))
            else:
                role: Any = {"developer": "system"}.get(str(part.get("role", "user")), part.get("role", "user"))
                items.append(Item(role, text_of(part.get("content"))))
            open_answer = items[-1].role == "assistant"
        tools = {str(tool.get("name") or tool.get("type")): compact(tool) for tool in body.get("tools") or ()}
        return Said(str(body.get("model", "")), tuple(items), tools, bool(body.get("stream")))

    def answer(self, item: Item, model: str) -> dict[str, Any]:
        return {
            "id": "resp_recorded",
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": model,
            "output": [_output(n, part) for n, part in enumerate(_parts(item))],
            "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
        }

    def stream(self, item: Item, model: str) -> list[tuple[str, dict[str, Any] | str]]:
        whole = self.answer(item, model)
        begun = whole | {"status": "in_progress", "output": []}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
        for n, part in enumerate(whole["output"]):
            events += [
                {"type": "response.output_item.added", "output_index": n, "item": part},
                {"type": "response.output_item.done", "output_index": n, "item": part},
            ]
        events.append({"type": "response.completed", "response": whole})
        numbered = [event | {"sequence_number": n} for n, event in enumerate(events)]
        return [(str(event["type"]), event) for event in numbered]


def _parts(item: Item) -> Iterator[dict[str, Any]]:
    if item.role == "tool":
        yield {"type": "function_call_output", "call_id": item.call_id, "output": item.text}
        return
    if item.text or not item.calls:
        kind = "output_text" if item.role == "assistant" else "input_text"
        yield {"type": "message", "role": item.role, "content": [{"type": kind, "text": item.text}]}
    for call in item.calls:
        yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}


def _named(number: int, item: Item) -> Iterator[dict[str, Any]]:
    """The parts of an answer bear its number, so that answers that follow each other stay two."""
    for n, part in enumerate(_parts(item)):
        yield part | {"id": f"item_{number}_{n}"} if item.role == "assistant" else part


def _output(number: int, part: dict[str, Any]) -> dict[str, Any]:
    return part | {"id": f"item_{number}", "status": "completed"}


def _tool(tool: str) -> dict[str, Any]:
    name, description, schema = schema_of(tool)
    return {"type": "function", "name": name, "description": description, "parameters": schema}
