"""A turn as the messages of a chat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.engines.turn import TurnInput


def messages(system: str, turn: TurnInput) -> Iterator[Mapping[str, Any]]:
    """The system prompt, if any, the messages before, the input. A tool result that answers no recorded call would be
    refused, so it is shown as the user's."""
    if system:
        yield {"role": "system", "content": system}
    if turn.chat:
        yield from turn.chat
        return
    for message in turn.context:
        known = message.get("role") in ("system", "user", "assistant")
        yield message if known or "tool_call_id" in message else {"role": "user", "content": message.get("content")}
    yield {"role": "user", "content": turn.input}
