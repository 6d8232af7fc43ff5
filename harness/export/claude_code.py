"""Claude Code session files: JSONL, one line a block of an answer, one line a result.

Cannot hold: system prompt and tool definitions (a session never has them); the exit code of a result and its
whole value; that it was recorded as JSON (it is a string here). Arguments are objects: a bare command is
written as `{"input": ...}`. The cluster is the working directory. Ids of lines are made from the transcript's
id, so the same transcript gives the same bytes.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any, ClassVar

from harness.export.parts import (
    answered_id,
    arguments_object,
    call_id,
    iso_time,
    json_line,
    refuse_copied,
    refuse_rewritten,
)
from harness.transcript import Message, Transcript, Usage

VERSION = "2.1.0"
NO_IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
NO_REASONING = {"type": "redacted_thinking", "data": ""}
NO_RESULT = {"type": "web_search_result", "encrypted_content": ""}


class ClaudeCodeExporter:
    name: ClassVar[str] = "claude-code"
    suffix: ClassVar[str] = ".jsonl"

    def export(self, transcript: Transcript) -> bytes:
        refuse_rewritten(transcript, self.name)
        refuse_copied(transcript, self.name)
        space = uuid.uuid5(uuid.NAMESPACE_OID, transcript.id)
        written: list[bytes] = []
        parent: str | None = None
        for number, (index, line) in enumerate(_lines(transcript)):
            name = str(uuid.uuid5(space, str(number)))
            frame: dict[str, Any] = {
                "parentUuid": parent,
                "isSidechain": False,
                "userType": "external",
                "cwd": transcript.cluster,
                "sessionId": str(space),
                "version": VERSION,
                **line,
                "uuid": name,
            }
            time = transcript.messages[index].time
            if time is not None:
                frame["timestamp"] = iso_time(time)
            written.append(json_line(frame))
            parent = name
        return b"".join(written)


def _lines(transcript: Transcript) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines, each with the index of the message that it is of."""
    for index, message in enumerate(transcript.messages):
        if message.result is not None:
            yield index, {"type": "user", "message": {"role": "user", "content": [_result(transcript, index)]}}
        elif message.role == "user":
            yield index, {"type": "user", "message": {"role": "user", "content": _content(message)}}
        elif message.role == "assistant":
            for block in _blocks(message, index):
                yield index, {"type": "assistant", "message": _answer(transcript, index, block)}


def _content(message: Message) -> str | list[dict[str, Any]]:
    if not message.images:
        return message.text
    return [{"type": "text", "text": message.text}, *[NO_IMAGE] * message.images]


def _blocks(message: Message, index: int) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if message.reasoning:
        blocks.append({"type": "thinking", "thinking": message.reasoning, "signature": ""})
    blocks += [{**NO_REASONING, "data": str(i)} for i in range(message.encrypted)]
    if message.text or not (message.calls or blocks):
        blocks.append({"type": "text", "text": message.text})
    for position, call in enumerate(message.calls):
        name = call_id(call, index, position)
        blocks.append({"type": "tool_use", "id": name, "name": call.name, "input": arguments_object(call)})
    return blocks


def _answer(transcript: Transcript, index: int, block: dict[str, Any]) -> dict[str, Any]:
    message = transcript.messages[index]
    answer = {
        "id": message.message_id or f"msg_{uuid.uuid5(uuid.NAMESPACE_OID, f'{transcript.id} {index}').hex}",
        "type": "message",
        "role": "assistant",
        "model": message.model or transcript.model or "unknown",
        "content": [block],
        "stop_reason": "tool_use" if message.calls else "end_turn",
    }
    return answer if message.usage is None else {**answer, "usage": _usage(message.usage)}


def _usage(usage: Usage) -> dict[str, Any]:
    read, written = usage.cached_tokens, usage.cache_write_tokens
    counts = {
        "input_tokens": None if usage.input_tokens is None else usage.input_tokens - (read or 0) - (written or 0),
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "output_tokens": usage.output_tokens,
    }
    return {key: count for key, count in counts.items() if count is not None}


def _result(transcript: Transcript, index: int) -> dict[str, Any]:
    message = transcript.messages[index]
    result = message.result
    assert result is not None
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": answered_id(transcript, index)}
    if message.images or message.encrypted:
        others = [*[NO_IMAGE] * message.images, *[NO_RESULT] * message.encrypted]
        block["content"] = [{"type": "text", "text": result.content}, *others]
    else:
        block["content"] = result.content
    if result.is_error is not None:
        block["is_error"] = result.is_error
    return block
