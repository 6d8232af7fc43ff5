"""A turn as Anthropic's messages: blocks, results in the user's messages, roles that take turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from harness.engines.chat_messages import messages
from harness.engines.turn import TurnInput
from harness.engines.wire_names import WireNames

Block = dict[str, Any]


def anthropic_messages(turn: TurnInput, names: WireNames) -> list[dict[str, Any]]:
    """Messages of one role one after the other become one, as the protocol wants it. Nothing empty is sent."""
    found: list[dict[str, Any]] = []
    for message in messages("", turn):
        role = "assistant" if message.get("role") == "assistant" else "user"
        blocks = list(_blocks(message, names))
        if not blocks:
            continue
        if found and found[-1]["role"] == role:
            found[-1]["content"] += blocks
        else:
            found.append({"role": role, "content": blocks})
    return found


def _blocks(message: Mapping[str, Any], names: WireNames) -> Iterator[Block]:
    text = str(message.get("content") or "")
    if message.get("role") == "tool" and "tool_call_id" in message:
        yield {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": text}
        return
    if text.strip():
        yield {"type": "text", "text": text}
    for call in message.get("tool_calls") or ():
        function = call["function"]
        yield {
            "type": "tool_use",
            "id": call["id"],
            "name": names.wire(function["name"]),
            "input": _object(function["arguments"]),
        }


def _object(arguments: str) -> dict[str, Any]:
    try:
        found = orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return {"input": arguments}
    return found if isinstance(found, dict) else {"input": found}
